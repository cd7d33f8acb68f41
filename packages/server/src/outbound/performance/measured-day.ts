import type { Values } from '@helioport/contract';
import { HOUR_MS } from '@helioport/contract/durations';
import type { Binding } from '../../fleet/plants/bindings.ts';
import {
  createStepMeans,
  endOfSteps,
  type MeansSteps,
  type StepMeans,
} from '../../measurements/expected/step-means.ts';
import { boundDay, partsOfDay } from '../../measurements/figures/day-windows.ts';
import { partOfPlant } from '../../measurements/figures/plant/precedence.ts';
import type { FigureSources } from '../../measurements/figures/sources.ts';
import { stringsOf } from '../alarms/strings.ts';
import type { StepPowers } from './causes/loss-day.ts';

/** Devices whose readings of a day are held at once. */
const AT_ONCE = 50;
/** A string is connected if its voltage has reached this on the day. */
const CONNECTED_V = 50;

/** What a device measured on a day, in steps. */
export interface MeasuredDevice {
  readonly acW: StepPowers;
  /** Fed into the grid, by a meter. */
  readonly exportedW: StepPowers;
  /** The limit that an inverter reports, as a share of its rated power; undefined in steps without. */
  readonly limitShare: StepPowers;
  readonly inputs: readonly { input: number; powerW: StepPowers; isConnected: boolean }[];
}

/** What inverters and meters measured on a day, by the number of their binding. */
export async function measuredDay(
  { db, telemetry }: Pick<FigureSources, 'db' | 'telemetry'>,
  bindings: readonly Binding[],
  steps: MeansSteps,
): Promise<Map<number, MeasuredDevice>> {
  const measured = new Map<number, MeasuredDevice>();
  const span = { startAt: steps.startAt - HOUR_MS, endAt: endOfSteps(steps) + HOUR_MS };
  const parts = partsOfDay(bindings, span);
  for (let i = 0; i < parts.length; i += AT_ONCE) {
    const some = parts.slice(i, i + AT_ONCE);
    const devices = some.map(() => createDevice(steps));
    await telemetry.eachReading(db, some.map(boundDay), (part, { at, values }) =>
      devices[part]!.add(at, values),
    );
    for (const [part, { binding }] of some.entries())
      measured.set(binding.no, devices[part]!.read());
  }
  return measured;
}

function createDevice(steps: MeansSteps) {
  const means = new Map<string, StepMeans>();
  const voltages = new Map<number, number>();
  const add = (name: string, at: number, value: number | undefined): void => {
    if (value === undefined) return;
    if (!means.has(name)) means.set(name, createStepMeans(steps));
    means.get(name)!.add(at, value);
  };
  const column = (name: string): (number | undefined)[] => {
    const of = means.get(name);
    return Array.from({ length: steps.count }, (_, step) => of?.mean(step));
  };
  return {
    add(at: number, values: Values): void {
      const { acPowerW, gridPowerW, powerLimitPercent } = values;
      if (acPowerW !== undefined) add('ac', at, partOfPlant('acPowerW', acPowerW));
      add('grid', at, gridPowerW);
      add('limit', at, powerLimitPercent === undefined ? undefined : powerLimitPercent / 100);
      for (const { string, powerW, voltageV } of stringsOf(values, null)) {
        add(`input ${string}`, at, Math.max(0, powerW));
        voltages.set(string, Math.max(voltageV, voltages.get(string) ?? 0));
      }
    },
    read: (): MeasuredDevice => ({
      acW: column('ac'),
      exportedW: column('grid'),
      limitShare: column('limit').map((share) =>
        share !== undefined && share < UNLIMITED ? share : undefined,
      ),
      inputs: [...voltages]
        .toSorted(([a], [b]) => a - b)
        .map(([input, voltageV]) => ({
          input,
          powerW: column(`input ${input}`),
          isConnected: voltageV >= CONNECTED_V,
        })),
    }),
  };
}

/** A limit of so much of the rated power is none. */
const UNLIMITED = 0.995;
