const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Pauses between the attempts to deliver an event: those of Standard Webhooks, after some for a receiver that only starts again. After the last one it is given up. */
const PAUSES_MS = [
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
];

/** A destination that has taken nothing for this long is switched off. */
export const GIVEN_UP_AFTER_MS = 5 * 24 * HOUR;

/**
 * A snapshot of which a destination has taken nothing for this long is given up, and the stream tried without it: perhaps the snapshot alone is what the peer
 * does not survive. Before the destination is switched off for the snapshot's sake.
 */
export const PICTURE_GIVEN_UP_AFTER_MS = GIVEN_UP_AFTER_MS - 24 * HOUR;

/** No peer can put an event off for longer. */
export const RETRY_AFTER_AT_MOST_MS = 24 * HOUR;

const PROBE_MS = 5 * SECOND;
const PROBE_AT_MOST_MS = 5 * MINUTE;

/** A random number from 0 to 1. */
export type Random = () => number;

/** 20 % more or less, so that what failed together is not tried together. */
const jittered = (ms: number, random: Random): number => Math.round(ms * (0.8 + 0.4 * random()));

/** How long to wait after so many attempts in vain; undefined = the event is given up. */
export function pauseAfter(attempts: number, random: Random): number | undefined {
  const ms = PAUSES_MS[attempts - 1];
  return ms === undefined ? undefined : jittered(ms, random);
}

/** How long to wait before a destination whose circuit is open is probed again. */
export const pauseBeforeProbe = (probes: number, random: Random): number =>
  jittered(Math.min(PROBE_AT_MOST_MS, PROBE_MS * 2 ** (probes - 1)), random);
