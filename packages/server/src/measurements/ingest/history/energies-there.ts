import { channelSources, type EnergyChannel } from '../../energy/channels.ts';
import type { HistoryAccount, AskedOperation, HistoryDoubts } from './account.ts';
import { amountIn, answeredNumber, rowOf, rowsIn, textIn, type ForeignRow } from './answers.ts';
import type { DeviceThere, HistoryKind } from './devices-there.ts';

/** Channels of which rows of energy tell, with the names that may hold them, the preferred one first. */
const FIELDS = {
  production: ['energy', 'produceEnergy'],
  gridImport: ['gridPurchasedEnergy', 'epmBuyEnergy'],
  gridExport: ['gridSellEnergy', 'epmSellEnergy'],
  batteryCharge: ['batteryChargeEnergy'],
  batteryDischarge: ['batteryDischargeEnergy'],
  load: ['homeLoadEnergy', 'consumeEnergy'],
} as const satisfies { readonly [C in EnergyChannel]?: readonly string[] };

/** A channel of which rows of energy tell. */
export type Told = keyof typeof FIELDS;
export const toldChannels = Object.keys(FIELDS) as readonly Told[];

/** Energies, kWh. */
export type EnergiesThere = { readonly [C in Told]?: number };

/** Energies by period: a year (yyyy), a month (yyyymm) or a day (yyyymmdd). */
export type EnergiesByPeriod = ReadonlyMap<number, EnergiesThere>;

type Span = 'all' | 'year' | 'month';

const OPERATIONS: Readonly<Record<HistoryKind, Readonly<Record<Span, AskedOperation>>>> = {
  inverter: { all: 'inverterAll', year: 'inverterYear', month: 'inverterMonth' },
  epm: { all: 'epm/all', year: 'epm/year', month: 'epm/month' },
};

// Required by the interface that others have; no amount of money is read.
const MONEY = 'EUR';

/** Energies of a device in each year. */
export const askYears = (
  account: HistoryAccount,
  { sn, kind }: DeviceThere,
  doubts: HistoryDoubts,
) =>
  account
    .ask(OPERATIONS[kind].all, { sn, money: MONEY })
    .then((data) => energiesIn(data, yearIn, doubts));

/** Energies of a device in each month of a year. */
export const askMonths = (
  account: HistoryAccount,
  { sn, kind }: DeviceThere,
  year: number,
  doubts: HistoryDoubts,
) =>
  account
    .ask(OPERATIONS[kind].year, { sn, money: MONEY, year: String(year) })
    .then((data) => within(energiesIn(data, monthIn, doubts), year, doubts));

/** Energies of a device on each day of a month (yyyymm). */
export const askDays = (
  account: HistoryAccount,
  { sn, kind, zoneHours }: DeviceThere,
  month: number,
  doubts: HistoryDoubts,
) =>
  account
    .ask(OPERATIONS[kind].month, {
      sn,
      money: MONEY,
      month: `${Math.trunc(month / 100)}-${String(month % 100).padStart(2, '0')}`,
      ...(zoneHours !== undefined && { timeZone: zoneHours }),
    })
    .then((data) => within(energiesIn(data, dayIn, doubts), month, doubts));

function energiesIn(
  data: unknown,
  periodIn: (row: ForeignRow) => number | undefined,
  doubts: HistoryDoubts,
): Map<number, EnergiesThere> {
  const found = new Map<number, EnergiesThere>();
  for (const row of rowsIn(data)) {
    const period = periodIn(row);
    if (period === undefined) {
      doubts.add('a row of energy has no date');
      continue;
    }
    const energies = energiesOf(row, doubts);
    const before = found.get(period);
    if (!before) found.set(period, energies);
    else if (toldChannels.some((channel) => before[channel] !== energies[channel]))
      doubts.add('two rows of energy of the same period contradict each other');
  }
  return found;
}

function energiesOf(row: ForeignRow, doubts: HistoryDoubts): EnergiesThere {
  const energies: { [C in Told]?: number } = {};
  for (const channel of toldChannels) {
    for (const name of FIELDS[channel]) {
      const kwh = amountIn(row, name, 'kWh', doubts)?.value;
      if (kwh === undefined) continue;
      if (kwh < 0) doubts.add(`${name} is negative`);
      else energies[channel] = kwh;
      break;
    }
  }
  return energies;
}

