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
export async function findBatteryVoltage(
  db: Db,
  telemetry: Pick<Telemetry, 'latestOf'>,
  deviceId: string,
  now: Instant,
): Promise<number | null> {
  const binding = await db
    .selectFrom('binding')
    .select('no')
    .where('deviceId', '=', deviceId)
    .where('toAt', 'is', null)
    .executeTakeFirst();
  if (!binding) return null;
  const latest = (await telemetry.latestOf(db, [binding.no], now)).get(binding.no);
  return latest && latest.lastAt >= now - FRESH_MS ? batteryVoltageOf(latest.values) : null;
}
