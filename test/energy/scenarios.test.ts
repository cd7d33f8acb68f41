import { describe, expect, test } from 'vitest';
import { channels, type Channel } from '../../packages/server/src/measurements/energy/channels.ts';
import { MWH_PER_KWH } from '../../packages/server/src/measurements/energy/counter.ts';
import { energyOf } from '../../packages/server/src/measurements/energy/day-energy.ts';
import {
  NO_TOTALS,
  totalsAfterDay,
} from '../../packages/server/src/measurements/energy/month-state.ts';
import { foldedDevice, foldReadings, type Folded } from '../telemetry/folding.ts';

/** A row: day and time of June 2026 (UTC), and the values of `columns`; `-` = not read. */
type Row = readonly [time: string, ...values: readonly (number | '-')[]];

interface Scenario {
  readonly name: string;
  /** Without it, an inverter of no rating in a plant of 10 kWp, in UTC. */
  readonly device?: Folded;
  /** Without them, a total counter alone. */
  readonly columns?: readonly string[];
  readonly rows: readonly Row[];
  readonly channel?: Channel;
  /** Energy of each day, kWh; `~` where estimated, `?` where nobody knows. */
  readonly days: Readonly<Record<string, string>>;
  /** The device's total afterwards, kWh. */
  readonly total?: number;
}

const rollOvers: Scenario[] = [
  {
    name: 'a total that reads 0 twice and is back yields what it grew while it was read',
    rows: [
      ['15 10:00', 462.0],
      ['15 10:05', 462.1],
      ['15 10:10', 0],
      ['15 10:15', 0],
      ['15 10:20', 462.2],
      ['15 10:25', 462.3],
    ],
    days: { '15': '0.3' },
    total: 462.3,
  },
  {
    name: 'a total that reads 0 for hours yields what it had grown when it is back',
    rows: [
      ['15 10:00', 462],
      ['15 10:30', 464],
      ['15 11:00', 0],
      ['15 11:30', 0],
      ['15 14:00', 0],
      ['15 14:30', 484],
      ['15 15:00', 486],
    ],
    days: { '15': '24' },
  },
  {
    name: 'a total that reads 0 every night counts nothing twice',
    rows: [
      ['15 18:00', 462],
      ['15 19:00', 462.5],
      ['15 22:00', 0],
      ['15 23:00', 0],
      ['16 03:00', 0],
      ['16 08:00', 462.5],
      ['16 12:00', 482.5],
      ['16 20:00', 502.5],
      ['16 22:00', 0],
      ['16 23:30', 0],
      ['17 08:00', 502.5],
    ],
    days: { '15': '0.5', '16': '40', '17': '0' },
    total: 502.5,
  },
  {
    name: 'a swapped meter yields what each of the two has grown',
    rows: [
      ['15 10:00', 462.0],
      ['15 10:05', 462.1],
      ['15 10:10', 12.0],
      ['15 10:15', 12.1],
      ['15 10:20', 12.2],
    ],
    days: { '15': '0.3' },
  },
  {
    name: 'a jump of 500 is not believed',
    rows: [
      ['15 10:00', 462.0],
      ['15 10:05', 462.1],
      ['15 10:10', 962.1],
      ['15 10:15', 962.2],
      ['15 10:20', 962.3],
    ],
    days: { '15': '0.3' },
  },
  {
    name: 'energy bought is bounded likewise, whatever the rated power',
    device: { ratedPowerW: 8000 },
    columns: ['gridImportTotalKwh'],
    channel: 'gridImport',
    rows: [
      ['15 10:00', 462.0],
      ['15 10:05', 462.1],
      ['15 10:10', 0],
      ['15 10:15', 0],
      ['15 10:20', 462.2],
      ['15 10:25', 462.3],
    ],
    days: { '15': '0.3' },
  },
  {
    name: 'a counter of the day with two zeros counts once',
    columns: ['energyTodayKwh'],
    rows: [
      ['15 10:00', 10],
      ['15 10:05', 10.2],
      ['15 10:10', 0],
      ['15 10:15', 0],
      ['15 10:20', 10.2],
      ['15 10:25', 10.2],
    ],
    days: { '15': '10.2' },
  },
  {
    name: 'what another device’s level grew is taken back when the old one is back, from closed days too',
    rows: [
      ['15 10:00', 462],
      ['15 11:00', 466],
      ['15 12:00', 5000],
      ['15 13:00', 5003],
      ['16 10:00', 5010],
      ['16 11:00', 5014],
      ['17 10:00', 486],
      ['17 11:00', 489],
    ],
    // 4 and 3 kWh were read; 20 in between, by a half sine from 6 to 18 o'clock: 1 + cos 75° : 2 : 1 - cos 60°, in 3.7588 parts.
    days: { '15': '~10.69795', '16': '~10.64164', '17': '~5.66041' },
    total: 489,
  },
  {
    name: 'and so is what it had grown by the day on which the old one is back',
    rows: [
      ['15 10:00', 462],
      ['15 11:00', 466],
      ['15 12:00', 5000],
      ['15 13:00', 5003],
      ['17 10:00', 5014],
      ['17 10:30', 486],
      ['17 11:00', 489],
    ],
    // 20 kWh in between: 1 + cos 75° : 2 : 1 - cos 67.5°, in 3.8761 parts.
    days: { '15': '~10.495227', '16': '~10.319556', '17': '~6.185217' },
    total: 489,
  },
  {
    name: 'even if it had grown nothing before',
    rows: [
      ['15 10:00', 462],
      ['15 11:00', 466],
      ['15 12:00', 0],
      ['15 12:10', 0],
      ['17 10:00', 5],
      ['17 10:30', 486],
      ['17 11:00', 489],
    ],
    days: { '15': '~10.495227', '16': '~10.319556', '17': '~6.185217' },
    total: 489,
  },
];

