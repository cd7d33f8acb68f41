import { sql } from 'kysely';
import { findWanting, isAnybodyThere, isWanted } from '../../platform/events/demand.ts';
import { zoneChanged } from '../../fleet/plants/zone-changed.ts';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import type { Db, Trx } from '../../platform/storage/database.ts';
import { onEngine } from '../../platform/storage/engine.ts';
import { locksRows } from '../../platform/storage/lock.ts';
import { prepareQuery } from '../../platform/storage/prepare.ts';
import {
  calendarOf,
  calendarOfZone,
  type PlantCalendar,
  type ZoneSince,
} from '../../platform/calendar/plant-calendar.ts';
import { plantPrices } from '../energy/plant-prices.ts';
import { isMove, type BoundDevice } from './bound-device.ts';
import { readingBoundsOf } from './reading-bounds.ts';
import type { DeviceKind } from '../../fleet/devices/devices.ts';

/** The device as it was read. devices/states.ts needs its presence. */
export interface DeviceAsRead {
  readonly id: string;
  readonly state: number;
  readonly expectedSeconds: number;
  readonly reportedAt: number | null;
}

/** A device that may have readings. */
export interface ReportableDevice {
  readonly device: DeviceAsRead;
  /** Ascending by fromAt. */
  readonly bindings: readonly BoundDevice[];
}

interface Row {
  sn: string;
  id: string;
  collectorId: string | null;
  state: number;
  expectedSeconds: number;
  reportedAt: number | null;
  series: number;
  kind: DeviceKind;
  ratedPowerW: number | null;
  capacityKwp: number;
  latitude: number | null;
  longitude: number | null;
  no: number;
  plantId: string;
  /** Owner of the plant. */
  ownerId: string;
  fromAt: number;
  toAt: number | null;
  timeZone: string;
  tariffs: string | null;
  pricePerKwh: number | null;
  thinnedBefore: number;
  expiredBefore: number;
  /** Set if the plant has changed its time zone. */
  moved: unknown;
  /** Set if somebody could want to know of its samples. */
  wanted: unknown;
}

// On PostgreSQL, another statement would be a round trip. On SQLite, to ask for each of 500 devices takes a third as long as to read them.
const demand = (db: Db) =>
  onEngine(db, {
    sqlite: () => isAnybodyThere,
    postgres: () => isWanted('telemetry.sample', sql.ref('plant.ownerId')),
  }).as('wanted');

const bound = (db: Db) =>
  db
    .selectFrom('device')
    .innerJoin('binding', 'binding.deviceId', 'device.id')
    .innerJoin('plant', 'plant.id', 'binding.plantId')
    .select([
      'device.sn',
      'device.id',
      'device.collectorId',
      'device.state',
      'device.expectedSeconds',
      'device.reportedAt',
    ])
    .select(['device.series', 'device.kind', 'device.ratedPowerW'])
    .select(['binding.thinnedBefore', 'binding.expiredBefore'])
    .select(['binding.no', 'binding.plantId', 'binding.fromAt', 'binding.toAt'])
    .select([
      'plant.timeZone',
      'plant.tariffs',
      'plant.pricePerKwh',
      'plant.ownerId',
      'plant.capacityKwp',
      'plant.latitude',
      'plant.longitude',
    ])
    .select(zoneChanged(db).as('moved'))
    .select(demand(db));

// Any constant will do, as long as every instance uses the same one.
const LOCK_SPACE = 72_051;

/**
 * Locks the devices found, so that each has one writer across all instances; in a fixed order, so that two batches never deadlock. `locked` tells of
 * which a lock was not free, if it is not waited for.
 */
const locked = (db: Db, found: ReturnType<typeof bound>, how: 'wait' | 'try' = 'wait') => {
  const ordered = found.orderBy('device.series').orderBy('binding.fromAt').orderBy('binding.no');
  // SQLite's write transactions are exclusive anyway.
  if (!locksRows(db)) return ordered;
  return db
    .selectFrom(ordered.offset(0).as('found'))
    .selectAll()
    .select(
      sql`${sql.raw(how === 'wait' ? 'pg_advisory_xact_lock' : 'pg_try_advisory_xact_lock')}(${sql.lit(LOCK_SPACE)}, series)`.as(
        'locked',
      ),
    );
};

const selectAny = prepareQuery<{ sns: unknown }, Row>((db, p) =>
  locked(db, bound(db).where(anyOf(db, 'device.sn', p('sns')))),
);

const selectOwn = prepareQuery<{ sns: unknown; collectorId: string }, Row>((db, p) =>
  locked(
    db,
    bound(db)
      .where(anyOf(db, 'device.sn', p('sns')))
      .where((e) =>
        e.or([
          e('device.collectorId', '=', p('collectorId')),
          e('device.id', '=', p('collectorId')),
        ]),
      ),
  ),
);

