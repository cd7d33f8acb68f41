import type { DevicePerformance } from '@helioport/contract';
import { inPercent } from './performance-rows.ts';

/** Of the rated power: where so much is expected, an inverter should run, and it runs from so much on. */
const [SHOULD_RUN, RUNS] = [0.05, 0.005] as const;

/**
 * How much of the time with enough light an inverter delivered power, and how much of the expected energy belongs to that time. Time in which
 * it did not report says nothing.
 */
export function availabilityOf(
  expectedW: readonly (number | undefined)[],
  measuredW: readonly (number | undefined)[],
  ratedW: number,
): Pick<DevicePerformance, 'timeAvailabilityPercent' | 'energyAvailabilityPercent'> {
  let [steps, running, energy, delivered] = [0, 0, 0, 0];
  for (const [i, expected] of expectedW.entries()) {
    const measured = measuredW[i];
    if (expected === undefined || measured === undefined || expected < SHOULD_RUN * ratedW)
      continue;
    const runs = measured >= RUNS * ratedW;
    steps += 1;
    energy += expected;
    if (!runs) continue;
    running += 1;
    delivered += expected;
  }
  if (steps === 0) return {};
  return {
    timeAvailabilityPercent: inPercent(running, steps),
    energyAvailabilityPercent: inPercent(delivered, energy),
  };
}
