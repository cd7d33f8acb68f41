import { graceMs } from '../../fleet/devices/states.ts';
import type { Instant } from '../../platform/storage/database.ts';
import type { AlarmRule, Observation } from './rule.ts';

/** The beginning of an alarm, or the end of the open one. */
export type AlarmTurn =
  | { readonly raise: { readonly beginAt: Instant; readonly message: string } }
  | { readonly clear: { readonly endAt: Instant } };

/** The longest pause in the samples that does not interrupt a condition; slow devices are allowed more. */
const PAUSE_MS = 3_600_000;

/**
 * Applies a rule to a device's samples: an alarm begins when they have been bad for long enough without interruption, and
 * ends when they have been good for long enough. Samples up to `seenAt` were evaluated before and only show how long a condition has lasted.
 */
export function followRule(
  rule: AlarmRule,
  observation: Observation,
  isOpen: boolean,
  seenAt: Instant,
): AlarmTurn[] {
  const turns: AlarmTurn[] = [];
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
