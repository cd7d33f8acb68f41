import type { Instant } from '../../../platform/storage/database.ts';
import type { Outcome } from '../../sinks/sink.ts';
import { isFailing, withOutcome } from './circuit.ts';
import type { Pending } from './outgoing.ts';
import type { Changes, Progress } from './progress.ts';
import {
  GIVEN_UP_AFTER_MS,
  pauseBeforeProbe,
  RETRY_AFTER_AT_MOST_MS,
  type Random,
} from './schedule.ts';

/**
 * What an attempt was for. `isRetry`: of events that have failed before. That they fail again says more about them than about the destination. `isBeside`:
 * not of the stream. That they are refused says nothing about what the stream has. `isProbe`: another one may follow at once.
 */
export interface Purpose {
  readonly isRetry?: boolean;
  readonly isBeside?: boolean;
  readonly isProbe?: boolean;
}

/** What outcomes say of a destination: whether it is served, left alone for now, or switched off. */
export interface Standing {
  note(outcome: Outcome, events: readonly Pending[], purpose: Purpose): void;
  /** Leaves the destination alone until the next probe. */
  leaveAlone(): void;
  /** Why the destination is to be switched off, if it is. */
  readonly disabledFor: string | undefined;
  /** Whether there is something to store. */
  readonly hasNews: boolean;
  takeNews(): Pick<Changes, 'delivered' | 'failures' | 'deliveredAt' | 'failure'>;
}

interface StandingDeps {
  readonly progress: Progress;
  readonly random: Random;
  /** Told of the events that were taken. */
  onDelivered(events: readonly Pending[]): void;
  /** Called when a probe has succeeded. */
  onBack(): void;
  now(): Instant;
}

export function createStanding({
  progress,
  random,
  onDelivered,
  onBack,
  now,
}: StandingDeps): Standing {
  let counts = { delivered: 0, failures: 0 };
  let deliveredAt: Instant | undefined;
  let failure: Changes['failure'];
  let hasNews = false;
  let disabledFor: string | undefined;

  function noteDelivered(events: readonly Pending[], at: Instant): void {
    counts.delivered += events.length;
    onDelivered(events);
    deliveredAt = at;
    progress.failingSince = null;
    progress.outcomes = withOutcome(progress.outcomes, true);
    if (progress.probes === 0) return;
    progress.probes = 0;
    progress.nextAt = 0;
    progress.outcomes = '';
    onBack();
  }

  function noteFailed(
    outcome: Extract<Outcome, { kind: 'failed' }>,
    { isRetry = false, isBeside = false, isProbe = false }: Purpose,
    at: Instant,
  ): void {
    counts.failures += 1;
    failure = { at, reason: outcome.reason, excerpt: outcome.excerpt ?? null };
    // Nor does it show that the destination is back.
    if (isBeside && outcome.isRefusal) return;
    // What was given up long ago is over.
    if (progress.failingSince === null || (progress.waiting.size === 0 && progress.probes === 0))
      progress.failingSince = at;
    if (at - progress.failingSince >= GIVEN_UP_AFTER_MS)
      disabledFor = `nothing could be delivered for five days: ${outcome.reason}`;
    if (!isRetry) progress.outcomes = withOutcome(progress.outcomes, false);
    const isOpening = (!isRetry && isFailing(progress.outcomes)) || progress.probes > 0;
    // Others that were under way when it opened say nothing new.
    if (isOpening && progress.nextAt <= at && !(isProbe && outcome.isRefusal)) leaveAlone(at);
    if (outcome.retryAfterMs !== undefined)
      hold(at + Math.min(outcome.retryAfterMs, RETRY_AFTER_AT_MOST_MS));
  }

  function leaveAlone(at: Instant): void {
    progress.probes += 1;
    hold(at + pauseBeforeProbe(progress.probes, random));
  }

  function hold(until: Instant): void {
    progress.nextAt = Math.max(progress.nextAt, until);
  }

  return {
    note(outcome, events, purpose) {
      hasNews = true;
      if (outcome.kind === 'delivered') noteDelivered(events, now());
      else if (outcome.kind === 'gone') disabledFor = outcome.reason;
      else noteFailed(outcome, purpose, now());
    },
    leaveAlone: () => leaveAlone(now()),
    get disabledFor() {
      return disabledFor;
    },
    get hasNews() {
      return hasNews;
    },
    takeNews() {
      const news = { ...counts, deliveredAt, failure };
      counts = { delivered: 0, failures: 0 };
      [deliveredAt, failure, hasNews] = [undefined, undefined, false];
      return news;
    },
  };
}
