import { MEANS_STEP_MS } from '../../../measurements/expected/step-means.ts';
import type { LossDay, LossUnit, SetLimit, Stretch } from './loss-day.ts';
import type { LossEvidence } from './loss-tally.ts';

/** What held an inverter back in a step: what is known of it, or nothing. */
export type HeldBack =
  | { readonly by: 'silent' | 'clipping' | 'standstill' }
  | { readonly by: 'grid' | 'limit' | 'exportLimit'; readonly evidence: LossEvidence }
  /** It delivered what it could, or it is night. */
  | { readonly by: 'nothing' | 'night' };

/** Of the rated power: where so much is expected, an inverter should run, and it runs from so much on. */
const [SHOULD_RUN, RUNS] = [0.03, 0.005];
/** Of the expected power: less than this is delivered while the grid is out of range. */
const TRIPPED = 0.5;
/** How far above its limit an inverter may be, as shares of the limit and of its rated power. */
const [ABOVE_LIMIT, ABOVE_BY_RATED] = [1.05, 0.01];
/** Below this share of its limit, something else holds it back. */
const AT_LIMIT = 0.9;
const FULL = 0.97;
/** Less than this share of what is expected is delivered in a step in which an inverter stops or starts. */
const PART = 0.9;
/** Of what is expected, what may be missing without a limit of feeding in being the reason. */
const MISSING = 0.05;

const covers = ({ fromAt, toAt }: Stretch, at: number): boolean =>
  fromAt < at + MEANS_STEP_MS && toAt > at;

/** What held a unit back in each step of a day. */
export function heldBack(day: LossDay, unit: LossUnit): HeldBack[] {
  const held = Array.from({ length: day.steps.count }, (_, step) => inStep(day, unit, step));
  // What never runs on a day does not run in dim light either.
  const isDead = held.some(({ by }) => by === 'standstill') && !runsIn(unit, held);
  return held.map((each, step) => {
    if (each.by !== 'nothing') return each;
    if (isDead) return { by: 'standstill' };
    const isPart = unit.measuredW[step]! < PART * unit.expectedW[step]!;
    const beside = [held[step - 1], held[step + 1]].find(
      (other) => other?.by === 'standstill' || other?.by === 'grid',
    );
    return isPart && beside ? beside : each;
  });
}

const runsIn = ({ measuredW, ratedW }: LossUnit, held: readonly HeldBack[]): boolean =>
  held.some(({ by }, step) => by !== 'night' && (measuredW[step] ?? 0) >= RUNS * ratedW);

/** The first of several reasons counts. */
function inStep(day: LossDay, unit: LossUnit, step: number): HeldBack {
  const { ratedW } = unit;
  const [expectedW, measuredW] = [unit.expectedW[step], unit.measuredW[step]];
  const at = day.steps.startAt + step * MEANS_STEP_MS;
  if (expectedW === undefined || expectedW <= 0) return { by: 'night' };
  if (measuredW === undefined) return { by: 'silent' };
  const stands = measuredW < RUNS * ratedW && expectedW >= SHOULD_RUN * ratedW;
  const alarm = unit.gridAlarms.find((each) => covers(each, at));
  if (alarm && measuredW < TRIPPED * expectedW)
    return { by: 'grid', evidence: { confidence: 'high', alarmCode: alarm.code } };
  const limit = limitAt(unit, step, at);
  if (limit && isAt(limit.limitW, measuredW, expectedW, ratedW))
    return { by: 'limit', evidence: limit };
  const exportLimit = day.exportLimits.find((each) => covers(each, at));
  const exportedW = day.exportedW[step];
  if (
    exportLimit &&
    exportedW !== undefined &&
    measuredW < (1 - MISSING) * expectedW &&
    isAt(exportLimit.limitW, exportedW, Infinity, ratedW)
  )
    return { by: 'exportLimit', evidence: { confidence: 'medium', ...evidenceOf(exportLimit) } };
  if ((unit.clippedW[step] ?? 0) > 0 && measuredW >= FULL * ratedW) return { by: 'clipping' };
  return { by: stands ? 'standstill' : 'nothing' };
}

/** Whether a power is what a limit leaves of what could be. */
const isAt = (limitW: number, powerW: number, possibleW: number, ratedW: number): boolean =>
  possibleW > limitW &&
  powerW >= AT_LIMIT * limitW &&
  powerW <= ABOVE_LIMIT * limitW + ABOVE_BY_RATED * ratedW;

/** The limit of a unit: the one that it reports, with who set it; otherwise, the one that was set. */
function limitAt(
  unit: LossUnit,
  step: number,
  at: number,
): (LossEvidence & { readonly limitW: number }) | undefined {
  const set = unit.limits.find((each) => covers(each, at));
  const reportedW = unit.reportedLimitW[step];
  if (reportedW === undefined) return set && { confidence: 'medium', ...evidenceOf(set) };
  return { confidence: 'high', ...(set && evidenceOf(set)), limitW: reportedW };
}

const evidenceOf = ({ limitW, setAt, setBy, parameter }: SetLimit) => ({
  limitW,
  setAt,
  setBy,
  parameter,
});