const selectOfMany = prepareQuery<
  { sns: unknown; collectorIds: unknown },
  Row & { locked?: boolean }
>((db, p) =>
  locked(
    db,
    bound(db)
      .where(anyOf(db, 'device.sn', p('sns')))
      .where((e) =>
        e.or([
          anyOf(db, 'device.collectorId', p('collectorIds')),
          anyOf(db, 'device.id', p('collectorIds')),
        ]),
      ),
    'try',
  ),
);

const selectZones = prepareQuery<{ plantIds: unknown }, ZoneSince & { plantId: string }>((db, p) =>
  db
    .selectFrom('plantZone')
    .select(['plantId', 'fromAt', 'timeZone'])
    .where(anyOf(db, 'plantId', p('plantIds')))
    .orderBy('fromAt'),
);

/** Finds out on SQLite which owners' samples somebody could want. */
async function noteWanted(db: Db, rows: readonly Row[]): Promise<void> {
  if (onEngine(db, { postgres: () => true, sqlite: () => !rows[0]?.wanted })) return;
  const wanting = await findWanting(db, [...new Set(rows.map(({ ownerId }) => ownerId))]);
  for (const row of rows) row.wanted = wanting.has(row.ownerId);
}

/** A collector that delivers readings, and its owner. */
export interface ReadingsOf {
  readonly collectorId: string;
  readonly ownerId: string;
}

/** The device with a serial number and the plants that it is or was in; undefined if it never was in one. */
export async function findReportableDevice(
  db: Db,
  sn: string,
): Promise<ReportableDevice | undefined> {
  const rows = await bound(db)
    .where('device.sn', '=', sn)
    .orderBy('binding.fromAt')
    .orderBy('binding.no')
    .execute();
  return reportersOf(rows, await findCalendars(db, rows), undefined).get(sn);
}

/**
 * Locks the devices with these serial numbers that are or were in a plant and that the sender may report for, until the
 * transaction ends. A collector may report only for devices of its owner: it must not change what a device measured for other
 * owners. The operator may report for any device.
 */
export async function lockReportableDevices(
  trx: Trx,
  collector: ReadingsOf | 'operator',
  sns: readonly string[],
): Promise<Map<string, ReportableDevice>> {
  const parameter = listParameter(trx, sns);
  const rows =
    collector === 'operator'
      ? await selectAny(trx, { sns: parameter })
      : await selectOwn(trx, { sns: parameter, collectorId: collector.collectorId });
  await noteWanted(trx, rows);
  return reportersOf(
    rows,
    await findCalendars(trx, rows),
    collector === 'operator' ? undefined : collector.ownerId,
  );
}

/** The devices for which several collectors report, locked as far as the locks were free. */
export interface ReportableDevicesOfMany {
  /** The devices that a collector may report for, by serial number; undefined if somebody else holds the lock of one that it reports for. */
  of(collector: ReadingsOf, sns: Iterable<string>): Map<string, ReportableDevice> | undefined;
}

/** Like `lockReporters`, for several collectors at once; waits for no lock. */
export async function tryLockReportableDevices(
  trx: Trx,
  collectors: readonly ReadingsOf[],
  sns: readonly string[],
): Promise<ReportableDevicesOfMany> {
  const collectorIds = listParameter(trx, [
    ...new Set(collectors.map(({ collectorId }) => collectorId)),
  ]);
  const rows = await selectOfMany(trx, { sns: listParameter(trx, sns), collectorIds });
  await noteWanted(trx, rows);
  const calendars = await findCalendars(trx, rows);
  const bySn = Map.groupBy(rows, ({ sn }) => sn);
  // A device that reports twice is one and the same.
  const made = new Map<string, ReportableDevice>();
  return {
    of({ collectorId, ownerId }, wanted) {
      const reporters = new Map<string, ReportableDevice>();
      for (const sn of wanted) {
        const ofDevice = bySn.get(sn);
        if (
          !ofDevice ||
          (ofDevice[0]!.collectorId !== collectorId && ofDevice[0]!.id !== collectorId)
        )
          continue;
        if (ofDevice[0]!.locked === false) return undefined;
        const key = `${ownerId} ${sn}`;
        let reporter = made.get(key);
        if (!reporter) made.set(key, (reporter = reporterOf(ofDevice, calendars, ownerId)));
        reporters.set(sn, reporter);
      }
      return reporters;
    },
  };
}

