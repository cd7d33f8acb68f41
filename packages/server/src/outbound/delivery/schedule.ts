import { DAY_MS, HOUR_MS, MINUTE_MS } from '@helioport/contract/durations';

const SECOND_MS = 1_000;

/** When something that was not taken is tried again. */
export interface Schedule {
  /** Pauses after the first attempts, in ms. */
  readonly pausesMs: readonly number[];
  /** Pause after each later one; without it, there is none: the thing is given up. */
  readonly thenMs?: number;
}

/** Of the events and messages of programs: the pauses of Standard Webhooks, after some for a receiver that only starts again. */
export const EVENTS: Schedule = {
  pausesMs: [
    SECOND_MS,
    5 * SECOND_MS,
    30 * SECOND_MS,
    2 * MINUTE_MS,
    5 * MINUTE_MS,
    30 * MINUTE_MS,
    2 * HOUR_MS,
    5 * HOUR_MS,
    10 * HOUR_MS,
    14 * HOUR_MS,
    20 * HOUR_MS,
    24 * HOUR_MS,
  ],
};

/** Of e-mails, which a mail server takes on behalf of others: hourly in the end, until they are of no use. */
export const MAILS: Schedule = { pausesMs: EVENTS.pausesMs.slice(0, 6), thenMs: HOUR_MS };

/** A receiver that has taken nothing for this long is switched off. */
export const GIVEN_UP_AFTER_MS = 5 * DAY_MS;

/**
 * A snapshot of which a destination has taken nothing for this long is given up, and the stream tried without it: perhaps the snapshot alone is what the peer
 * does not survive. Before the destination is switched off for the snapshot's sake.
 */
export const SNAPSHOT_GIVEN_UP_AFTER_MS = GIVEN_UP_AFTER_MS - DAY_MS;

/** No peer can put things off for longer. */
export const RETRY_AFTER_AT_MOST_MS = DAY_MS;

const PROBE_MS = 5 * SECOND_MS;
const PROBE_AT_MOST_MS = 5 * MINUTE_MS;

/** A random number from 0 to 1. */
export type Random = () => number;

/** 20 % more or less, so that what failed together is not tried together. `chance`: from 0 to 1. */
const jittered = (ms: number, chance: number): number => Math.round(ms * (0.8 + 0.4 * chance));

/** How long to wait after so many attempts in vain; undefined = the thing is given up. */
export function deliveryPauseAfter(
  attempts: number,
  chance: number,
  { pausesMs, thenMs }: Schedule = EVENTS,
): number | undefined {
  const ms = pausesMs[attempts - 1] ?? thenMs;
  return ms === undefined ? undefined : jittered(ms, chance);
}

/** How long to wait before a receiver whose circuit is open is probed again. */
export const pauseBeforeProbe = (probes: number, chance: number): number =>
  jittered(Math.min(PROBE_AT_MOST_MS, PROBE_MS * 2 ** (probes - 1)), chance);
