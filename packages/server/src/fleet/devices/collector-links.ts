import { listDiscoveries } from './discoveries.ts';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import { Overtaken } from '../../platform/storage/away.ts';
import type { Db } from '../../platform/storage/database.ts';

/** A plant that the caller has locked. */
export interface LinkHome {
  readonly id: string;
  readonly ownerId: string;
}

interface Arrival {
  readonly id: string;
  readonly sn: string;
}

/**
 * The devices whose links may change when devices come to a plant, and the collectors that they may be linked to. They must be locked together with
 * the new devices, so that none of them goes to another owner in the meantime.
 */
export async function listLinkable(
  trx: Db,
  home: LinkHome,
  arrivals: readonly Arrival[],
): Promise<string[]> {
  const [strangers, orphans, only] = [
    await listStrangers(trx, home, idsOf(arrivals)),
    await listOrphans(trx, home),
    await findOnlyCollector(trx, home),
  ];
  const discoveries = await listDiscoveries(
    trx,
    [...arrivals, ...orphans].map(({ sn }) => sn),
  );
  const collectors = discoveries
    .filter(({ ownerId }) => ownerId === home.ownerId)
    .map(({ collectorId }) => collectorId);
  return [...strangers, ...idsOf(orphans), ...collectors, ...(only === undefined ? [] : [only])];
}

/**
 * Updates which collectors report for the devices of a plant after new devices have come. A collector and the devices that it
 * reports for never belong to different owners: otherwise, one owner could forge the other's readings. Throws Overtaken if rows
 * that are not locked would have to change.
 */
export async function linkArrivals(
  trx: Db,
  home: LinkHome,
  arrivals: readonly Arrival[],
  locked: ReadonlySet<string>,
): Promise<void> {
  const arrived = new Set(idsOf(arrivals));
  const targets = new Map<string | null, string[]>([
    [null, await listStrangers(trx, home, [...arrived])],
  ]);
  const orphans = await listOrphans(trx, home);
  if (orphans.length > 0) {
    const remembered = await findRemembering(trx, home, orphans);
    const only = await findOnlyCollector(trx, home);
    for (const { id, sn, collectorId } of orphans) {
      const target = remembered.get(sn) ?? only ?? (arrived.has(id) ? null : collectorId);
      if (target === collectorId) continue;
      const others = targets.get(target);
      if (others) others.push(id);
      else targets.set(target, [id]);
    }
  }
  for (const [collectorId, deviceIds] of targets) {
    if (deviceIds.length === 0) continue;
    if (![...deviceIds, collectorId ?? deviceIds[0]!].every((id) => locked.has(id)))
      throw new Overtaken();
    await trx
      .updateTable('device')
      .set({ collectorId })
      .where(anyOf(trx, 'id', listParameter(trx, deviceIds)))
      .execute();
  }
}

const idsOf = (devices: readonly { readonly id: string }[]): string[] =>
  devices.map(({ id }) => id);

/** Devices of other owners that the new collectors report for. */
async function listStrangers(
  trx: Db,
  { ownerId }: LinkHome,
  collectorIds: readonly string[],
): Promise<string[]> {
  const strangers = await trx
    .selectFrom('device')
    .innerJoin('plant', 'plant.id', 'device.plantId')
    .select('device.id')
    .where(anyOf(trx, 'device.collectorId', listParameter(trx, collectorIds)))
    .where('plant.ownerId', '!=', ownerId)
    .execute();
  return idsOf(strangers);
}

interface Orphan extends Arrival {
  readonly collectorId: string | null;
}

/** Devices of the plant for which no collector of its owner reports. */
const listOrphans = (trx: Db, { id, ownerId }: LinkHome): Promise<Orphan[]> =>
  trx
    .selectFrom('device')
    .leftJoin('device as collector', 'collector.id', 'device.collectorId')
    .leftJoin('plant as place', 'place.id', 'collector.plantId')
    .select(['device.id', 'device.sn', 'device.collectorId'])
    .where('device.plantId', '=', id)
    .where('device.kind', '!=', 'collector')
    .where((eb) => eb.or([eb('place.ownerId', 'is', null), eb('place.ownerId', '!=', ownerId)]))
    .execute();

/** For each serial number, the owner's collector whose reports of it were refused: preferably one in this plant, then the latest. */
async function findRemembering(
  trx: Db,
  { id, ownerId }: LinkHome,
  orphans: readonly Orphan[],
): Promise<Map<string, string>> {
  const discoveries = await listDiscoveries(
    trx,
    orphans.map(({ sn }) => sn),
  );
  const own = discoveries.filter((by) => by.ownerId === ownerId);
  const here = own.filter(({ plantId }) => plantId === id);
  return new Map([...own, ...here].map(({ sn, collectorId }) => [sn, collectorId]));
}

/** The plant's collector, if it has exactly one. */
async function findOnlyCollector(trx: Db, { id }: LinkHome): Promise<string | undefined> {
  const [first, second] = await trx
    .selectFrom('device')
    .select('id')
    .where('plantId', '=', id)
    .where('kind', '=', 'collector')
    .limit(2)
    .execute();
  return second ? undefined : first?.id;
}
