import { anyOf, listParameter } from '../storage/any-of.ts';
import type { Db, Instant } from '../storage/database.ts';
import { listDiscoveries, type Discovery } from './discoveries.ts';
import { graceMs } from './states.ts';

/** For so long a device that a collector has reported counts as being there. */
const THERE_MS = 86_400_000;

/** How a free device left the plant where it stood last. */
interface Release {
  readonly at: Instant;
  /** Whose that plant is. */
  readonly ownerId: string;
  /** When its collector posted last, or the device itself where it is one; null = never. */
  readonly reportedAt: Instant | null;
  readonly expectedSeconds: number;
}

/**
 * Which of some free devices are somebody else's to bind than this owner's. Anybody with a collector can report a serial number
 * that was read off a wall, so a report counts by whose it is and when it came:
 *
 * - Whoever had the device last may always have it back; reports of others do not keep them from it.
 * - It stays theirs while a collector of theirs reports it, for a day after each report, whoever else reports it; and, so that nobody
 *   comes first, for as long after the release as its collector may be silent, where that was reporting.
 * - Otherwise it is whose collector reported it first of those that go on, and anybody's that nobody reports.
 */
export async function listClaimedElsewhere(trx: Db, ownerId: string, serialNumbers: readonly string[], now: Instant): Promise<Set<string>> {
  const discoveries = Map.groupBy(await listDiscoveries(trx, serialNumbers), ({ sn }) => sn);
  const releases = await findReleases(trx, serialNumbers);
  return new Set(serialNumbers.filter((sn) => isElsewhere(ownerId, releases.get(sn), discoveries.get(sn) ?? [], now)));
}

function isElsewhere(ownerId: string, release: Release | undefined, discoveries: readonly Discovery[], now: Instant): boolean {
  if (release?.ownerId === ownerId) return false;
  const since = discoveries.filter(({ lastAt }) => lastAt > now - THERE_MS && lastAt > (release?.at ?? 0));
  if (release && (isJustReleased(release, now) || since.some((by) => by.ownerId === release.ownerId))) return true;
  const first = (of: readonly Discovery[]): Instant => Math.min(...of.map(({ firstAt }) => Math.max(firstAt, release?.at ?? 0)));
  const [own, others] = [since.filter((by) => by.ownerId === ownerId), since.filter((by) => by.ownerId !== ownerId)];
  return others.length > 0 && first(others) < first(own);
}

function isJustReleased({ at, reportedAt, expectedSeconds }: Release, now: Instant): boolean {
  const grace = graceMs(expectedSeconds);
  return reportedAt !== null && reportedAt > at - grace && now < at + grace;
}

/** By serial number; what never stood anywhere has none. */
async function findReleases(trx: Db, serialNumbers: readonly string[]): Promise<Map<string, Release>> {
  const rows = await trx
    .selectFrom('device')
    .innerJoin('binding', 'binding.deviceId', 'device.id')
    .innerJoin('plant', 'plant.id', 'binding.plantId')
    .leftJoin('device as collector', 'collector.id', 'device.collectorId')
    .select((eb) => [
      'device.sn',
      'binding.toAt',
      'plant.ownerId',
      eb.fn.coalesce('collector.reportedAt', 'device.reportedAt').as('reportedAt'),
      eb.fn.coalesce('collector.expectedSeconds', 'device.expectedSeconds').as('expectedSeconds'),
    ])
    .where(anyOf(trx, 'device.sn', listParameter(trx, serialNumbers)))
    .orderBy('binding.no')
    .execute();
  return new Map(rows.map(({ sn, toAt, ...release }) => [sn, { at: toAt ?? 0, ...release }]));
}
