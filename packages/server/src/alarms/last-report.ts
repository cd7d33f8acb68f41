import { graceMs } from '../devices/states.ts';
import { presence } from '../plants/presence.ts';
import type { Db, Instant } from '../storage/database.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { DueDevice } from './due-devices.ts';

/**
 * When a device reported last; null = not where it stands now. Collectors report by posting, the others by samples, of which `newestAt` is
 * the newest.
 */
export async function lastReportAt(
  { db, telemetry }: { db: Db; telemetry: Pick<Telemetry, 'readingsBetween'> },
  device: DueDevice,
  newestAt: Instant | undefined,
  now: Instant,
): Promise<Instant | null> {
  const { kind, reportedAt, binding } = device;
  if (kind === 'collector') return reportedAt;
  // One that was moved while it reported is given time to go on.
  if (newestAt === undefined) return binding && binding.fromAt > 0 && !cameSilent(device) ? binding.fromAt : null;
  const grace = graceMs(device.expectedSeconds);
  if (newestAt <= now + grace || newestAt > device.evaluatedAt) return newestAt;
  return (await lastBeforeLeap(telemetry, db, device, now, grace)) ?? newestAt;
}

/** It was silent already when it came to its plant. */
const cameSilent = ({ state, stateSince, binding }: DueDevice): boolean => state === presence.offline && stateSince <= (binding?.fromAt ?? 0);

/**
 * A clock that leapt ahead and was put right leaves a reading that is the newest for up to a day: what came in time goes on
 * before it, with a hole in between. The readings of a clock that runs ahead for good have no such hole.
 */
async function lastBeforeLeap(
  telemetry: Pick<Telemetry, 'readingsBetween'>,
  db: Db,
  { seriesId, binding }: DueDevice,
  now: Instant,
  grace: number,
): Promise<Instant | undefined> {
  const samples = await telemetry.readingsBetween(db, seriesId, Math.max(now - grace, binding?.fromAt ?? 0), now + 2 * grace + 1);
  const last = samples.findLast(({ at }) => at <= now + grace);
  const next = samples.find(({ at }) => at > now + grace);
  return last && !(next && next.at - last.at <= grace) ? last.at : undefined;
}
