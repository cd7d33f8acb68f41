import type { Values } from '@helioport/contract';
import type { Db, Instant } from '../../platform/storage/database.ts';
import type { Telemetry } from '../../measurements/telemetry/telemetry.ts';

/** Older readings say nothing of now. */
export const FRESH_MS = 45 * 60_000;

/** What measures less is disconnected. */
const LEAST_V = 20;

/** The voltage of a battery in a reading, V; null = not measured. */
export const batteryVoltageOf = ({ batteryVoltageV = 0 }: Values): number | null =>
  batteryVoltageV >= LEAST_V ? batteryVoltageV : null;

/** The voltage that a device has measured at its battery, V; null = not lately. */
export const findBatteryVoltage = async (
  ...of: Parameters<typeof findFreshValues>
): Promise<number | null> => batteryVoltageOf(await findFreshValues(...of));

/** What a device has measured lately; nothing if it has not. */
export async function findFreshValues(
  db: Db,
  telemetry: Pick<Telemetry, 'latestOf'>,
  deviceId: string,
  now: Instant,
  freshMs = FRESH_MS,
): Promise<Values> {
  const binding = await db
    .selectFrom('binding')
    .select('no')
    .where('deviceId', '=', deviceId)
    .where('toAt', 'is', null)
    .executeTakeFirst();
  if (!binding) return {};
  const latest = (await telemetry.latestOf(db, [binding.no], now)).get(binding.no);
  return latest && latest.lastAt >= now - freshMs ? latest.values : {};
}