const noReturns: Scenario[] = [
  {
    name: 'jitter on a new level is no return to the one before, where nothing bounds the growth in between',
    device: { capacityKwp: null },
    columns: ['energyTodayKwh'],
    rows: [
      ['15 10:00', 30.5],
      ['15 10:15', 10_062],
      ['15 10:30', 10_062.2],
      ['15 11:30', 10_062.4],
      ['15 11:45', 10_062.3],
      ['15 12:00', 10_062.6],
    ],
    days: { '15': '31.1' },
  },
  {
    name: 'a reading of 0 is no return to a low level either',
    rows: [
      ['15 10:00', 0.2],
      ['15 10:15', 0.4],
      ['15 10:30', 0.6],
      ['15 10:45', 700],
      ['15 11:00', 700.2],
      ['15 11:15', 0],
      ['15 11:30', 700.6],
    ],
    days: { '15': '1' },
  },
];

const bounds: Scenario[] = [
  {
    name: '3 MW without a rated power, read every half hour, yields what it counts',
    device: { capacityKwp: 3000 },
    rows: [
      ['15 10:00', 1000],
      ['15 10:30', 2500],
      ['15 11:00', 4000],
    ],
    days: { '15': '3000' },
  },
  {
    name: '3 MW in a plant of no known capacity, too',
    device: { capacityKwp: null },
    rows: [
      ['15 10:00', 1000],
      ['15 10:30', 2500],
      ['15 11:00', 4000],
    ],
    days: { '15': '3000' },
  },
  {
    name: 'a counter beyond its bounds leaves the word to power',
    columns: ['energyTotalKwh', 'acPowerW'],
    rows: [
      ['15 10:00', 1000, 8000],
      ['15 11:00', 3000, 8000],
      ['15 12:00', 5000, 8000],
      ['15 13:00', 7000, 8000],
    ],
    days: { '15': '~24' },
  },
  {
    name: 'a counter of the day stuck at 0 beside 4 kW leaves the word to power',
    columns: ['energyTodayKwh', 'acPowerW'],
    rows: [
      ['15 10:00', 0, 4000],
      ['15 11:00', 0, 4000],
      ['15 12:00', 0, 4000],
    ],
    days: { '15': '~8' },
  },
];

const minutes = (values: (minute: number) => readonly number[]): Row[] =>
  Array.from(
    { length: 60 },
    (_, minute) => [`15 10:${String(minute).padStart(2, '0')}`, ...values(minute)] as const,
  );
const dayBounds: Scenario[] = [
  {
    name: 'a day yields no more than 24 hours of 1.5 times the rating',
    device: { ratedPowerW: 1000 },
    columns: ['acPowerW'],
    rows: Array.from(
      { length: 20 },
      (_, hour) => [`15 ${String(hour).padStart(2, '0')}:00`, 3000] as const,
    ),
    days: { '15': '~36' },
  },
  {
    // Each step of 1 kWh can be, but not one each minute: 59 kWh of a bound of 31.2.
    name: 'a total that tells more than the day can yield leaves the word to power',
    device: { capacityKwp: 1 },
    columns: ['energyTotalKwh', 'acPowerW'],
    rows: minutes((minute) => [100 + minute, 600]),
    days: { '15': '~0.59' },
  },
  {
    name: 'and so does a counter of the day',
    device: { capacityKwp: 1 },
    columns: ['energyTodayKwh', 'acPowerW'],
    rows: minutes((minute) => [minute, 600]),
    days: { '15': '~0.59' },
  },
];

