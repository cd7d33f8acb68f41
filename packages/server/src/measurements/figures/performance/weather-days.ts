import { HOUR_MS } from '@helioport/contract/durations';
import type { SunObserver } from '../../../fleet/devices/sun.ts';
import type { StationStep } from '../../expected/model.ts';
import { endOfSteps, type MeansSteps } from '../../expected/step-means.ts';
import type { ServiceSample } from '../../weather/read-answer.ts';
import { weatherOf } from '../../weather/stored-weather.ts';
import type { FigureSources } from '../sources.ts';
import { createStationDay, type StationDay } from './station-days.ts';

const NAMES = {
  globalWm2: 'global',
  directWm2: 'direct',
  diffuseWm2: 'diffuse',
  ambientC: 'ambientC',
} as const satisfies Record<Exclude<keyof ServiceSample, 'at'>, keyof StationStep>;

/** What a weather service said of days, as if a station had measured it, and what is to be said where it is shown. */
export async function readService(
  { db }: Pick<FigureSources, 'db'>,
  place: SunObserver,
  days: readonly MeansSteps[],
): Promise<{ readonly days: readonly StationDay[]; readonly licence: string | undefined }> {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return { days: [], licence: undefined };
  const kept = await weatherOf(db, place, first.startAt, endOfSteps(last));
  const samples = kept.flatMap(({ samples: text }) => JSON.parse(text) as ServiceSample[]);
  let from = 0;
  return {
    licence: kept.at(-1)?.licence,
    days: days.map((steps) => {
      const day = createStationDay(steps);
      const [begin, end] = [steps.startAt - HOUR_MS, endOfSteps(steps) + HOUR_MS];
      while (from < samples.length && samples[from]!.at < begin) from += 1;
      for (let i = from; i < samples.length && samples[i]!.at <= end; i++)
        for (const [key, name] of Object.entries(NAMES) as [
          keyof typeof NAMES,
          keyof StationStep,
        ][]) {
          const value = samples[i]![key];
          if (value !== undefined) day.add(name, samples[i]!.at, value);
        }
      return day;
    }),
  };
}
