import { HOUR_MS } from '@helioport/contract/durations';
import { createClient, type Client } from '@helioport/sdk';
import { createOperatorDoor } from '../../packages/server/src/interfaces/operations/operator-door.ts';
import { createIngest } from '../../packages/server/src/measurements/ingest/ingest.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import {
  addDays,
  calendarOfZone,
} from '../../packages/server/src/platform/calendar/plant-calendar.ts';
import { systemClock } from '../../packages/server/src/platform/kernel/clock.ts';
import { createIdSource } from '../../packages/server/src/platform/kernel/ids.ts';
import { createInstallation, type Outcome } from '../support/command.ts';
import { settingsOf, type TestDatabase } from '../support/engines.ts';
import { operationSources } from '../support/operations.ts';
import { startApp } from '../support/running-app.ts';

/** A Helioport with an account that has a key pair. */
export interface House {
  readonly baseUrl: string;
  readonly key: { readonly keyId: string; readonly keySecret: string };
  readonly client: Client;
  readonly plantId: string;
  stop(): Promise<void>;
}

export const ZONE = 'Europe/Berlin';
export const OWNER = 'owner@example.org';

/** The devices of the house, which are the same there and here. */
export const DEVICES = [
  { sn: 'INV-HYBRID', kind: 'inverter', ratedPowerW: 10_000 },
  { sn: 'INV-STRING', kind: 'inverter', ratedPowerW: 8_000 },
  { sn: 'EPM-1', kind: 'epm' },
] as const;

/** A running Helioport on a database, with the house and its devices, all of them or those named. */
export async function startHouse(
  database: TestDatabase,
  sns: readonly string[] = DEVICES.map(({ sn }) => sn),
): Promise<House> {
  const app = await startApp(database, { HELIOPORT_RATE_LIMIT: 'off' });
  const { secretBox, config, addresses } = app;
  const operator = createOperatorDoor(
    operationSources(database.db, systemClock, createIdSource(systemClock), {
      credentials: {
        secretBox: async () => secretBox,
        legacyLogin: config.legacyLogin,
        defaultTimeZone: 'UTC',
      },
    }),
  );
  const { plantId, key } = await operator.together(async (door) => {
    await door.call('user/add', { email: OWNER, role: 'owner', password: 'kestrel meadow 42' });
    const plant = await door.call('plant/add', {
      owner: OWNER,
      name: 'House',
      capacityKwp: 20,
      timeZone: ZONE,
      pricePerKwh: 0.1,
    });
    for (const { sn, ...device } of DEVICES)
      if (sns.includes(sn))
        await door.call('device/add', { plantId: plant.plantId, sn, ...device });
    const made = await door.call('key/create', { email: OWNER, label: 'history' });
    return { plantId: plant.plantId, key: made };
  });
  const baseUrl = addresses['user-api']!;
  return {
    baseUrl,
    key,
    plantId,
    client: createClient({ baseUrl, ...key }),
    stop: app.stop,
  };
}

/** `helioport history import` from a house into a database. */
export async function importTo(
  database: TestDatabase,
  { baseUrl, key }: Pick<House, 'baseUrl' | 'key'>,
  ...options: string[]
): Promise<Outcome> {
  const installation = createInstallation({
    ...settingsOf(database),
    HELIOPORT_KEY_SECRET: key.keySecret,
  });
  try {
    return await installation.helioport(
      'history',
      'import',
      '--from',
      baseUrl,
      '--key-id',
      key.keyId,
      '--per-second',
      '100',
      ...options,
    );
  } finally {
    installation.remove();
  }
}

/** What an inverter has counted in all, and today, kWh. */
export async function totalsOf({ client }: House, sn: string): Promise<[number, number]> {
  const { page } = await client.call('inverterList', { snList: [sn] });
  const { etotal1, etoday1 } = page.records[0]!;
  return [etotal1!, etoday1 ?? 0];
}

/** Stores readings as they came from the devices. */
export const ingestOn = ({ db }: TestDatabase) =>
  createIngest({ db, clock: systemClock, series: createSqlSeries(db) });

const round = (value: number): number => Math.round(value * 1e6) / 1e6;

/** A number that looks random, from 0 to 1, the same each time. */
const chance = (seed: number): number => {
  const x = Math.sin(seed * 12.9898) * 43_758.5453;
  return x - Math.floor(x);
};

/** The energies of the house on one of its days, kWh, none of them round. */
const energiesOn = (index: number) => {
  const sun = 2 + 30 * chance(index);
  return {
    hybrid: round(sun),
    string: round(sun * 0.7),
    charge: round(sun * 0.2),
    discharge: round(sun * 0.17),
    import: round(3 + 5 * chance(index + 0.5)),
    export: round(sun * 0.9),
    load: round(8 + 4 * chance(index + 0.25)),
    backup: round(chance(index + 0.75)),
  };
};

const HOURS = [6, 9, 12, 15, 18, 21];

