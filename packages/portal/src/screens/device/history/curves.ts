import type { EpmSeriesName, WireData } from '@helioport/contract';
import type { ChartData } from '../../../parts/charts/series.ts';
import type { Texts } from '../texts/en.ts';

/** One curve: its wire name, and its text; strings and phases have a number. */
export interface Curve {
  readonly key: string;
  readonly name:
    | keyof Texts['readings']
    | { readonly of: 'string' | 'phase'; readonly number: number };
  readonly unit: string;
}

/** Curves that are shown together, in one unit. */
export interface Quantity {
  readonly name: keyof Texts['curves'];
  readonly curves: readonly Curve[];
}

/** Readings of a day: by wire name, as long as `times` (ms since 1970 UTC). */
export interface DayReadings extends ChartData {
  /** How many strings an inverter has. */
  readonly strings?: number;
}

const one = (
  name: Quantity['name'],
  key: string,
  reading: keyof Texts['readings'],
  unit: string,
): Quantity => ({
  name,
  curves: [{ key, name: reading, unit }],
});

const numbered = (
  name: Quantity['name'],
  of: 'string' | 'phase',
  count: number,
  keyOf: (number: number) => string,
  unit: string,
): Quantity => ({
  name,
  curves: Array.from({ length: count }, (_, i) => ({
    key: keyOf(i + 1),
    name: { of, number: i + 1 },
    unit,
  })),
});

const energy = (key: string, name: keyof Texts['readings']): Curve => ({ key, name, unit: 'kWh' });
const power = (key: string, name: keyof Texts['readings']): Curve => ({ key, name, unit: 'W' });

export const inverterQuantities: readonly Quantity[] = [
  {
    name: 'powers',
    curves: [
      power('pac', 'acPower'),
      power('familyLoadPower', 'loadPower'),
      power('batteryPower', 'batteryPower'),
      power('pSum', 'gridPower'),
      power('bypassLoadPower', 'backupPower'),
    ],
  },
  one('soc', 'batteryCapacitySoc', 'soc', '%'),
  numbered('stringPower', 'string', 32, (i) => `pow${i}`, 'W'),
  numbered('stringVoltage', 'string', 32, (i) => `uPv${i}`, 'V'),
  numbered('stringCurrent', 'string', 32, (i) => `iPv${i}`, 'A'),
  numbered('phaseVoltage', 'phase', 3, (i) => `uAc${i}`, 'V'),
  numbered('phaseCurrent', 'phase', 3, (i) => `iAc${i}`, 'A'),
  one('frequency', 'fac', 'frequency', 'Hz'),
  one('powerFactor', 'powerFactor', 'powerFactor', ''),
  one('temperature', 'inverterTemperature', 'temperature', '°C'),
  one('batteryVoltage', 'batteryVoltage', 'batteryVoltage', 'V'),
  one('batteryCurrent', 'bstteryCurrent', 'batteryCurrent', 'A'),
  one('soh', 'batteryHealthSoh', 'soh', '%'),
  {
    name: 'dayEnergies',
    curves: [
      energy('eToday', 'producedToday'),
      energy('homeLoadTodayEnergy', 'consumedToday'),
      energy('gridPurchasedTodayEnergy', 'boughtToday'),
      energy('gridSellTodayEnergy', 'soldToday'),
      energy('batteryTodayChargeEnergy', 'chargedToday'),
      energy('batteryTodayDischargeEnergy', 'dischargedToday'),
    ],
  },
  one('counters', 'eTotal', 'producedTotal', 'kWh'),
];

export const collectorQuantities: readonly Quantity[] = [one('signal', 'rssi', 'signal', 'dBm')];

export const epmQuantities: readonly Quantity[] = [
  {
    name: 'powers',
    curves: [
      power('p_inverter_total', 'acPower'),
      power('p_load', 'loadPower'),
      power('e_epm_total', 'gridPower'),
      power('p_limit', 'exportLimit'),
    ],
  },
  numbered('phasePower', 'phase', 3, (i) => `p_ac${i}`, 'W'),
  numbered('phaseVoltage', 'phase', 3, (i) => `u_ac${i}`, 'V'),
  numbered('phaseCurrent', 'phase', 3, (i) => `i_ac${i}`, 'A'),
  one('frequency', 'fac_meter', 'frequency', 'Hz'),
  one('powerFactor', 'power_factor', 'powerFactor', ''),
  {
    name: 'counters',
    curves: [
      energy('e_total_inverter', 'producedTotal'),
      energy('e_total_load', 'consumedTotal'),
      energy('e_total_buy', 'boughtTotal'),
      energy('e_total_sell', 'soldTotal'),
    ],
  },
];

