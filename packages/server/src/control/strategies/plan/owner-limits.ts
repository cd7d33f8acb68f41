import type { PlanInterval } from '@helioport/contract';
import { planFault, hoursText, type PlanFault } from './plan-fault.ts';
import { DAY_MINUTES, firstOverlap, weekSpans, type Hours, type WeekSpan } from './week-spans.ts';

/** What the owner of a plant lets strategies do with a battery. */
export interface OwnerLimits {
  /** Strategies discharge to this state of charge and no further; null = as far as the device does. */
  readonly reserveSocPercent: number | null;
  /** How much strategies may discharge in a day, in full batteries; null = no limit. */
  readonly cyclesPerDay: number | null;
  /** Hours in which no strategy may do anything. */
  readonly quietHours: readonly Hours[];
}

export const NO_LIMITS: OwnerLimits = {
  reserveSocPercent: null,
  cyclesPerDay: null,
  quietHours: [],
};

/** Intervals of a plan that pass what the owner allows. `capacityKwh`: what the battery holds, if that is known. */
export function limitFaults(
  intervals: readonly PlanInterval[],
  limits: OwnerLimits,
  capacityKwh: number | null,
): PlanFault[] {
  const { reserveSocPercent, cyclesPerDay, quietHours } = limits;
  const faults: PlanFault[] = [];
  for (const [i, { payload }] of intervals.entries()) {
    if (payload.type === 'discharge' && payload.socPercent < (reserveSocPercent ?? 0))
      faults.push(
        planFault(
          i,
          'payload.socPercent',
          `at least ${reserveSocPercent}, which the owner keeps in reserve`,
          intervals,
        ),
      );
  }
  const spans = weekSpans(intervals);
  for (const [i] of intervals.entries()) {
    const overlap = firstOverlap(
      spans.filter(({ index }) => index === i),
      weekSpans(quietHours),
    );
    if (overlap)
      faults.push(
        planFault(
          i,
          'start',
          `hours outside of ${hoursText(quietHours[overlap.other.index]!)}, in which the owner allows no strategy`,
          intervals,
        ),
      );
  }
  if (cyclesPerDay === null) return faults;
  const most = Math.max(
    ...Array.from({ length: 7 }, (_, day) => cyclesOn(day, intervals, spans, capacityKwh)),
  );
  // Cycles are sums of hundredths.
  if (most > cyclesPerDay + 1e-9)
    faults.push(
      planFault(
        null,
        'intervals',
        `at most ${cyclesPerDay} cycles a day, which the owner allows, not ${most.toFixed(2)}`,
      ),
    );
  return faults;
}

/**
 * How many full batteries the intervals that begin on a day of the week discharge at most. The battery may be full before the first one, and is charged
 * again as far as the intervals in between say.
 */
function cyclesOn(
  day: number,
  intervals: readonly PlanInterval[],
  spans: readonly WeekSpan[],
  capacityKwh: number | null,
): number {
  let cycles = 0;
  let socPercent = 100;
  for (const { index, fromMinute, toMinute } of spans) {
    if (Math.floor(fromMinute / DAY_MINUTES) !== day) continue;
    const { payload } = intervals[index]!;
    if (payload.type === 'charge') socPercent = Math.max(socPercent, payload.socPercent);
    if (payload.type !== 'discharge') continue;
    const inTime =
      capacityKwh === null
        ? Infinity
        : (100 * payload.powerKw * (toMinute - fromMinute)) / 60 / capacityKwh;
    const discharged = Math.min(Math.max(0, socPercent - payload.socPercent), inTime);
    cycles += discharged / 100;
    socPercent -= discharged;
  }
  return cycles;
}