const totals: Scenario[] = [
  {
    name: 'a total holds the first day also where power tells that',
    columns: ['energyTotalKwh', 'acPowerW'],
    rows: [
      ['15 08:00', 1000, 5000],
      ['15 09:00', 1000, 5000],
      ['15 10:00', 1000, 5000],
      ['16 10:00', 1000, 0],
      ['16 11:00', 1004, 0],
    ],
    days: { '15': '~10', '16': '4' },
    total: 1014,
  },
  {
    name: 'a first day with a single reading of a total is unknown',
    rows: [['15 10:00', 1000]],
    days: { '15': '?' },
    total: 1000,
  },
  {
    name: 'and so is one with a single reading of power',
    columns: ['acPowerW'],
    rows: [['15 10:00', 4000]],
    days: { '15': '?' },
  },
  {
    name: 'what the total counts before it is read first is taken from power',
    columns: ['energyTotalKwh', 'acPowerW'],
    rows: [
      ['15 08:00', '-', 4000],
      ['15 09:00', '-', 4000],
      ['15 10:00', 1000, 4000],
      ['15 11:00', 1004, 4000],
    ],
    days: { '15': '~12' },
    total: 1004,
  },
];

const gaps: Scenario[] = [
  {
    name: 'one reading a day at 00:00 tells of the day before',
    rows: [
      ['15 00:00', 100],
      ['16 00:00', 150],
      ['17 00:00', 210],
    ],
    days: { '15': '50', '16': '60', '17': '0' },
    total: 210,
  },
  {
    name: 'what grew on three silent days is divided among them and the days around',
    rows: [
      ['15 10:00', 100],
      ['15 18:00', 144],
      ['19 06:00', 276],
      ['19 18:00', 320],
    ],
    days: { '15': '44', '16': '~44', '17': '~44', '18': '~44', '19': '44' },
  },
  {
    name: 'the day’s own counter says what of it is the last day’s',
    columns: ['energyTotalKwh', 'energyTodayKwh'],
    rows: [
      ['15 10:00', 100, 10],
      ['15 18:00', 144, 54],
      ['17 12:00', 214, 20],
      ['17 18:00', 224, 30],
    ],
    days: { '15': '54', '16': '50', '17': '30' },
  },
  {
    name: 'what grew in the dark is divided by time',
    rows: [
      ['15 20:00', 100],
      ['15 21:00', 101],
      ['16 03:00', 103],
    ],
    days: { '15': '~2', '16': '~1' },
  },
  {
    name: 'what is bought flows by night, too',
    columns: ['gridImportTotalKwh'],
    channel: 'gridImport',
    rows: [
      ['15 11:00', 90],
      ['15 12:00', 100],
      ['17 12:00', 196],
    ],
    days: { '15': '~34', '16': '~48', '17': '~24' },
  },
  {
    name: 'where the plant’s place is known, the sun divides: nothing grows at night in Berlin, however the clock runs',
    device: { latitude: 52.5, longitude: 13.4, timeZone: 'Europe/Berlin' },
    rows: [
      ['15 12:00', 100],
      ['15 20:00', 130],
      ['17 01:00', 190],
    ],
    days: { '15': '30', '16': '60', '17': '0' },
  },
];

const coverage: Scenario[] = [
  {
    name: 'when a total vanishes at noon, power tells of the afternoon',
    columns: ['energyTotalKwh', 'acPowerW'],
    rows: [
      ['15 00:00', 100, 0],
      ['15 10:00', 120, 4000],
      ['15 11:00', 124, 4000],
      ['15 12:00', 128, 4000],
      ['15 13:00', '-', 4000],
      ['15 14:00', '-', 4000],
      ['15 15:00', '-', 4000],
    ],
    days: { '15': '~40' },
  },
  {
    name: 'or the counter of the day, where it goes on',
    columns: ['energyTotalKwh', 'energyTodayKwh'],
    rows: [
      ['15 00:00', 100, 0],
      ['15 10:00', 120, 20],
      ['15 12:00', 128, 28],
      ['15 14:00', '-', 36],
      ['15 18:00', '-', 44],
    ],
    days: { '15': '44' },
  },
  {
    name: 'jitter of a counter’s own step without power adds nothing',
    rows: [
      ['15 20:00', 462.1],
      ['15 20:05', 462.0],
      ['15 20:10', 462.0],
      ['15 20:15', 462.1],
      ['15 20:20', 462.0],
      ['15 20:25', 462.0],
      ['15 20:30', 462.2],
    ],
    days: { '15': '0.1' },
    total: 462.2,
  },
  {
    name: 'and of whole kilowatt-hours neither',
    rows: [
      ['15 10:00', 462],
      ['15 10:05', 461],
      ['15 10:10', 461],
      ['15 10:15', 462],
      ['15 10:20', 461],
      ['15 10:25', 461],
      ['15 10:30', 463],
    ],
    days: { '15': '1' },
  },
];

