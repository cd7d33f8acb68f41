import type { Act } from '../../identity/accounts/audit.ts';
import { Failure, refusedNow } from '../../platform/kernel/failure.ts';
import type { Reach } from '../plants/access.ts';
import { bindDevices, unbindDevices } from '../plants/bindings.ts';
import { endForeignLinks, lockBoundAndLinked } from '../plants/foreign-links.ts';
import { lockDeviceRows, lockPlant, lockPlants } from '../plants/lock.ts';
import { listManaged, listManagedBehind, type ManagedDevice } from '../plants/managed-devices.ts';
import { requestRecalculationOfDevices } from '../plants/tariffs/recalculation.ts';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import { Overtaken } from '../../platform/storage/away.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { linkArrivals, listLinkable, type LinkHome } from './collector-links.ts';
import { insertDeviceOnce, rateDevices, type DeviceKind } from './devices.ts';
import { listClaimedElsewhere } from './claims.ts';
import { DESCRIBED, describeDevice, readDescription } from './description.ts';
import { deliverWaiting } from './waiting-readings.ts';
import { listDiscoveries } from './discoveries.ts';

interface Found {
  readonly id: string;
  readonly sn: string;
  readonly kind: DeviceKind;
  readonly plantId: string | null;
  /** The only account that may bind a collector, apart from the person who presents its token. */
  readonly accountId: string | null;
}

/** Binds collectors to a plant, with the unbound devices that report through them. Throws collectorUnknown, deviceAlreadyBound. */
export async function placeCollectors(
  trx: Db,
  act: Act,
  home: LinkHome,
  serialNumbers: readonly string[],
): Promise<void> {
  const found = await findDevices(trx, serialNumbers);
  if (found.length < serialNumbers.length || found.some(({ kind }) => kind !== 'collector'))
    throw new Failure('collectorUnknown');
  await place(trx, act, home, found);
}

/** Further details about devices being bound to a plant. */
interface Placing {
  /** Collectors (device.id) whose tokens were presented. They may be bound even if they belong to another owner. */
  readonly shown?: ReadonlySet<string>;
  /** Rated power of each device, W. */
  readonly ratedPowerW?: number;
  /** The only plant whose collectors' reports count, and whose former devices may return; by default, all of the owner's. */
  readonly within?: string;
  /** Kind of the devices; by default what they are known to be or say that they are, or inverter. */
  readonly kind?: DeviceKind | undefined;
}

/**
 * Binds devices of any kind to a plant. A device that nobody has added may be bound if a collector of the same owner has reported
 * it. Throws noPermission for other unknown devices, deviceAlreadyBound, invalidValue; also for a kind that a device cannot have.
 */
export async function placeDevices(
  trx: Db,
  act: Act,
  home: LinkHome,
  serialNumbers: readonly string[],
  { shown, ratedPowerW, kind, within }: Placing = {},
): Promise<void> {
  const found = await findDevices(trx, serialNumbers);
  if (within !== undefined) await requireKnownIn(trx, within, found, shown);
  const known = new Set(found.map(({ sn }) => sn));
  const made = await makeReported(
    trx,
    act,
    home,
    { kind, within },
    serialNumbers.filter((sn) => !known.has(sn)),
  );
  const devices = [...found, ...made];
  await place(trx, act, home, devices, { shown, kind });
  if (ratedPowerW !== undefined) {
    await rateDevices(
      trx,
      act,
      devices.map(({ id }) => id),
      ratedPowerW,
    );
  }
}

/** Refuses devices of which nothing but their owner's other plants knows. Throws noPermission, as for unknown ones. */
async function requireKnownIn(
  trx: Db,
  plantId: string,
  devices: readonly Found[],
  shown: ReadonlySet<string> = new Set(),
): Promise<void> {
  const open = devices.filter(({ id }) => !shown.has(id));
  if (open.length === 0) return;
  const reported = new Set(
    (await listDiscoveries(trx, serialsOf(open)))
      .filter((by) => by.plantId === plantId)
      .map(({ sn }) => sn),
  );
  const formerly = await trx
    .selectFrom('binding')
    .select('deviceId')
    .where(
      anyOf(
        trx,
        'deviceId',
        listParameter(
          trx,
          open.map(({ id }) => id),
        ),
      ),
    )
    .where('plantId', '=', plantId)
    .execute();
  const returning = new Set(formerly.map(({ deviceId }) => deviceId));
  if (open.some(({ id, sn }) => !reported.has(sn) && !returning.has(id)))
    throw new Failure('noPermission');
}

