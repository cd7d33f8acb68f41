import { graceMs } from '../../../fleet/devices/states.ts';
import { presence } from '../../../fleet/plants/presence.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import type { Telemetry } from '../../../measurements/telemetry/telemetry.ts';
import type { DueDevice } from '../due-devices.ts';

/**
 * When a device last reported; null if it has not reported from its present plant. Collectors
 * report by posting, all other devices by samples; `newestAt` is the time of the newest sample.
 */
export async function lastReportAt(
  { db, telemetry }: { db: Db; telemetry: Pick<Telemetry, 'readingsBetween'> },
  device: DueDevice,
  newestAt: Instant | undefined,
  now: Instant,
): Promise<Instant | null> {
  const { kind, reportedAt, binding } = device;
  if (kind === 'collector') return reportedAt;
  // A device that was reporting when it was moved counts as having reported on arrival, so that it gets time to report from its new plant.
  if (newestAt === undefined)
    return binding && binding.fromAt > 0 && !cameSilent(device) ? binding.fromAt : null;
  const grace = graceMs(device.expectedSeconds);
  if (newestAt <= now + grace || newestAt > device.evaluatedAt) return newestAt;
  return (await lastBeforeLeap(telemetry, db, device, now, grace)) ?? newestAt;
}

/** Whether a device was already silent when it came to its plant. */
const cameSilent = ({ state, stateSince, binding }: DueDevice): boolean =>
  state === presence.offline && stateSince <= (binding?.fromAt ?? 0);

/**
 * The last reading with a correct time, if the device's clock jumped ahead and was then corrected;
 * undefined if it did not. The jump leaves behind a reading that stays the newest for up to a day, with
 * a gap between the correct readings and this one. A clock that is permanently ahead leaves no such gap.
 */
async function lastBeforeLeap(
  telemetry: Pick<Telemetry, 'readingsBetween'>,
  db: Db,
  { seriesId, binding }: DueDevice,
  now: Instant,
  grace: number,
): Promise<Instant | undefined> {
  const samples = await telemetry.readingsBetween(
    db,
    seriesId,
    Math.max(now - grace, binding?.fromAt ?? 0),
    now + 2 * grace + 1,
  );
  const last = samples.findLast(({ at }) => at <= now + grace);
  const next = samples.find(({ at }) => at > now + grace);
  return last && !(next && next.at - last.at <= grace) ? last.at : undefined;
}
