import type { DeviceKind } from '../../packages/server/src/fleet/devices/devices.ts';
import { countMiscounts, recount } from '../../packages/server/src/fleet/plants/fleet/recount.ts';
import { presence } from '../../packages/server/src/fleet/plants/presence.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import { createIngest } from '../../packages/server/src/measurements/ingest/ingest.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import { createWorld } from '../../test/support/world.ts';
import type { Bulk, Value } from './bulk.ts';

export const NOW = Date.parse('2026-06-15T12:00:00Z');
export const clock = { at: NOW, now: () => NOW };

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** From midnight (UTC) to NOW. */
const NOON_MS = 12 * HOUR_MS;
const DAY_MS = 86_400_000;

/** The devices of each plant, the collector first. */
const KINDS: readonly DeviceKind[] = [
  'collector',
  ...Array.from({ length: 6 }, () => 'inverter' as const),
  'epm',
  'weather',
  'ammeter',
];
export const DEVICES_PER_PLANT = KINDS.length;
export const PLANTS_PER_OWNER = 10;
export const ALARMS_PER_PLANT = 5;

/** What the benchmark's requests name. */
export interface Installation {
  /** Account that owns ten plants in the middle of the fleet. */
  readonly owner: string;
  readonly plantId: string;
  readonly sns: Readonly<Record<DeviceKind, string>>;
  /** Account with which every plant is shared. */
  readonly installer: string;
  readonly plants: number;
}

/** Ids sort by time: those made here come long before those of the product. */
const idOf = (n: number): string => String(1_000_000_000_000_000_000n + BigInt(n));
const PLANT_IDS = 100_000_000;
const DEVICE_IDS = 200_000_000;
const ALARM_IDS = 500_000_000;

/** When each plant had its alarms. */
const ALARM_DAYS = [
  '2026-02-14T12:00:00Z',
  '2026-03-14T12:00:00Z',
  '2026-04-14T12:00:00Z',
  '2026-05-14T12:00:00Z',
  '2026-06-14T12:00:00Z',
];

interface Templates {
  /** By kind: the rows of a device that reported daily for a month, and now and then for a year. */
  readonly [kind: string]: {
    readonly days: readonly Row[];
    readonly months: readonly Row[];
    readonly samples: readonly Row[];
  };
}
type Row = readonly Value[];