async function place(
  trx: Db,
  act: Act,
  home: LinkHome,
  devices: readonly Found[],
  { shown = new Set(), kind }: Placing = {},
): Promise<void> {
  const claimed = await listClaimedElsewhere(trx, home.ownerId, serialsOf(devices), act.at);
  const isElsewhere = ({ sn, accountId }: Found): boolean =>
    claimed.has(sn) || (accountId !== null && accountId !== home.ownerId);
  const taken = devices.filter(
    (device) => device.plantId !== null || (isElsewhere(device) && !shown.has(device.id)),
  );
  if (taken.length > 0) throw new Failure('deviceAlreadyBound', { data: { sn: serialsOf(taken) } });
  const followers = await listFollowers(trx, act, home, devices);
  const arrivals = [...devices, ...followers];
  const ids = arrivals.map(({ id }) => id);
  const locked = new Set([...ids, ...(await listLinkable(trx, home, arrivals))]);
  await lockDeviceRows(trx, [...locked]);
  // While the locks were awaited, an unbound device may have been bound elsewhere, or new devices linked to the collectors.
  const still = await listFollowers(trx, act, home, devices);
  if (still.length !== followers.length || !still.every(({ id }) => ids.includes(id)))
    throw new Overtaken();
  if (kind !== undefined) await correctKind(trx, act, home, devices, kind);
  await bindDevices(trx, act, ids, home.id);
  await reserveShown(trx, home, shown);
  await linkArrivals(trx, home, arrivals, locked);
  await describeArrivals(trx, ids, act.at);
  await deliverWaiting(trx, home.ownerId, arrivals, shown, act.at);
}

/**
 * Makes devices what the person who binds them says that they are. What they measured for other owners stays what it was, so a device that was in a plant
 * of another owner cannot change. The devices must be locked.
 */
async function correctKind(
  trx: Db,
  act: Act,
  { ownerId }: LinkHome,
  devices: readonly Found[],
  kind: DeviceKind,
): Promise<void> {
  for (const { id, kind: known } of devices) {
    if (known === kind) continue;
    const { numUpdatedRows } = await trx
      .updateTable('device')
      .set({ kind })
      .where('id', '=', id)
      .where('kind', '!=', 'collector')
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('binding')
              .innerJoin('plant', 'plant.id', 'binding.plantId')
              .select('binding.no')
              .whereRef('binding.deviceId', '=', 'device.id')
              .where('plant.ownerId', '!=', ownerId),
          ),
        ),
      )
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw refusedNow('kind', known);
    await requestRecalculationOfDevices(trx, [id], act.at);
  }
}

/** Applies how devices described themselves to the collectors that report for them now, while they were not bound yet. The devices must be locked. */
async function describeArrivals(
  trx: Db,
  deviceIds: readonly string[],
  now: Instant,
): Promise<void> {
  const described = await trx
    .selectFrom('device')
    .innerJoin('collectorRefusal as refusal', (join) =>
      join
        .onRef('refusal.sn', '=', 'device.sn')
        .onRef('refusal.collectorId', '=', 'device.collectorId'),
    )
    .select([...DESCRIBED, 'refusal.described'])
    .where(anyOf(trx, 'device.id', listParameter(trx, deviceIds)))
    .where('refusal.described', 'is not', null)
    .orderBy('device.id')
    .execute();
  for (const { described: text, ...device } of described)
    await describeDevice(trx, device, readDescription(text), now);
}

const serialsOf = (devices: readonly { readonly sn: string }[]): string[] =>
  devices.map(({ sn }) => sn);

const findDevices = (trx: Db, serialNumbers: readonly string[]): Promise<Found[]> =>
  trx
    .selectFrom('device')
    .select(['id', 'sn', 'kind', 'plantId', 'accountId'])
    .where(anyOf(trx, 'sn', listParameter(trx, serialNumbers)))
    .execute();

/** A collector added for another account now belongs to the one that presented its token. */
async function reserveShown(
  trx: Db,
  { ownerId }: LinkHome,
  shown: ReadonlySet<string>,
): Promise<void> {
  if (shown.size === 0) return;
  await trx
    .updateTable('device')
    .set({ accountId: ownerId })
    .where(anyOf(trx, 'id', listParameter(trx, [...shown])))
    .where('accountId', 'is not', null)
    .where('plantId', 'is not', null)
    .execute();
}

/** Unbound devices that report through the collectors being bound, except those that were named themselves and those that another owner may claim. */
async function listFollowers(
  trx: Db,
  act: Act,
  { ownerId }: LinkHome,
  devices: readonly Found[],
): Promise<Pick<Found, 'id' | 'sn'>[]> {
  const collectorIds = devices.filter(({ kind }) => kind === 'collector').map(({ id }) => id);
  if (collectorIds.length === 0) return [];
  const free = await trx
    .selectFrom('device')
    .select(['id', 'sn'])
    .where(anyOf(trx, 'collectorId', listParameter(trx, collectorIds)))
    .where('plantId', 'is', null)
    .execute();
  const named = new Set(devices.map(({ id }) => id));
  const claimed = await listClaimedElsewhere(trx, ownerId, serialsOf(free), act.at);
  return free.filter(({ id, sn }) => !named.has(id) && !claimed.has(sn));
}

