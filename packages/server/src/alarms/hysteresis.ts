import { graceMs } from '../devices/states.ts';
import type { Instant } from '../storage/database.ts';
import type { AlarmRule, Observation } from './rule.ts';

/** An alarm that begins, or the one that is open and ends. */
export type Turn = { readonly raise: { readonly beginAt: Instant; readonly message: string } } | { readonly clear: { readonly endAt: Instant } };

/** Longest pause in the samples that a condition survives: an hour, or what a slow device is allowed anyway. */
const PAUSE_MS = 3_600_000;

/**
 * What a rule makes of a device's samples: an alarm begins when they were bad for long enough without one that was not, and
 * ends likewise. Samples up to `seenAt` were looked at before and only tell how long something goes on already.
 */
export function followRule(rule: AlarmRule, observation: Observation, isOpen: boolean, seenAt: Instant): Turn[] {
  const turns: Turn[] = [];
  const pauseMs = Math.max(PAUSE_MS, graceMs(observation.expectedSeconds));
  let open = isOpen;
  let badSince: Instant | null = null;
  let goodSince: Instant | null = null;
  let lastAt: Instant | null = null;
  for (const [index, { at }] of observation.samples.entries()) {
    if (lastAt !== null && at - lastAt > pauseMs) badSince = goodSince = null;
    lastAt = at;
    const verdict = rule.judge(observation, index);
    badSince = verdict === 'bad' ? (badSince ?? at) : null;
    goodSince = verdict === 'good' ? (goodSince ?? at) : null;
    if (at <= seenAt) continue;
    if (!open && badSince !== null && at - badSince >= rule.raiseAfterSeconds * 1000) {
      open = true;
      turns.push({ raise: { beginAt: badSince, message: rule.message(observation, index) } });
    } else if (open && goodSince !== null && at - goodSince >= rule.clearAfterSeconds * 1000) {
      open = false;
      turns.push({ clear: { endAt: goodSince } });
    }
  }
  return turns;
}