/** Months of a year (yyyy), or days of a month (yyyymm). */
function within(
  found: Map<number, EnergiesThere>,
  whole: number,
  doubts: HistoryDoubts,
): Map<number, EnergiesThere> {
  for (const period of found.keys()) {
    if (Math.trunc(period / 100) === whole) continue;
    found.delete(period);
    doubts.add('a row of energy is of another time than asked for');
  }
  return found;
}

const FIRST_YEAR = 2000;
const isYear = (year: number): boolean =>
  Number.isInteger(year) && year >= FIRST_YEAR && year < 2100;

function yearIn(row: ForeignRow): number | undefined {
  const year = answeredNumber(row['year']) ?? datesIn(row)?.[0];
  return year !== undefined && isYear(year) ? year : undefined;
}

function monthIn(row: ForeignRow): number | undefined {
  const [year, month] = datesIn(row) ?? [];
  return month === undefined ? undefined : year! * 100 + month;
}

function dayIn(row: ForeignRow): number | undefined {
  const [year, month, day] = datesIn(row) ?? [];
  if (day === undefined) return undefined;
  const date = new Date(Date.UTC(year!, month! - 1, day));
  return date.getUTCDate() === day ? year! * 10_000 + month! * 100 + day : undefined;
}

const DATE = /^(\d{4})-(\d{1,2})(?:-(\d{1,2}))?\b/;

/** Year, month and perhaps day of a row: as text on the plant's calendar, else as an instant that is noon somewhere. */
function datesIn(row: ForeignRow): readonly number[] | undefined {
  const text = textIn(row, 'dateStr');
  const at = answeredNumber(row['date']);
  const written =
    text ??
    (at !== undefined && Math.abs(at) < 8e15 ? new Date(at).toISOString().slice(0, 10) : '');
  const parts = DATE.exec(written)
    ?.slice(1)
    .filter((part) => part !== undefined)
    .map(Number);
  if (!parts || !isYear(parts[0]!) || parts[1]! < 1 || parts[1]! > 12) return undefined;
  return parts;
}

/** A device's counter of all time and of today, kWh, and the step with which the former is shown. */
export interface TotalsThere {
  readonly total: number;
  readonly today: number;
  readonly step: number;
}

const TOTALS = {
  production: ['eTotal', 'eToday'],
  gridImport: ['gridPurchasedTotalEnergy', 'gridPurchasedTodayEnergy'],
  gridExport: ['gridSellTotalEnergy', 'gridSellTodayEnergy'],
  batteryCharge: ['batteryTotalChargeEnergy', 'batteryTodayChargeEnergy'],
  batteryDischarge: ['batteryTotalDischargeEnergy', 'batteryTodayDischargeEnergy'],
  load: ['homeLoadTotalEnergy', 'homeLoadTodayEnergy'],
} as const satisfies Readonly<Record<Told, readonly [total: string, today: string]>>;

const EPM_TOTALS: { readonly [C in Told]?: string } = {
  production: 'eToaalInverter',
  gridImport: 'eTotalBuy',
  gridExport: 'eTotalSell',
  load: 'eTotalLoad',
};

/** What the counters of a device show by now. `today` is what rows of energy tell of this day, for devices that do not tell it themselves. */
export async function askTotals(
  account: HistoryAccount,
  { sn, kind }: DeviceThere,
  today: EnergiesThere,
  doubts: HistoryDoubts,
): Promise<{ readonly [C in Told]?: TotalsThere }> {
  const isEpm = kind === 'epm';
  const row = rowOf(await account.ask(isEpm ? 'epmDetail' : 'inverterDetail', { sn }));
  const totals: { [C in Told]?: TotalsThere } = {};
  for (const channel of toldChannels) {
    const name = isEpm ? EPM_TOTALS[channel] : TOTALS[channel][0];
    const total = name === undefined ? undefined : amountIn(row, name, 'kWh', doubts);
    if (!total) continue;
    const soFar = isEpm
      ? (today[channel] ?? 0)
      : amountIn(row, TOTALS[channel][1], 'kWh', doubts)?.value;
    if (soFar === undefined) continue;
    // What ran on the backup port counts as load in rows of energy, but has a counter of its own.
    if (channel === 'load' && (answeredNumber(row['backupTotalEnergy']) ?? 0) > 0) continue;
    totals[channel] = { total: total.value, today: soFar, step: total.step };
  }
  return totals;
}

/** The daily counter of a channel. */
export const dayCounterOf = (channel: Told) => channelSources[channel].today;
/** The total counter of a channel. */
export const totalCounterOf = (channel: Told) => channelSources[channel].total;