/** Keys are the names of what was measured, as `device/day` answers. */
export const ammeterQuantities: readonly Quantity[] = [
  one('powers', 'gridPowerW', 'meterPower', 'W'),
  numbered('phasePower', 'phase', 3, (i) => `acPower${i}W`, 'W'),
  numbered('phaseVoltage', 'phase', 3, (i) => `acVoltage${i}V`, 'V'),
  numbered('phaseCurrent', 'phase', 3, (i) => `acCurrent${i}A`, 'A'),
  one('reactivePower', 'reactivePowerVar', 'reactivePower', 'Var'),
  one('apparentPower', 'apparentPowerVa', 'apparentPower', 'VA'),
  one('frequency', 'gridFrequencyHz', 'frequency', 'Hz'),
  one('powerFactor', 'powerFactor', 'powerFactor', ''),
  {
    name: 'counters',
    curves: [
      energy('gridImportTotalKwh', 'boughtTotal'),
      energy('gridExportTotalKwh', 'soldTotal'),
    ],
  },
];

export const weatherQuantities: readonly Quantity[] = [
  {
    name: 'irradiance',
    curves: [
      { key: 'irradianceWm2', name: 'irradiance', unit: 'W/m²' },
      { key: 'globalIrradianceWm2', name: 'globalIrradiance', unit: 'W/m²' },
      { key: 'directIrradianceWm2', name: 'directIrradiance', unit: 'W/m²' },
      { key: 'diffuseIrradianceWm2', name: 'diffuseIrradiance', unit: 'W/m²' },
    ],
  },
  {
    name: 'temperatures',
    curves: [
      { key: 'ambientTemperatureC', name: 'airTemperature', unit: '°C' },
      { key: 'moduleTemperatureC', name: 'moduleTemperature', unit: '°C' },
      { key: 'dewPointC', name: 'dewPoint', unit: '°C' },
    ],
  },
  one('windSpeed', 'windSpeedMs', 'windSpeed', 'm/s'),
  one('windDirection', 'windDirectionDeg', 'windDirection', '°'),
  one('humidity', 'humidityPercent', 'humidity', '%'),
  one('airPressure', 'airPressureHpa', 'airPressure', 'hPa'),
  one('rainfall', 'rainfallMm', 'rainfall', 'mm'),
  one('irradiation', 'irradiationTodayKwhm2', 'irradiationToday', 'kWh/m²'),
];

/**
 * The curves of a quantity on which something was measured. Of strings and phases, those that are zero all day are as good as none while another is not; before
 * sunrise all of them are. Of strings there are as many as the device has, however dead: who looks for a dead one must find it.
 */
export function measuredCurves(
  { curves }: Quantity,
  { values, strings = 0 }: DayReadings,
): readonly Curve[] {
  const isKnown = ({ key }: Curve): boolean => (values[key] ?? []).some((value) => value != null);
  const isMeasured = (curve: Curve): boolean =>
    isKnown(curve) &&
    (typeof curve.name === 'string' ||
      values[curve.key]!.some((value) => value != null && value !== 0));
  const last = curves.findLastIndex(isMeasured);
  if (last < 0)
    return curves.filter(
      (curve, i) => isKnown(curve) && (strings === 0 || !isOfString(curve) || i < strings),
    );
  return curves.filter((curve, i) =>
    isOfString(curve) ? i < Math.max(last + 1, strings) : isMeasured(curve),
  );
}

const isOfString = ({ name }: Curve): boolean => typeof name !== 'string' && name.of === 'string';

type Row = Readonly<Record<string, unknown>>;

const keysOf = (quantities: readonly Quantity[]): string[] =>
  quantities.flatMap(({ curves }) => curves.map(({ key }) => key));

/** Columns of rows that name their values. */
export function fromRows(rows: readonly Row[], quantities: readonly Quantity[]): DayReadings {
  const figure = (value: unknown): number | null => (typeof value === 'number' ? value : null);
  return {
    times: rows.map((row) => Number(row['dataTimestamp'])),
    values: Object.fromEntries(
      keysOf(quantities).map((key) => [key, rows.map((row) => figure(row[key]))]),
    ),
    // The wire has the number of inputs minus one.
    strings: Math.max(0, ...rows.map((row) => (figure(row['dcInputType']) ?? -1) + 1)),
  };
}

/** Parallel arrays, as `epm/day` answers. */
export function fromArrays(
  { data_timestamp, ...columns }: WireData<'epm/day'>,
  quantities: readonly Quantity[],
): DayReadings {
  const column = (key: string): ChartData['values'][string] => columns[key as EpmSeriesName] ?? [];
  return {
    times: data_timestamp.map(Number),
    values: Object.fromEntries(keysOf(quantities).map((key) => [key, column(key)])),
  };
}
