import type { VisiblePlant } from '../../fleet/plants/access.ts';
import type { SunObserver } from '../../fleet/devices/sun.ts';
import type { Zones } from '../../platform/calendar/plant-calendar.ts';
import { readLearned } from '../../measurements/figures/performance/learning.ts';
import { findObservers } from '../../measurements/figures/performance/observers.ts';
import {
  powerDayKey,
  powerDigests,
  settlePowers,
} from '../../measurements/figures/performance/power-days.ts';
import type { Inverter } from '../../measurements/figures/performance/units.ts';
import type { FigureSources } from '../../measurements/figures/sources.ts';

/** Powers of so many days are kept while somebody waits. */
const DAYS_AT_ONCE = 31;

/** What losses of a plant on a day without irradiance are calculated from. */
export interface LearnedFacts {
  /** Whether anything was learned. */
  readonly isPossible: boolean;
  /** What was learned, and what others saw on a day. */
  of(day: number): unknown;
}

/** Reads what was learned of a plant's inverters and of those near by, whose powers are kept first where they are not. */
export async function readLearnedFacts(
  sources: Pick<FigureSources, 'db' | 'telemetry'>,
  plant: VisiblePlant,
  { place, zones }: { readonly place: SunObserver; readonly zones: Zones },
  inverters: readonly Inverter[],
  days: { readonly fromDay: number; readonly toDay: number },
): Promise<LearnedFacts> {
  const { db } = sources;
  const own = inverters.map(({ binding }) => binding.no);
  const known = await readLearned(db, own);
  if (![...known.values()].some(({ learned }) => learned))
    return { isPossible: false, of: () => [] };
  const observers = await findObservers(db, plant, place, zones, inverters);
  for (const [of, some] of Map.groupBy(observers, (each) => each.zones)) {
    const bindings = some.map(({ inverter }) => inverter.binding);
    await settlePowers(sources, bindings, of, { ...days, atMost: DAYS_AT_ONCE });
  }
  const nos = observers.map(({ inverter }) => inverter.binding.no);
  const ofObservers = await readLearned(db, nos);
  const digests = await powerDigests(db, { nos, ...days });
  const always = [
    own.map((no) => known.get(no)?.version),
    observers.map(({ inverter, distanceKm }) => {
      const { no } = inverter.binding;
      return [no, distanceKm, ofObservers.get(no)?.version];
    }),
  ];
  return {
    isPossible: true,
    of: (day) => [always, nos.map((no) => digests.get(powerDayKey(no, day)))],
  };
}