/** Reporters by serial number; the rows of each device must be adjacent. With `ownerId`, they have only bindings to plants of this owner. */
function reportersOf(
  rows: readonly Row[],
  calendars: ReadonlyMap<string, PlantCalendar>,
  ownerId?: string,
): Map<string, ReportableDevice> {
  const reporters = new Map<string, ReportableDevice>();
  for (let first = 0; first < rows.length;) {
    let end = first + 1;
    while (rows[end]?.sn === rows[first]!.sn) end += 1;
    reporters.set(rows[first]!.sn, reporterOf(rows.slice(first, end), calendars, ownerId));
    first = end;
  }
  return reporters;
}

const selectBound = prepareQuery<{ bindings: unknown }, Row>((db, p) =>
  bound(db)
    .where('device.id', 'in', (e) =>
      e
        .selectFrom('binding as wanted')
        .select('wanted.deviceId')
        .where(anyOf(db, 'wanted.no', p('bindings'))),
    )
    .orderBy('device.series')
    .orderBy('binding.fromAt')
    .orderBy('binding.no'),
);

/** Devices in plants, by the numbers of their bindings. */
export async function findBoundDevices(
  db: Db,
  bindings: readonly number[],
): Promise<Map<number, BoundDevice>> {
  const rows = await selectBound(db, { bindings: listParameter(db, bindings) });
  await noteWanted(db, rows);
  const found = new Map<number, BoundDevice>();
  for (const { bindings: all } of reportersOf(rows, await findCalendars(db, rows)).values())
    for (const device of all) found.set(device.binding, device);
  return found;
}

/** One device in one plant. */
export const findBoundDevice = async (db: Db, binding: number): Promise<BoundDevice | undefined> =>
  (await findBoundDevices(db, [binding])).get(binding);

/** One device in one plant, locked: until the transaction ends, nobody else writes its samples or roll-ups. */
export async function lockBoundDevice(trx: Db, binding: number): Promise<BoundDevice | undefined> {
  const device = await findBoundDevice(trx, binding);
  if (!device || !locksRows(trx)) return device;
  await sql`select pg_advisory_xact_lock(${sql.lit(LOCK_SPACE)}, ${device.seriesId})`.execute(trx);
  // The device's prices, time zone and end of binding may have changed while the lock was awaited.
  return findBoundDevice(trx, binding);
}

/** The calendars of the plants by id; asks the database only for zones that have a history. */
async function findCalendars(db: Db, rows: readonly Row[]): Promise<Map<string, PlantCalendar>> {
  const calendars = new Map<string, PlantCalendar>();
  const moved = new Set<string>();
  for (const row of rows) {
    if (row.moved) moved.add(row.plantId);
    else if (!calendars.has(row.plantId)) calendars.set(row.plantId, calendarOfZone(row.timeZone));
  }
  if (moved.size === 0) return calendars;
  const zones = Map.groupBy(
    await selectZones(db, { plantIds: listParameter(db, [...moved]) }),
    ({ plantId }) => plantId,
  );
  for (const [plantId, history] of zones) calendars.set(plantId, calendarOf(history));
  return calendars;
}

function reporterOf(
  rows: readonly Row[],
  calendars: ReadonlyMap<string, PlantCalendar>,
  ownerId?: string,
): ReportableDevice {
  const { id, state, expectedSeconds, reportedAt } = rows[0]!;
  const all = rows.map((row, i) => boundDevice(row, calendars.get(row.plantId)!, i === 0));
  for (const [i, later] of all.entries()) {
    const earlier = all[i - 1];
    if (!earlier || !isMove(earlier.toAt, later.fromAt)) continue;
    later.former = earlier;
    earlier.next = later;
  }
  return {
    device: { id, state, expectedSeconds, reportedAt },
    bindings: all.filter((_, i) => ownerId === undefined || rows[i]!.ownerId === ownerId),
  };
}

function boundDevice(row: Row, calendar: PlantCalendar, firstBinding: boolean): BoundDevice {
  const {
    no,
    series,
    latitude,
    longitude,
    fromAt,
    toAt,
    tariffs,
    pricePerKwh,
    kind,
    id,
    sn,
    plantId,
    ownerId,
    thinnedBefore,
    expiredBefore,
  } = row;
  return {
    binding: no,
    seriesId: series,
    ownerId,
    frozenBefore: Math.max(thinnedBefore, expiredBefore),
    fromAt,
    toAt: toAt ?? Number.POSITIVE_INFINITY,
    calendar,
    bounds: readingBoundsOf(row),
    prices: plantPrices({ tariffs, pricePerKwh }, calendar),
    position: { latitude, longitude },
    firstBinding,
    // Nothing of an ammeter's own record is forwarded.
    eventSubject:
      row.wanted && kind !== 'ammeter' ? { deviceId: id, sn, plantId, ownerId } : undefined,
    former: undefined,
    next: undefined,
  };
}
