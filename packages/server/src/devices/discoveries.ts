import { anyOf, listParameter } from '../storage/any-of.ts';
import type { Db, Instant } from '../storage/database.ts';

/** A serial number that a collector in a plant has reported although no device with it is bound there. */
export interface Discovery {
  readonly sn: string;
  readonly collectorId: string;
  readonly plantId: string | null;
  readonly ownerId: string;
  readonly lastAt: Instant;
}

/** Who reported some serial numbers in vain, the latest last. */
export const listDiscoveries = (trx: Db, serialNumbers: readonly string[]): Promise<Discovery[]> =>
  trx
    .selectFrom('collectorRefusal as refusal')
    .innerJoin('device as collector', 'collector.id', 'refusal.collectorId')
    .innerJoin('plant', 'plant.id', 'collector.plantId')
    .select(['refusal.sn', 'refusal.collectorId', 'refusal.lastAt', 'collector.plantId', 'plant.ownerId'])
    .where(anyOf(trx, 'refusal.sn', listParameter(trx, serialNumbers)))
    .orderBy('refusal.lastAt')
    .execute();

/** For so long a device that a collector has reported counts as being there. */
const THERE_MS = 86_400_000;

/**
 * Which of some free devices are seen at other owners and not at this one: a collector of theirs has reported it since it stood
 * anywhere, and lately, and none of this owner's has. Whoever reads a serial number off somebody's wall does not get the device.
 */
export async function listSeenElsewhere(trx: Db, ownerId: string, serialNumbers: readonly string[], now: Instant): Promise<Set<string>> {
  const heard = (await listDiscoveries(trx, serialNumbers)).filter(({ lastAt }) => lastAt > now - THERE_MS);
  if (heard.length === 0) return new Set();
  const released = await releasesOf(
    trx,
    heard.map(({ sn }) => sn),
  );
  const since = heard.filter(({ sn, lastAt }) => lastAt > (released.get(sn) ?? 0));
  const here = new Set(since.filter((by) => by.ownerId === ownerId).map(({ sn }) => sn));
  return new Set(since.map(({ sn }) => sn).filter((sn) => !here.has(sn)));
}

/** Serial number -> when the device left the plant where it stood last. */
async function releasesOf(trx: Db, serialNumbers: readonly string[]): Promise<Map<string, Instant>> {
  const rows = await trx
    .selectFrom('device')
    .innerJoin('binding', 'binding.deviceId', 'device.id')
    .select((eb) => ['device.sn', eb.fn.max('binding.toAt').as('endedAt')])
    .where(anyOf(trx, 'device.sn', listParameter(trx, serialNumbers)))
    .groupBy('device.sn')
    .execute();
  return new Map(rows.map(({ sn, endedAt }) => [sn, endedAt ?? 0]));
}