/** Readings of all devices from `days` days ago to yesterday, and of this morning; total counters have counted before. */
export function readingsOfHouse(
  days: number,
  now: number,
): { sn: string; at: number; values: Record<string, number> }[] {
  const calendar = calendarOfZone(ZONE);
  const today = calendar.dayOf(now);
  const totals: Record<string, number> = {
    hybrid: 12_345.678,
    string: 77.7,
    charge: 812.3,
    discharge: 700.1,
    import: 4_100.25,
    export: 9_000.5,
    load: 5_000,
    backup: 12,
  };
  const readings: { sn: string; at: number; values: Record<string, number> }[] = [];
  for (let i = days; i >= 0; i--) {
    const day = addDays(today, -i);
    // On some days, nobody reported.
    if (i % 37 === 5) continue;
    const { startAt, endAt } = calendar.dayWindow(day);
    const energies = energiesOn(day);
    const instants = [
      startAt + 1_000,
      ...HOURS.map((hour) => startAt + hour * HOUR_MS),
      endAt - 60_000,
    ];
    for (const at of instants.filter((one) => one <= now)) {
      const part = Math.min(1, Math.max(0, (at - startAt - 5 * HOUR_MS) / (16 * HOUR_MS)));
      const so = (name: keyof typeof energies): number => round(energies[name] * part);
      const all = (name: keyof typeof energies): number => round(totals[name]! + so(name));
      const sunW = part > 0 && part < 1 ? energies.hybrid * 62.5 : 0;
      readings.push(
        {
          sn: 'INV-HYBRID',
          at,
          values: {
            acPowerW: sunW,
            dcVoltage1V: 300 + part,
            batteryPowerW: sunW / 5,
            batterySocPercent: 20 + 60 * part,
            energyTodayKwh: so('hybrid'),
            energyTotalKwh: all('hybrid'),
            batteryChargeTodayKwh: so('charge'),
            batteryChargeTotalKwh: all('charge'),
            batteryDischargeTodayKwh: so('discharge'),
            batteryDischargeTotalKwh: all('discharge'),
            loadTodayKwh: so('load'),
            loadTotalKwh: all('load'),
            backupTodayKwh: so('backup'),
            backupTotalKwh: all('backup'),
          },
        },
        {
          sn: 'INV-STRING',
          at,
          values: {
            acPowerW: sunW * 0.7,
            energyTodayKwh: so('string'),
            energyTotalKwh: all('string'),
          },
        },
        {
          sn: 'EPM-1',
          at,
          values: {
            gridPowerW: sunW / 2 - 100,
            acVoltage1V: 230 + part,
            gridImportTodayKwh: so('import'),
            gridImportTotalKwh: all('import'),
            gridExportTodayKwh: so('export'),
            gridExportTotalKwh: all('export'),
          },
        },
      );
    }
    for (const name of Object.keys(energies) as (keyof typeof energies)[])
      totals[name] = round(totals[name]! + energies[name]);
  }
  return readings;
}

type Row = Record<string, unknown>;

const ENERGIES = [
  'energy',
  'gridPurchasedEnergy',
  'gridSellEnergy',
  'batteryChargeEnergy',
  'batteryDischargeEnergy',
  'homeLoadEnergy',
  'epmBuyEnergy',
  'epmSellEnergy',
];

const only = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(names.flatMap((name) => (row[name] === undefined ? [] : [[name, row[name]]])));

const byDate = (data: unknown, isWanted: (date: string) => boolean): Record<string, Row> =>
  Object.fromEntries(
    (data as Row[]).flatMap((row) => {
      const date = String(row['dateStr'] ?? row['year']);
      return isWanted(date) ? [[date, only(row, ENERGIES)]] : [];
    }),
  );

/** All energies that a house tells of periods that are over, by device or plant, and what its counters show. */
export async function energiesOf(
  { client, plantId }: House,
  { years, today }: { readonly years: readonly number[]; readonly today: number },
  sns: readonly string[] = DEVICES.map(({ sn }) => sn),
): Promise<Record<string, Record<string, unknown>>> {
  const answered: Record<string, Record<string, unknown>> = {};
  const todayText = `${Math.trunc(today / 10_000)}-${String(Math.trunc(today / 100) % 100).padStart(2, '0')}-${String(today % 100).padStart(2, '0')}`;
  const subjects: [string, string, Row][] = [
    ...sns.map((sn): [string, string, Row] => [
      sn,
      sn.startsWith('EPM') ? 'epm/' : 'inverter',
      { sn },
    ]),
    ['plant', 'station', { id: plantId }],
  ];
  const ask = (operation: string, request: Row): Promise<unknown> =>
    client.call(operation as 'inverterAll', { money: 'EUR', ...request });
  for (const [name, family, whose] of subjects) {
    const word = (span: string): string =>
      family === 'epm/' ? `epm/${span.toLowerCase()}` : `${family}${span}`;
    const own: Record<string, unknown> = (answered[name] = {});
    for (const year of years) {
      own[`${year}`] = byDate(
        await ask(word('Year'), { ...whose, year: String(year) }),
        (date) => !todayText.startsWith(date.slice(0, 7)),
      );
      for (let month = 1; month <= 12; month++) {
        const text = `${year}-${String(month).padStart(2, '0')}`;
        own[text] = byDate(
          await ask(word('Month'), { ...whose, month: text }),
          (date) => date !== todayText,
        );
      }
    }
    own['all'] = byDate(await ask(word('All'), whose), (date) => !todayText.startsWith(date));
  }
  return answered;
}