/** Writes a fleet of `plants` plants in bulk: every device with its newest day, those of one owner with a month of days, a year of months and a day of readings. */
export async function install(db: Db, bulk: Bulk, plants: number): Promise<Installation> {
  const templates = await makeTemplates(db);
  const owners = plants / PLANTS_PER_OWNER;
  const [firstAccount, installer] = [300_000_000, idOf(400_000_000)];
  const ownerOf = (plant: number): string =>
    idOf(firstAccount + Math.floor(plant / PLANTS_PER_OWNER));
  const middle = Math.floor(owners / 2) * PLANTS_PER_OWNER;
  const isMeasured = (plant: number): boolean =>
    plant >= middle && plant < middle + PLANTS_PER_OWNER;
  const zones = ['Europe/Berlin', 'America/Denver', 'Australia/Adelaide', 'Asia/Kolkata', 'UTC'];
  const created = Date.parse('2025-01-01T00:00:00Z');
  // Above those of the templates.
  const firstNumber = 100;
  const each = function* <T>(count: number, make: (n: number) => T): Generator<T> {
    for (let n = 0; n < count; n++) yield make(n);
  };
  const people = function* (): Generator<Row> {
    for (let n = 0; n < owners; n++)
      yield [
        idOf(firstAccount + n),
        `owner-${n}@example.com`,
        `Owner ${n}`,
        'owner',
        '',
        'UTC',
        created,
      ];
    yield [installer, 'installer@example.com', 'Installer', 'installer', '', 'UTC', created];
  };
  await bulk.insert(
    'account',
    {
      id: 'text',
      email: 'text',
      name: 'text',
      role: 'text',
      passwordHash: 'text',
      timeZone: 'text',
      createdAt: 'int8',
    },
    people(),
  );
  const plantColumns = {
    id: 'text',
    ownerId: 'text',
    name: 'text',
    type: 'int8',
    capacityKwp: 'float8',
    currency: 'text',
    pricePerKwh: 'float8',
  };
  const plantState = {
    state: 'int4',
    deviceCount: 'int8',
    onlineDevices: 'int8',
    installerId: 'text',
    nmiCode: 'text',
  };
  await bulk.insert(
    'plant',
    {
      ...plantColumns,
      timeZone: 'text',
      facts: 'text',
      createdAt: 'int8',
      updatedAt: 'int8',
      ...plantState,
    },
    each(plants, (n) => [
      idOf(PLANT_IDS + n),
      ownerOf(n),
      `Plant ${n}`,
      1,
      60,
      'EUR',
      0.1,
      zones[n % zones.length]!,
      '{}',
      created,
      created,
      presence.online,
      DEVICES_PER_PLANT,
      DEVICES_PER_PLANT,
      installer,
      `NMI${n}`,
    ]),
  );
  const standingColumns = {
    plantId: 'text',
    nameKey: 'text',
    searchKey: 'text',
    state: 'int4',
    capacityKwp: 'float8',
  };
  await bulk.insert(
    'plantStanding',
    {
      ...standingColumns,
      dayEndsAt: 'int8',
      monthEndsAt: 'int8',
      yearEndsAt: 'int8',
      workedOutAt: 'int8',
      dueAt: 'int8',
    },
    each(plants, (n) => [
      idOf(PLANT_IDS + n),
      `plant ${n}`,
      `plant ${n}\n`,
      presence.online,
      60,
      0,
      0,
      0,
      0,
      0,
    ]),
  );
  await bulk.insert(
    'plantZone',
    { plantId: 'text', fromAt: 'int8', timeZone: 'text' },
    each(plants, (n) => [idOf(PLANT_IDS + n), 0, zones[n % zones.length]!]),
  );
  const access = function* (): Generator<Row> {
    for (let n = 0; n < plants; n++) yield [ownerOf(n), idOf(PLANT_IDS + n), 'owner', created];
    for (let n = 0; n < plants; n++) yield [installer, idOf(PLANT_IDS + n), 'read', created];
  };
  await bulk.insert(
    'plantAccess',
    { accountId: 'text', plantId: 'text', level: 'text', createdAt: 'int8' },
    access(),
  );
  const devices = plants * DEVICES_PER_PLANT;
  const plantOf = (n: number): number => Math.floor(n / DEVICES_PER_PLANT);
  const kindOf = (n: number): DeviceKind => KINDS[n % DEVICES_PER_PLANT]!;
  const deviceColumns = {
    series: 'int4',
    id: 'text',
    sn: 'text',
    kind: 'text',
    name: 'text',
    model: 'text',
    ratedPowerW: 'float8',
    collectorId: 'text',
  };
  await bulk.insert(
    'device',
    {
      ...deviceColumns,
      plantId: 'text',
      facts: 'text',
      createdAt: 'int8',
      state: 'int4',
      reportedAt: 'int8',
    },
    each(devices, (n) => {
      const kind = kindOf(n);
      const collector =
        kind === 'collector' ? null : idOf(DEVICE_IDS + plantOf(n) * DEVICES_PER_PLANT);
      const facts = [
        firstNumber + n,
        idOf(DEVICE_IDS + n),
        `FLEET-${n}`,
        kind,
        `Device ${n}`,
        'M-10',
        kind === 'inverter' ? 10_000 : null,
        collector,
      ];
      return [
        ...facts,
        idOf(PLANT_IDS + plantOf(n)),
        '{}',
        created,
        presence.online,
        kind === 'collector' ? NOW - MINUTE_MS : null,
      ];
    }),
  );
  await bulk.insert(
    'binding',
    { no: 'int4', deviceId: 'text', plantId: 'text', fromAt: 'int8' },
    each(devices, (n) => [firstNumber + n, idOf(DEVICE_IDS + n), idOf(PLANT_IDS + plantOf(n)), 0]),
  );
  const alarms = function* (): Generator<Row> {
    for (let round = 0; round < ALARMS_PER_PLANT; round++) {
      const beginAt = Date.parse(ALARM_DAYS[round]!);
      const beginDay = Number(ALARM_DAYS[round]!.slice(0, 10).replaceAll('-', ''));
      for (let n = 0; n < plants; n++) {
        const device = n * DEVICES_PER_PLANT + 1;
        const isOpen = round === ALARMS_PER_PLANT - 1 && n % 10 === 0;
        const what = [
          `FLEET-${device}`,
          'inverter',
          'H103',
          1,
          'a string far below its sisters',
          beginAt,
          beginDay,
        ];
        yield [
          idOf(ALARM_IDS + round * plants + n),
          idOf(DEVICE_IDS + device),
          idOf(PLANT_IDS + n),
          ...what,
          isOpen ? null : beginAt + DAY_MS,
          isOpen ? 0 : 2,
        ];
      }
    }
  };
  const alarmColumns = {
    id: 'text',
    deviceId: 'text',
    plantId: 'text',
    sn: 'text',
    kind: 'text',
    code: 'text',
    level: 'int4',
    message: 'text',
  };
  await bulk.insert(
    'alarm',
    { ...alarmColumns, beginAt: 'int8', beginDay: 'int8', endAt: 'int8', state: 'int4' },
    alarms(),
  );
  const rowsOf = function* (part: 'days' | 'months' | 'samples'): Generator<Row> {
    for (let n = 0; n < devices; n++) {
      const rows = templates[kindOf(n)]![part];
      const wanted = isMeasured(plantOf(n)) ? rows : part === 'days' ? rows.slice(-1) : [];
      for (const row of wanted) yield [firstNumber + n, ...row];
    }
  };
  await bulk.insert(
    'deviceDay',
    { binding: 'int4', day: 'int4', lastAt: 'int8', state: 'bytea' },
    rowsOf('days'),
  );
  await bulk.insert(
    'deviceMonth',
    { binding: 'int4', month: 'int4', state: 'bytea' },
    rowsOf('months'),
  );
  await bulk.insert(
    'sample',
    { series: 'int4', at: 'int8', fields: 'int4', values: 'bytea' },
    rowsOf('samples'),
  );
  await bulk.finish();
  await recount(db);
  if ((await countMiscounts(db)) > 0) throw new Error('the stored counters do not match the fleet');
  const first = middle * DEVICES_PER_PLANT;
  const sns = Object.fromEntries(
    KINDS.map((kind) => [kind, `FLEET-${first + KINDS.indexOf(kind)}`]),
  ) as Record<DeviceKind, string>;
  return { owner: ownerOf(middle), plantId: idOf(PLANT_IDS + middle), sns, installer, plants };
}

