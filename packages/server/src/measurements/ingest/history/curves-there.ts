import { quantities, type QuantityName } from '@helioport/contract';
import { dayText } from '../../../platform/calendar/plant-calendar.ts';
import type { HistoryAccount, HistoryDoubts } from './account.ts';
import { amountIn, answeredNumber, rowOf, rowsIn, textIn, type ForeignRow } from './answers.ts';
import type { DeviceThere } from './devices-there.ts';
import type { HistoryReading } from './matched-device.ts';

const numbered = (count: number, name: string, quantity: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => [`${name}${i + 1}`, quantity(i + 1)] as const);

/** Powers in a row of a day, in W unless a unit is named beside them. */
const POWERS: readonly (readonly [name: string, quantity: QuantityName])[] = [
  ['pac', 'acPowerW'],
  ['pSum', 'gridPowerW'],
  ['batteryPower', 'batteryPowerW'],
];

/** Other values in a row of a day, in the unit of their quantity. Counters are left out: the energies of days are exact, and devices keep yesterday’s level in the morning. */
const VALUES = [
  ...numbered(32, 'uPv', (i) => `dcVoltage${i}V`),
  ...numbered(32, 'iPv', (i) => `dcCurrent${i}A`),
  ...numbered(32, 'pow', (i) => `dcPower${i}W`),
  ...numbered(3, 'uAc', (i) => `acVoltage${i}V`),
  ...numbered(3, 'iAc', (i) => `acCurrent${i}A`),
  ['fac', 'gridFrequencyHz'],
  ['powerFactor', 'powerFactor'],
  ['batteryCapacitySoc', 'batterySocPercent'],
  ['batteryHealthSoh', 'batterySohPercent'],
  ['batteryVoltage', 'batteryVoltageV'],
  ['bstteryCurrent', 'batteryCurrentA'],
].filter(([, quantity]) => quantities.has(quantity as QuantityName)) as [string, QuantityName][];

/** What a curve of an EPM unit is asked for, as parallel arrays. */
const EPM_VALUES = [
  ...numbered(3, 'u_ac', (i) => `acVoltage${i}V`),
  ...numbered(3, 'i_ac', (i) => `acCurrent${i}A`),
  ...numbered(3, 'p_ac', (i) => `acPower${i}W`),
  ['power_factor', 'powerFactor'],
  ['fac_meter', 'gridFrequencyHz'],
  ['p_load', 'loadPowerW'],
  ['e_epm_total', 'gridPowerW'],
  ['p_inverter_total', 'acPowerW'],
] as [string, QuantityName][];

type Values = { [Name in QuantityName]?: number };

/** More readings than a day can have in an answer. */
const ROWS_AT_MOST = 5_000;

/** What a device measured in the course of a day, ascending, and nothing from outside of it. */
export async function askCurve(
  account: HistoryAccount,
  { sn, kind, zoneHours }: DeviceThere,
  day: number,
  {
    startAt,
    endAt,
    doubts,
  }: { readonly startAt: number; readonly endAt: number; readonly doubts: HistoryDoubts },
): Promise<HistoryReading[]> {
  const of = {
    sn,
    time: dayText(day),
    ...(zoneHours !== undefined && { timeZone: zoneHours }),
  };
  const read =
    kind === 'inverter'
      ? inverterReadings(await account.ask('inverterDay', { ...of, money: 'EUR' }), doubts)
      : epmReadings(
          await account.ask('epm/day', {
            ...of,
            searchinfo: EPM_VALUES.map(([name]) => name).join(','),
          }),
        );
  if (read.length > ROWS_AT_MOST) {
    doubts.add(`a day has more than ${ROWS_AT_MOST} readings: left out`);
    return [];
  }
  const byTime = new Map<number, Values>();
  for (const { at, values } of read) {
    if (at >= startAt && at < endAt) byTime.set(at, { ...byTime.get(at), ...values });
    else doubts.add('a reading is of another day than asked for');
  }
  const unmeasured = neverAbove0(byTime.values());
  return [...byTime]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([at, values]) => {
      const measured = Object.fromEntries(
        Object.entries(values).filter(([name]) => !unmeasured.has(name)),
      );
      return Object.keys(measured).length === 0 ? [] : [{ at, values: measured }];
    });
}

/** Quantities that are 0 all day: the interface answers 0 for what a device does not have. Only the power that it delivers can be just that. */
function neverAbove0(rows: Iterable<Values>): Set<string> {
  const [all, measured] = [new Set<string>(), new Set<string>(['acPowerW'])];
  for (const values of rows) {
    for (const [name, value] of Object.entries(values)) {
      all.add(name);
      if (value !== 0) measured.add(name);
    }
  }
  return all.difference(measured);
}

function inverterReadings(data: unknown, doubts: HistoryDoubts): HistoryReading[] {
  return rowsIn(data).flatMap((row) => {
    // Its texts may be of another zone.
    const at = answeredNumber(row['dataTimestamp']);
    if (at === undefined || !Number.isInteger(at)) {
      doubts.add('a reading has no time');
      return [];
    }
    return [{ at, values: inverterValues(row, doubts) }];
  });
}

function inverterValues(row: ForeignRow, doubts: HistoryDoubts): Values {
  const values: Values = {};
  for (const [name, quantity] of POWERS) {
    const power = amountIn(row, name, 'W', doubts)?.value;
    if (power !== undefined) values[quantity] = power;
  }
  for (const [name, quantity] of VALUES) {
    const value = answeredNumber(row[name]);
    if (value !== undefined) values[quantity] = value;
  }
  const loads = ['familyLoadPower', 'bypassLoadPower'].flatMap(
    (name) => amountIn(row, name, 'W', doubts)?.value ?? [],
  );
  // In the energies of days, what runs on the backup port is part of the load.
  if (loads.length > 0) values.loadPowerW = loads.reduce((sum, one) => sum + one, 0);
  const temperature = answeredNumber(row['inverterTemperature']);
  if (temperature !== undefined) values.temperatureC = celsius(row, temperature);
  // The power of the battery comes without its sign.
  if ((values.batteryCurrentA ?? 0) < 0 && (values.batteryPowerW ?? 0) > 0)
    values.batteryPowerW = -values.batteryPowerW!;
  return values;
}

const celsius = (row: ForeignRow, value: number): number =>
  /F|℉/.test(textIn(row, 'inverterTemperatureUnit') ?? '') ? ((value - 32) * 5) / 9 : value;

function epmReadings(data: unknown): HistoryReading[] {
  const columns = rowOf(data);
  const times = columns['data_timestamp'];
  if (!Array.isArray(times)) return [];
  const lists = EPM_VALUES.flatMap(([name, quantity]) => {
    const list = columns[name];
    // Of lists that are not parallel it is not known which value belongs to which time.
    return Array.isArray(list) && list.length === times.length ? [[quantity, list] as const] : [];
  });
  return times.flatMap((time: unknown, i) => {
    const at = answeredNumber(time);
    if (at === undefined || !Number.isInteger(at)) return [];
    const values: Values = {};
    for (const [quantity, list] of lists) {
      const value = answeredNumber(list[i]);
      if (value !== undefined) values[quantity] = value;
    }
    return [{ at, values }];
  });
}