/** A day from 6 to 16 o'clock: 1 kW, and counters that grow by as much, in the given units. */
const sunnyDay = (day: string, total: number, totalPerKwh: number, today = true): Row[] =>
  Array.from({ length: 21 }, (_, i): Row => {
    const [hours, kwh] = [6 + Math.floor(i / 2), i / 2];
    const level = Math.round((total + kwh * totalPerKwh) * 100) / 100;
    const at = `${day} ${String(hours).padStart(2, '0')}:${i % 2 ? '30' : '00'}`;
    return [at, level, today ? kwh : '-', 1000];
  });
const votes: Scenario[] = [
  {
    name: 'a total that goes over to MWh is outvoted by the two others, and so is its roll-over',
    columns: ['energyTotalKwh', 'energyTodayKwh', 'acPowerW'],
    rows: [
      ...sunnyDay('15', 989.9, 1),
      ...sunnyDay('16', 1, 0.001),
      ...sunnyDay('17', 1.01, 0.001),
    ],
    days: { '15': '10', '16': '10', '17': '10' },
  },
  {
    name: 'wherever it was',
    columns: ['energyTotalKwh', 'energyTodayKwh', 'acPowerW'],
    rows: [
      ...sunnyDay('15', 1224.5, 1),
      ...sunnyDay('16', 1.23, 0.001),
      ...sunnyDay('17', 1.24, 0.001),
    ],
    days: { '15': '10', '16': '10', '17': '10' },
  },
  {
    name: 'the daily counter alone shows that the total counts in another unit',
    columns: ['energyTotalKwh', 'energyTodayKwh'],
    rows: [
      ...sunnyDay('15', 1224.5, 1).map((row): Row => row.slice(0, 3) as unknown as Row),
      ...sunnyDay('16', 1.23, 0.001).map((row): Row => row.slice(0, 3) as unknown as Row),
      ...sunnyDay('17', 1.24, 0.001).map((row): Row => row.slice(0, 3) as unknown as Row),
    ],
    days: { '15': '10.73', '16': '10', '17': '10' },
  },
  {
    name: 'power alone does not outvote it',
    columns: ['energyTotalKwh', 'energyTodayKwh', 'acPowerW'],
    rows: [...sunnyDay('15', 900, 1, false), ...sunnyDay('16', 910, 0.5, false)],
    days: { '15': '10', '16': '5' },
  },
  {
    name: 'nor do both of them where they were not read as long as the total',
    columns: ['energyTotalKwh', 'energyTodayKwh', 'acPowerW'],
    rows: [
      ...sunnyDay('15', 100, 1).slice(0, 11),
      ['17 05:00', 155, 0, 0],
      ['17 06:00', 155, 0, 0],
    ],
    days: { '15': '~24.314037', '16': '~30.685963', '17': '0' },
  },
  {
    name: 'nor does a daily counter that was reset in a gap in which power was not measured either',
    columns: ['energyTotalKwh', 'energyTodayKwh', 'acPowerW'],
    rows: [
      ['15 06:00', 100, 0, 4000],
      ['15 07:00', 104, 4, 4000],
      ['15 08:00', 108, 8, 4000],
      ['15 14:00', 132, 0.1, 4000],
      ['15 15:00', 136, 4.1, 4000],
      ['15 16:00', 140, 8.1, 4000],
    ],
    days: { '15': '40' },
  },
];

describe.each([
  ['counters that fall and jump', rollOvers],
  ['what is no return', noReturns],
  ['bounds', bounds],
  ['bounds of days', dayBounds],
  ['first days and totals', totals],
  ['times in which nothing was read', gaps],
  ['sources', coverage],
  ['votes', votes],
])('%s', (_, scenarios) => {
  test.each(scenarios)(
    '$name',
    ({ device, columns = ['energyTotalKwh'], rows, channel = 'production', days, total }) => {
      const folded = foldReadings(
        rows.map(([time, ...values]) => [
          Date.parse(`2026-06-${time.replace(' ', 'T')}:00Z`),
          Object.fromEntries(
            columns.flatMap((name, i) => (values[i] === '-' ? [] : [[name, values[i] as number]])),
          ),
        ]),
        foldedDevice(device),
      );
      const number = channels.indexOf(channel);
      expect(
        Object.fromEntries(
          folded.map(({ day, state }) => [String(day % 100), shown(energyOf(state, number))]),
        ),
      ).toEqual(days);
      if (total === undefined) return;
      const { energy, before } = folded.reduce(
        (totalsBefore, { state }) => totalsAfterDay(totalsBefore, state, number),
        NO_TOTALS,
      );
      expect((energy + before) / MWH_PER_KWH).toBeCloseTo(total, 6);
    },
  );
});

const shown = (energy: ReturnType<typeof energyOf>): string =>
  energy ? `${energy.estimated ? '~' : ''}${energy.mwh / MWH_PER_KWH}` : '?';