/** Rows of one device of each kind, as the product writes them. */
async function makeTemplates(db: Db): Promise<Templates> {
  const world = createWorld(() => ({ db }), clock);
  const owner = await world.person();
  const ingest = createIngest({ db, clock, series: createSqlSeries(db) });
  const plantId = await world.plant(owner.id, { timeZone: 'Europe/Berlin' });
  const templates: Record<string, Templates[string]> = {};
  for (const kind of new Set(KINDS)) {
    const { id, sn } = await world.device(plantId, { kind, ratedPowerW: 10_000 });
    // A year with three readings a day, then a month with one every half hour, then today with one every five minutes.
    const times = [
      ...Array.from({ length: 365 }, (_, i) =>
        [8, 12, 16].map((hour) => NOW - NOON_MS - (365 - i) * DAY_MS + hour * HOUR_MS),
      ).flat(),
      ...Array.from({ length: 31 * 48 }, (_, i) => NOW - 31 * DAY_MS + i * 30 * MINUTE_MS),
      ...Array.from({ length: 144 }, (_, i) => NOW - 720 * MINUTE_MS + i * 5 * MINUTE_MS),
    ];
    const readings = [...new Set(times)]
      .toSorted((a, b) => a - b)
      .map((at, i) => ({
        sn,
        at,
        values: kind === 'collector' ? { signalDbm: -60 - (i % 20) } : valuesAt(at),
      }));
    for (let start = 0; start < readings.length; start += 1000)
      await ingest('operator', readings.slice(start, start + 1000));
    const { series } = await db
      .selectFrom('device')
      .select('series')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const { no } = await db
      .selectFrom('binding')
      .select('no')
      .where('deviceId', '=', id)
      .executeTakeFirstOrThrow();
    const days = await db
      .selectFrom('deviceDay')
      .selectAll()
      .where('binding', '=', no)
      .orderBy('day')
      .execute();
    const months = await db
      .selectFrom('deviceMonth')
      .selectAll()
      .where('binding', '=', no)
      .orderBy('month')
      .execute();
    const samples = await db
      .selectFrom('sample')
      .selectAll()
      .where('series', '=', series)
      .where('at', '>=', NOW - 2 * DAY_MS)
      .orderBy('at')
      .execute();
    templates[kind] = {
      days: days.map(({ day, lastAt, state }) => [day, lastAt, state]),
      months: months.map(({ month, state }) => [month, state]),
      samples: samples.map(({ at, fields, values }) => [at, fields, values]),
    };
  }
  return templates;
}

/** What devices measure: power follows the sun from 6 to 18 h, and energies follow the power. */
function valuesAt(at: number): Record<string, number> {
  const days = (at - NOW + NOON_MS) / DAY_MS + 1000;
  const angle = Math.PI * Math.min(1, Math.max(0, ((days % 1) * 24 - 6) / 12));
  const sun = Math.sin(angle);
  const produced = 30 * (Math.floor(days) + (1 - Math.cos(angle)) / 2);
  return {
    acPowerW: 4000 * sun,
    dcPowerW: 4100 * sun,
    gridPowerW: 3000 * sun - 600,
    loadPowerW: 900,
    energyTotalKwh: produced,
    gridExportTotalKwh: 0.7 * produced,
    gridImportTotalKwh: 6 * days,
    gridFrequencyHz: 50,
    temperatureC: 40,
    dcVoltage1V: 600 * sun,
    dcCurrent1A: 7 * sun,
    acVoltage1V: 230,
  };
}
