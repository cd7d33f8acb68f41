import type { DevicePerformance } from '@helioport/contract';
import { HOUR_MS } from '@helioport/contract/durations';
import { MEANS_STEP_MS } from '../../expected/step-means.ts';
import { inPercent } from './performance-rows.ts';

/** Of the rated power: where so much is expected, an inverter should run, and it runs from so much on. */
const [SHOULD_RUN, RUNS] = [0.05, 0.005] as const;

/** When inverters should have run, and did. */
export interface RunningTime {
  /** Steps with enough light of which the power is known, and those of them in which power was delivered. */
  readonly dueSteps: number;
  readonly ranSteps: number;
  /** What was expected in them, kWh. */
  readonly dueKwh: number;
  readonly ranKwh: number;
}

/** When an inverter should have run, and did. Time in which it did not report says nothing. */
export function runningTimeOf(
  expectedW: readonly (number | undefined)[],
  measuredW: readonly (number | undefined)[],
  ratedW: number,
): RunningTime {
  let [due, ran, dueW, ranW] = [0, 0, 0, 0];
  for (const [i, expected] of expectedW.entries()) {
    const measured = measuredW[i];
    if (expected === undefined || measured === undefined || expected < SHOULD_RUN * ratedW)
      continue;
    due += 1;
    dueW += expected;
    if (measured < RUNS * ratedW) continue;
    ran += 1;
    ranW += expected;
  }
  const kwh = (powerW: number): number => (powerW * MEANS_STEP_MS) / HOUR_MS / 1000;
  return { dueSteps: due, ranSteps: ran, dueKwh: kwh(dueW), ranKwh: kwh(ranW) };
}

/** Of several inverters or days together. */
export const sumOfRunning = (all: readonly RunningTime[]): RunningTime => {
  const sum = (of: keyof RunningTime): number => all.reduce((whole, each) => whole + each[of], 0);
  return {
    dueSteps: sum('dueSteps'),
    ranSteps: sum('ranSteps'),
    dueKwh: sum('dueKwh'),
    ranKwh: sum('ranKwh'),
  };
};

/** How much of the time with enough light power was delivered, and how much of the expected energy belongs to that time. */
export const availabilityOf = ({
  dueSteps,
  ranSteps,
  dueKwh,
  ranKwh,
}: RunningTime): Pick<DevicePerformance, 'timeAvailabilityPercent' | 'energyAvailabilityPercent'> =>
  dueSteps === 0
    ? {}
    : {
        timeAvailabilityPercent: inPercent(ranSteps, dueSteps),
        energyAvailabilityPercent: inPercent(ranKwh, dueKwh),
      };
