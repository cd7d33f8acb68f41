import type { QuantityName, WireData } from '@helioport/contract';
import type { ChartData } from '../../../parts/charts/series.ts';
import { columnOfAllLoads } from '../../../parts/loads.ts';
import type { Texts } from '../texts/en.ts';

/** One curve: the name of what was measured, and its text; strings and phases have a number. */
export interface HistoryCurve {
  readonly key: string;
  readonly name:
    | keyof Texts['readings']
    | { readonly of: 'string' | 'phase'; readonly number: number };
  readonly unit: string;
}

/** Curves that are shown together, in one unit. */
export interface HistoryQuantity {
  readonly name: keyof Texts['curves'];
  readonly curves: readonly HistoryCurve[];
}

/** Readings of a day: by the name of what was measured, as long as `times` (ms since 1970 UTC). */
export interface DayReadings extends ChartData {
  /** How many strings an inverter has. */
  readonly strings?: number;
}

/** What no device measures by itself: energies of the day, and a limit. */
type Calculated =
  | `${'production' | 'consumption' | 'gridImport' | 'gridExport' | 'batteryCharge' | 'batteryDischarge'}DayKwh`
  | 'exportLimitW';

type Line = readonly [key: QuantityName | Calculated, name: keyof Texts['readings']];

const together = (
  name: HistoryQuantity['name'],
  unit: string,
  lines: readonly Line[],
): HistoryQuantity => ({
  name,
  curves: lines.map(([key, reading]) => ({ key, name: reading, unit })),
});

const numbered = (
  name: HistoryQuantity['name'],
  unit: string,
  of: 'string' | 'phase',
  count: number,
  keyOf: (number: number) => QuantityName,
): HistoryQuantity => ({
  name,
  curves: Array.from({ length: count }, (_, i) => ({
    key: keyOf(i + 1),
    name: { of, number: i + 1 },
    unit,
  })),
});

/** Everything that a device of any kind can measure; what it does not is not offered. */
export const historyQuantities: readonly HistoryQuantity[] = [
  together('powers', 'W', [
    ['acPowerW', 'acPower'],
    ['loadPowerW', 'loadPower'],
    ['batteryPowerW', 'batteryPower'],
    ['gridPowerW', 'gridPower'],
    ['backupPowerW', 'backupPower'],
    ['exportLimitW', 'exportLimit'],
  ]),
  together('soc', '%', [['batterySocPercent', 'soc']]),
  numbered('stringPower', 'W', 'string', 32, (i) => `dcPower${i}W`),
  numbered('stringVoltage', 'V', 'string', 32, (i) => `dcVoltage${i}V`),
  numbered('stringCurrent', 'A', 'string', 32, (i) => `dcCurrent${i}A`),
  numbered('phasePower', 'W', 'phase', 3, (i) => `acPower${i}W`),
  numbered('phaseVoltage', 'V', 'phase', 3, (i) => `acVoltage${i}V`),
  numbered('phaseCurrent', 'A', 'phase', 3, (i) => `acCurrent${i}A`),
  together('reactivePower', 'Var', [['reactivePowerVar', 'reactivePower']]),
  together('apparentPower', 'VA', [['apparentPowerVa', 'apparentPower']]),
  together('frequency', 'Hz', [['gridFrequencyHz', 'frequency']]),
  together('powerFactor', '', [['powerFactor', 'powerFactor']]),
  together('temperature', '°C', [['temperatureC', 'temperature']]),
  together('batteryVoltage', 'V', [['batteryVoltageV', 'batteryVoltage']]),
  together('batteryCurrent', 'A', [['batteryCurrentA', 'batteryCurrent']]),
  together('soh', '%', [['batterySohPercent', 'soh']]),
  together('dayEnergies', 'kWh', [
    ['productionDayKwh', 'producedToday'],
    ['consumptionDayKwh', 'consumedToday'],
    ['gridImportDayKwh', 'boughtToday'],
    ['gridExportDayKwh', 'soldToday'],
    ['batteryChargeDayKwh', 'chargedToday'],
    ['batteryDischargeDayKwh', 'dischargedToday'],
  ]),
  together('counters', 'kWh', [
    ['energyTotalKwh', 'producedTotal'],
    ['loadTotalKwh', 'consumedTotal'],
    ['gridImportTotalKwh', 'boughtTotal'],
    ['gridExportTotalKwh', 'soldTotal'],
  ]),
  together('irradiance', 'W/m²', [
    ['irradianceWm2', 'irradiance'],
    ['globalIrradianceWm2', 'globalIrradiance'],
    ['directIrradianceWm2', 'directIrradiance'],
    ['diffuseIrradianceWm2', 'diffuseIrradiance'],
  ]),
  together('temperatures', '°C', [
    ['ambientTemperatureC', 'airTemperature'],
    ['moduleTemperatureC', 'moduleTemperature'],
    ['dewPointC', 'dewPoint'],
  ]),
  together('windSpeed', 'm/s', [['windSpeedMs', 'windSpeed']]),
  together('windDirection', '°', [['windDirectionDeg', 'windDirection']]),
  together('humidity', '%', [['humidityPercent', 'humidity']]),
  together('airPressure', 'hPa', [['airPressureHpa', 'airPressure']]),
  together('rainfall', 'mm', [['rainfallMm', 'rainfall']]),
  together('irradiation', 'kWh/m²', [['irradiationTodayKwhm2', 'irradiationToday']]),
  together('signal', 'dBm', [['signalDbm', 'signal']]),
];

/**
 * The curves of a quantity on which something was measured. Of strings and phases, those that are zero all day are as good as none while another is not; before
 * sunrise all of them are. Of strings there are as many as the device has, however dead: who looks for a dead one must find it.
 */
export function measuredCurves(
  { curves }: HistoryQuantity,
  { values, strings = 0 }: DayReadings,
): readonly HistoryCurve[] {
  const isKnown = ({ key }: HistoryCurve): boolean =>
    (values[key] ?? []).some((value) => value != null);
  const isMeasured = (curve: HistoryCurve): boolean =>
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

const isOfString = ({ name }: HistoryCurve): boolean =>
  typeof name !== 'string' && name.of === 'string';

/** An answer as curves; `facts`: of the device. */
export function readingsOf(
  { times, values, dayKwh }: WireData<'device/day'>,
  facts: { readonly dcInputs?: number; readonly exportLimitW?: number },
): DayReadings {
  const consumed = columnOfAllLoads(dayKwh.load, dayKwh.backup);
  const { dcInputs: strings, exportLimitW } = facts;
  return {
    times,
    values: {
      ...values,
      ...Object.fromEntries(
        Object.entries(dayKwh).map(([channel, column]) => [`${channel}DayKwh`, column]),
      ),
      ...(consumed && { consumptionDayKwh: consumed }),
      ...(exportLimitW !== undefined && { exportLimitW: times.map(() => exportLimitW) }),
    },
    ...(strings !== undefined && { strings }),
  };
}
