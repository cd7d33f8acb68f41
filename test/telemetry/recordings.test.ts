import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStorage, type Storage } from '../../packages/server/src/platform/storage/open.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import { createTelemetry } from '../../packages/server/src/measurements/telemetry/create-telemetry.ts';
import { settledReads } from '../../packages/server/src/measurements/ingest/settled-reads.ts';
import type { DayRollup } from '../../packages/server/src/measurements/telemetry/telemetry.ts';
import type { Installation } from '../support/command.ts';
import { localDate } from './naive-model.ts';
import { createImportInstallation } from '../ingest/import-installation.ts';

const RECORDINGS = fileURLToPath(new URL('../../../shared/data/pv/', import.meta.url));
const present = existsSync(RECORDINGS);
if (!present) console.log('skipped: recordings not present');

interface Recording {
  readonly file: string;
  readonly zone: string;
  readonly time: string;
  /** Column of the AC power or, of a weather station, of the irradiance; its index, and watts of its unit. */
  readonly power: { column: string; index: number; unit?: string; watts: number };
  /** Where that is not AC power. */
  readonly measures?: { readonly quantity: 'irradianceWm2'; readonly channel: 'irradiation' };
  readonly more: readonly string[];
  readonly rows: number;
  /** Rows without any of the values that are taken. */
  readonly empty?: number;
  readonly refused: number;
  /** Milliseconds UTC of the file's own time, Mountain Standard Time being UTC-7. */
  readonly instant: (text: string) => number;
}

const telemetryOf = ({ db }: Storage) => createTelemetry(settledReads(db, createSqlSeries(db)));

const denver = (text: string): number => Date.parse(`${text.replace(' ', 'T')}-07:00`);
const slashes = (text: string): number => {
  const [, month = '', day = '', year = '', hour = '', minute = ''] =
    /^(\d+)\/(\d+)\/(\d+) (\d+):(\d+)$/.exec(text)!;
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour) + 7, Number(minute));
};

const recordings: Recording[] = [
  {
    file: 'serf_west_15min.csv',
    zone: 'America/Denver',
    time: '#1',
    power: { column: 'ac_power__773', index: 2, unit: 'W', watts: 1 },
    more: [
      'temperatureC=inveter_temp__784',
      'irradianceWm2=poa_irradiance__771',
      'dcPowerW=dc_power__772:kW',
    ],
    rows: 480,
    refused: 0,
    instant: denver,
  },
  {
    file: 'nrel_RSF_II.csv',
    zone: 'America/Denver',
    time: '#1',
    power: { column: 'ac_power_kw_1137', index: 1, unit: 'kW', watts: 1000 },
    more: ['ambientTemperatureC=ambient_temp__1053', 'windSpeedMs=wind_speed__1051'],
    rows: 480,
    refused: 0,
    instant: slashes,
  },
  {
    file: 'serf_east_1min_ac_power.csv',
    zone: 'as-stamped',
    time: 'measured_on',
    power: { column: 'ac_power__752', index: 1, unit: 'W', watts: 1 },
    more: [],
    rows: 2607,
    refused: 0,
    instant: (text) => Date.parse(text.replace(' ', 'T')),
  },
  {
    file: 'snow_data.csv',
    zone: 'America/Denver',
    time: 'Timestamp',
    power: { column: 'INV1 AC Power [kW]', index: 4, unit: 'kW', watts: 1000 },
    more: ['dcVoltage1V=INV1 CB2 Voltage [V]', 'moduleTemperatureC=Module Temp [C]'],
    rows: 576,
    refused: 0,
    instant: slashes,
  },
  {
    // Stretches in which the same value is repeated for days.
    file: 'ac_power_inv_2173_stale_data.csv',
    zone: 'as-stamped',
    time: 'timestamp',
    power: { column: 'value_normalized', index: 1, unit: 'kW', watts: 1000 },
    more: [],
    rows: 3000,
    empty: 1149,
    refused: 0,
    instant: (text) => Date.parse(text.replace(' ', 'T')),
  },
  {
    // Single values that are several times too high or too low.
    file: 'ac_power_inv_7539_outliers.csv',
    zone: 'as-stamped',
    time: 'timestamp',
    power: { column: 'value_normalized', index: 1, unit: 'kW', watts: 1000 },
    more: [],
    rows: 500,
    refused: 0,
    instant: (text) => Date.parse(text.replace(' ', 'T')),
  },
  {
    file: 'rmis_weather_data.csv',
    zone: 'America/Denver',
    time: '#1',
    power: { column: 'Plane of array', index: 7, watts: 1 },
    measures: { quantity: 'irradianceWm2', channel: 'irradiation' },
    more: ['directIrradianceWm2=Direct Normal', 'ambientTemperatureC=Ambient Temperature'],
    rows: 1151,
    empty: 4,
    refused: 0,
    instant: slashes,
  },
];

