import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { listDiscoveries, type Discovery } from './discoveries.ts';
import { graceMs } from './states.ts';

/** How long after a report a device counts as present at the collector. */
const THERE_MS = 86_400_000;

/** How an unbound device left its last plant. */
interface Release {
  readonly at: Instant;
  /** The owner of that plant. */
  readonly ownerId: string;
  /** When the device's collector last posted, or the device itself if it is a collector; null = never. */
  readonly reportedAt: Instant | null;
  readonly expectedSeconds: number;
}

/**
 * Finds out which of the given unbound devices this owner may not bind. Anybody with a collector can report a serial number that was read off a
 * device on a wall. So what a report proves depends on whose collector sent it and when:
 *
 * - The last owner of the device may always bind it again, no matter who else reports it.
 * - Others may not bind it for a day after each report by a collector of that owner. Nor may they bind it right after its release if its collector  
 *   was still reporting: they must wait for as long as that collector may be silent, so that nobody can snatch it.
 * - Otherwise it belongs to the owner whose collector has been reporting it longest without a break, or to anybody if none   reports it.
 */
export async function listClaimedElsewhere(
  trx: Db,
  ownerId: string,
  serialNumbers: readonly string[],
  now: Instant,
): Promise<Set<string>> {
  const discoveries = Map.groupBy(await listDiscoveries(trx, serialNumbers), ({ sn }) => sn);
  const releases = await findReleases(trx, serialNumbers);
  return new Set(
    serialNumbers.filter((sn) =>
      isElsewhere(ownerId, releases.get(sn), discoveries.get(sn) ?? [], now),
    ),
  );
}

function isElsewhere(
  ownerId: string,
  release: Release | undefined,
  discoveries: readonly Discovery[],
  now: Instant,
): boolean {
  if (release?.ownerId === ownerId) return false;
  const since = discoveries.filter(
    ({ lastAt }) => lastAt > now - THERE_MS && lastAt > (release?.at ?? 0),
  );
  if (
    release &&
    (isJustReleased(release, now) || since.some((by) => by.ownerId === release.ownerId))
  )
    return true;
  const first = (of: readonly Discovery[]): Instant =>
    Math.min(...of.map(({ firstAt }) => Math.max(firstAt, release?.at ?? 0)));
  const [own, others] = [
    since.filter((by) => by.ownerId === ownerId),
    since.filter((by) => by.ownerId !== ownerId),
  ];
  return others.length > 0 && first(others) < first(own);
}

function isJustReleased({ at, reportedAt, expectedSeconds }: Release, now: Instant): boolean {
  const grace = graceMs(expectedSeconds);
  return reportedAt !== null && reportedAt > at - grace && now < at + grace;
}

/** The latest release of each device, by serial number; devices that were never bound have none. */
async function findReleases(
  trx: Db,
  serialNumbers: readonly string[],
): Promise<Map<string, Release>> {
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
