const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

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
    SECOND,
    5 * SECOND,
    30 * SECOND,
    2 * MINUTE,
    5 * MINUTE,
    30 * MINUTE,
    2 * HOUR,
    5 * HOUR,
    10 * HOUR,
    14 * HOUR,
    20 * HOUR,
    24 * HOUR,
  ],
};

/** Of e-mails, which a mail server takes on behalf of others: hourly in the end, until they are of no use. */
export const MAILS: Schedule = { pausesMs: EVENTS.pausesMs.slice(0, 6), thenMs: HOUR };

/** A receiver that has taken nothing for this long is switched off. */
export const GIVEN_UP_AFTER_MS = 5 * 24 * HOUR;

/**
 * A snapshot of which a destination has taken nothing for this long is given up, and the stream tried without it: perhaps the snapshot alone is what the peer
 * does not survive. Before the destination is switched off for the snapshot's sake.
 */
export const SNAPSHOT_GIVEN_UP_AFTER_MS = GIVEN_UP_AFTER_MS - 24 * HOUR;

/** No peer can put things off for longer. */
export const RETRY_AFTER_AT_MOST_MS = 24 * HOUR;

const PROBE_MS = 5 * SECOND;
const PROBE_AT_MOST_MS = 5 * MINUTE;

/** A random number from 0 to 1. */
export type Random = () => number;

/** 20 % more or less, so that what failed together is not tried together. `chance`: from 0 to 1. */
const jittered = (ms: number, chance: number): number => Math.round(ms * (0.8 + 0.4 * chance));

/** How long to wait after so many attempts in vain; undefined = the thing is given up. */
export function pauseAfter(
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