describe.skipIf(!present)('recordings of real plants', () => {
  let installation: Installation;
  let storage: Storage;

  beforeAll(async () => {
    installation = await createImportInstallation({
      now: '2022-04-01T00:00:00Z',
      timeZone: 'America/Denver',
      // The largest of them has modules of 408 kWp.
      capacityKwp: 500,
      sns: recordings.map(({ file }) => file),
    });
    storage = openStorage(`${installation.folder}/data/helioport.db`);
  });
  afterAll(async () => {
    await storage?.close();
    installation.remove();
  });

  const load = async (
    recording: Recording,
  ): Promise<{
    rows: number;
    accepted: number;
    duplicate: number;
    refused: { line: number; reason: string }[];
  }> => {
    const { file, time, zone, power, more, measures } = recording;
    const unit = power.unit === undefined ? '' : `:${power.unit}`;
    const mapped = [`${measures?.quantity ?? 'acPowerW'}=${power.column}${unit}`, ...more].flatMap(
      (mapping) => ['--map', mapping],
    );
    return (
      await installation.helioport(
        'import',
        `${RECORDINGS}${file}`,
        '--device',
        file,
        '--time',
        time,
        '--zone',
        zone,
        ...mapped,
        '--json',
      )
    ).json();
  };

  const rollups = async (sn: string): Promise<DayRollup[]> => {
    const { no } = await storage.db
      .selectFrom('binding')
      .innerJoin('device', 'device.id', 'binding.deviceId')
      .select('no')
      .where('sn', '=', sn)
      .executeTakeFirstOrThrow();
    return telemetryOf(storage).daysOf(storage.db, [no], 0, 99_999_999);
  };

  const stored = (sn: string): Promise<unknown[]> =>
    storage.db
      .selectFrom('sample')
      .innerJoin('device', 'device.series', 'sample.series')
      .select(['at', 'values', 'fields'])
      .where('sn', '=', sn)
      .orderBy('at')
      .execute();

  test.each(recordings)(
    '$file: the days’ energies are those of an independent calculation, and importing twice changes nothing',
    async (recording) => {
      const first = await load(recording);
      expect([
        first.rows,
        first.accepted + first.refused.length,
        first.duplicate,
        first.refused.length,
      ]).toEqual([recording.rows, recording.rows - (recording.empty ?? 0), 0, recording.refused]);
      const days = await rollups(recording.file);
      const expected = energiesOf(recording);
      expect(days.map(({ day }) => day)).toEqual([...expected.keys()]);
      for (const { day, energies } of days) {
        const energy = energies[recording.measures?.channel ?? 'production'];
        if (expected.get(day) === undefined) expect(energy).toBeUndefined();
        else
          expect(energy).toEqual({
            energyKwh: expect.closeTo(expected.get(day)!, 5),
            estimated: true,
          });
      }
      const before = [await rollups(recording.file), await stored(recording.file)];
      const second = await load(recording);
      expect(second).toEqual({ ...first, accepted: 0, duplicate: first.accepted });
      expect([await rollups(recording.file), await stored(recording.file)]).toEqual(before);
    },
  );

  test('small negative power at night is kept as it was recorded', async () => {
    const { series } = await storage.db
      .selectFrom('device')
      .select('series')
      .where('sn', '=', 'serf_west_15min.csv')
      .executeTakeFirstOrThrow();
    const [first] = await telemetryOf(storage).readingsBetween(
      storage.db,
      series,
      0,
      Date.parse('2022-01-02T07:02:00Z'),
    );
    expect(first).toEqual({
      at: Date.parse('2022-01-02T07:01:00Z'),
      values: { acPowerW: -9.05, dcPowerW: 0, temperatureC: 6.0815, irradianceWm2: -1.9775 },
    });
  });
});

/**
 * kWh by day in Denver, worked out from the file alone: a time series whose power is a line between two points at most an hour apart. Days without any power
 * have undefined.
 */
function energiesOf({ file, power, more, instant }: Recording): Map<number, number | undefined> {
  const [, ...lines] = readFileSync(`${RECORDINGS}${file}`, 'utf8').trim().split(/\r?\n/);
  const rows = lines
    .map((line) => line.split(','))
    .map((cells) => ({
      at: instant(cells[0]!),
      watts: cells[power.index] === '' ? undefined : Number(cells[power.index]) * power.watts,
    }));
  // Midnight is at a quarter of an hour everywhere.
  const dayOfQuarter = new Map<number, number>();
  const dayOf = (at: number): number => {
    const quarter = Math.floor(at / 900_000);
    let day = dayOfQuarter.get(quarter);
    if (day === undefined) dayOfQuarter.set(quarter, (day = localDate('America/Denver', at)));
    return day;
  };
  // Without anything else that is taken, a row without power is none.
  const taken = rows.filter(({ watts }) => watts !== undefined || more.length > 0);
  const days = new Map<number, number | undefined>(taken.map(({ at }) => [dayOf(at), undefined]));
  const points = rows
    .filter((row) => row.watts !== undefined)
    .map(({ at, watts }) => ({ at, watts: Math.max(0, watts!) }));
  for (const { at } of points) days.set(dayOf(at), 0);
  for (let i = 1; i < points.length; i++) {
    const [from, to] = [points[i - 1]!, points[i]!];
    if (to.at - from.at > 3_600_000) continue;
    // In steps of a second, each belonging to one day.
    for (let at = from.at; at < to.at; at += 1000) {
      const wattsAt = (t: number): number =>
        from.watts + ((to.watts - from.watts) * (t - from.at)) / (to.at - from.at);
      const day = dayOf(at);
      days.set(day, (days.get(day) ?? 0) + (wattsAt(at) + wattsAt(at + 1000)) / 2 / 3_600_000);
    }
  }
  return days;
}