/** Registers devices that collectors of the plant's owner have reported. */
async function makeReported(
  trx: Db,
  act: Act,
  { ownerId }: LinkHome,
  { kind: given, within }: Pick<Placing, 'kind' | 'within'>,
  serialNumbers: readonly string[],
): Promise<Found[]> {
  if (serialNumbers.length === 0) return [];
  const discoveries = await listDiscoveries(trx, serialNumbers);
  const reported = new Map(
    discoveries
      .filter((by) => by.ownerId === ownerId && (within ?? by.plantId) === by.plantId)
      .map(({ sn, described }) => [sn, described]),
  );
  const made: Found[] = [];
  // In a fixed order, to avoid deadlocks between callers that claim the same devices.
  for (const sn of serialNumbers.toSorted()) {
    if (!reported.has(sn)) throw new Failure('noPermission');
    const kind = given ?? readDescription(reported.get(sn)!).kind ?? 'inverter';
    const id = await insertDeviceOnce(trx, act, { sn, kind });
    // Somebody else has registered it in the meantime.
    if (id === undefined) throw new Failure('deviceAlreadyBound', { data: { sn: [sn] } });
    made.push({ id, sn, kind, plantId: null, accountId: null });
  }
  return made;
}

/**
 * Unbinds collectors from their plants within a reach, optionally with the devices that report through them. Throws collectorUnknown for foreign,
 * unbound and unknown collectors.
 */
export async function removeCollectors(
  trx: Db,
  act: Act,
  reach: Reach,
  serialNumbers: readonly string[],
  withDevices: boolean,
): Promise<void> {
  const { named, behind } = await lockManaged(trx, reach, serialNumbers, withDevices);
  if (named.length < serialNumbers.length || named.some(({ kind }) => kind !== 'collector'))
    throw new Failure('collectorUnknown');
  await remove(trx, act, [...named, ...behind]);
}

/** Unbinds devices of any kind from their plants within a reach. Throws noPermission for foreign, unbound and unknown devices. */
export async function removeDevices(
  trx: Db,
  act: Act,
  reach: Reach,
  serialNumbers: readonly string[],
): Promise<void> {
  const { named } = await lockManaged(trx, reach, serialNumbers, false);
  if (named.length < serialNumbers.length) throw new Failure('noPermission');
  await remove(trx, act, named);
}

/**
 * Devices of a reach, optionally with those that report through them, as they are while their plants are locked. Throws Overtaken if one of them
 * came to another plant while the locks were awaited: that plant must not be locked after devices.
 */
async function lockManaged(
  trx: Db,
  reach: Reach,
  serialNumbers: readonly string[],
  withBehind: boolean,
): Promise<Record<'named' | 'behind', ManagedDevice[]>> {
  const find = async () => {
    const named = await listManaged(trx, reach, serialNumbers);
    const ids = named.map(({ id }) => id);
    return { named, behind: withBehind ? await listManagedBehind(trx, reach, ids) : [] };
  };
  const before = await find();
  const locked = new Set([...before.named, ...before.behind].map(({ plantId }) => plantId));
  await lockPlants(trx, [...locked]);
  const found = await find();
  if ([...found.named, ...found.behind].some(({ plantId }) => !locked.has(plantId)))
    throw new Overtaken();
  return found;
}

async function remove(trx: Db, act: Act, devices: readonly ManagedDevice[]): Promise<void> {
  await lockDeviceRows(
    trx,
    devices.map(({ id }) => id),
  );
  const byPlant = Map.groupBy(devices, ({ plantId }) => plantId);
  for (const plantId of [...byPlant.keys()].toSorted()) {
    const ids = byPlant.get(plantId)!.map(({ id }) => id);
    await unbindDevices(trx, act, ids, plantId);
  }
}

/**
 * Moves a device to another plant of a reach, optionally with the devices of its plant that report through it. Its measurements so
 * far stay with the former plant. If the owner changes, links to the former owner's collectors end, and a moved collector becomes
 * the new owner's. Returns the serial numbers of the moved devices. Throws noPermission for a device that is not in any plant, and
 * for an unknown plant.
 */
export async function moveDevices(
  trx: Db,
  act: Act,
  reach: Reach,
  sn: string,
  toPlantId: string,
  withDevices: boolean,
): Promise<string[]> {
  const [before] = await listManaged(trx, reach, [sn]);
  if (!before) throw new Failure('noPermission');
  await lockPlants(trx, [before.plantId, toPlantId].toSorted());
  const [device] = await listManaged(trx, reach, [sn]);
  if (device?.plantId !== before.plantId) throw new Overtaken();
  const behind = withDevices ? await listManagedBehind(trx, reach, [device.id]) : [];
  const ids = [
    device.id,
    ...behind.filter(({ plantId }) => plantId === device.plantId).map(({ id }) => id),
  ];
  const { ownerId } = await lockPlant(trx, toPlantId);
  await lockBoundAndLinked(trx, toPlantId, ids);
  await unbindDevices(trx, act, ids, device.plantId);
  await bindDevices(trx, act, ids, toPlantId);
  await trx
    .updateTable('device')
    .set({ accountId: ownerId })
    .where(anyOf(trx, 'id', listParameter(trx, ids)))
    .where('accountId', 'is not', null)
    .execute();
  await endForeignLinks(trx, toPlantId);
  const moved = await trx
    .selectFrom('device')
    .select('sn')
    .where(anyOf(trx, 'id', listParameter(trx, ids)))
    .orderBy('id')
    .execute();
  return serialsOf(moved);
}
