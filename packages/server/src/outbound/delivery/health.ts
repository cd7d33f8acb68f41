import type { Instant } from '../../platform/storage/database.ts';
import type { DeliveryOutcome } from '../sinks/sink.ts';
import { isFailing, withOutcome } from './circuit.ts';
import { GIVEN_UP_AFTER_MS, pauseBeforeProbe, RETRY_AFTER_AT_MOST_MS } from './schedule.ts';

/** What attempts have said of a receiver: whether it is served, left alone for now, or switched off. */
export interface Health {
  /** How often it was probed in vain since its circuit opened; 0 = the circuit is closed. */
  readonly probes: number;
  /** Nothing is sent before. */
  readonly nextAt: Instant;
  /** Since when every attempt has failed; null = the last one was a success. */
  readonly failingSince: Instant | null;
  /** The last outcomes: circuit.ts. */
  readonly outcomes: string;
  /** Why it is to be switched off; null = it is not. */
  readonly endedFor: string | null;
}

/** A receiver of which nothing is known. */
export const HEALTHY: Health = {
  probes: 0,
  nextAt: 0,
  failingSince: null,
  outcomes: '',
  endedFor: null,
};

/**
 * What an attempt was for. `isRetry`: of things that have failed before. That they fail again says more about them than about the receiver. `isBeside`:
 * not of the stream. That they are refused says nothing about what the stream has. `isProbe`: another one may follow at once.
 */
export interface Purpose {
  readonly isRetry?: boolean;
  readonly isBeside?: boolean;
  readonly isProbe?: boolean;
}

/** When something happens, and how far by chance the pause after it is from its mean: from 0 to 1. */
export interface Moment {
  readonly at: Instant;
  readonly chance: number;
}

/** Whether nothing is to be sent to a receiver for now. */
export const isHeldAt = ({ endedFor, nextAt }: Health, now: Instant): boolean =>
  endedFor !== null || nextAt > now;

/** The health after an attempt. `isIdle`: nothing has been waiting for the receiver. */
export function afterAttempt(
  health: Health,
  outcome: DeliveryOutcome,
  purpose: Purpose,
  isIdle: boolean,
  moment: Moment,
): Health {
  if (outcome.kind === 'gone') return { ...health, endedFor: outcome.reason };
  if (outcome.kind === 'failed') return afterFailure(health, outcome, purpose, isIdle, moment);
  const healthy = { ...health, failingSince: null };
  return health.probes > 0
    ? { ...healthy, probes: 0, nextAt: 0, outcomes: '' }
    : { ...healthy, outcomes: withOutcome(health.outcomes, true) };
}

function afterFailure(
  health: Health,
  outcome: Extract<DeliveryOutcome, { kind: 'failed' }>,
  { isRetry = false, isBeside = false, isProbe = false }: Purpose,
  isIdle: boolean,
  moment: Moment,
): Health {
  const { at } = moment;
  // Nor does it show that the receiver is back.
  if (isBeside && outcome.isRefusal) return health;
  // What was given up long ago is over.
  const isOver = isIdle && health.probes === 0;
  const failingSince = isOver ? at : (health.failingSince ?? at);
  const outcomes = isRetry ? health.outcomes : withOutcome(health.outcomes, false);
  const endedFor =
    at - failingSince >= GIVEN_UP_AFTER_MS
      ? `nothing could be delivered for five days: ${outcome.reason}`
      : health.endedFor;
  const failing = { ...health, failingSince, outcomes, endedFor };
  const isOpening = (!isRetry && isFailing(outcomes)) || health.probes > 0;
  // Others that were under way when it opened say nothing new.
  const isNew = health.nextAt <= at && !(isProbe && outcome.isRefusal);
  const left = isOpening && isNew ? leftAlone(failing, moment) : failing;
  return outcome.retryAfterMs === undefined
    ? left
    : held(left, at + Math.min(outcome.retryAfterMs, RETRY_AFTER_AT_MOST_MS));
}

/** Leaves a receiver alone until the next probe. */
export function leftAlone(health: Health, { at, chance }: Moment): Health {
  const probes = health.probes + 1;
  return held({ ...health, probes }, at + pauseBeforeProbe(probes, chance));
}

const held = (health: Health, until: Instant): Health => ({
  ...health,
  nextAt: Math.max(health.nextAt, until),
});
