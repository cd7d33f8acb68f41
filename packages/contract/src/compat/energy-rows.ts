import type { ChannelName, EnergyRow } from '../records/index.ts';
import { consumedByAll, fullHours, notFedIn } from './field-kinds/derived.ts';
import type { FieldSource } from './field-kinds/field.ts';
import { fieldsOf } from './field-kinds/kinds.ts';
import { calendarText } from './field-kinds/local-time.ts';
import { recordOf } from './field-kinds/record.ts';

const f = fieldsOf<EnergyRow>();

const kwh =
  (channel: ChannelName): FieldSource<EnergyRow, number> =>
  (r) =>
    r.kwh[channel];

const consumedKwh: FieldSource<EnergyRow, number> = ({ kwh: { load, backup } }) =>
  consumedByAll(load, backup);

const selfConsumedKwh: FieldSource<EnergyRow, number> = ({ kwh: { production, gridExport } }) =>
  notFedIn(production, gridExport);

const yearOf = (r: EnergyRow): number => Math.floor(r.day / 10_000);

const clock = f.number(
  'timeZone',
  (r) => r.standardOffsetMinutes / 60,
  'UTC offset of the plant’s standard time',
  'h',
);

const byDay = [
  f.instant(
    'date',
    (r) => r.at,
    'timestamp of the period: noon of its first day in charts, midnight in lists',
  ),
  f.text('dateStr', (r) => calendarText(r.day), 'first day of the period on the plant’s calendar'),
  clock,
] as const;

const byMonth = [
  f.instant('date', (r) => r.at, 'noon of the first day of the month'),
  f.text(
    'dateStr',
    (r) => calendarText(Math.floor(r.day / 100)),
    'the month on the plant’s calendar',
  ),
  clock,
] as const;

const byYear = [f.number('year', yearOf, 'the year on the plant’s calendar'), clock] as const;

/** Energy and money common to all rows: raw kWh and the plant's currency. */
const figures = [
  f.chartEnergy('energy', kwh('production'), 'energy produced'),
  f.chartMoney(
    'money',
    (r) => r.income,
    (r) => r.currency,
    'income',
  ),
  f.number('gridPurchasedEnergy', kwh('gridImport'), 'energy bought', 'kWh'),
  f.number(
    'gridPurchasedIncome',
    (r) => r.importCost,
    'paid for energy bought',
    'the plant’s currency',
    2,
  ),
  f.number('gridSellEnergy', kwh('gridExport'), 'energy sold', 'kWh'),
  f.number(
    'gridSellIncome',
    (r) => r.exportIncome,
    'earned by energy sold',
    'the plant’s currency',
    2,
  ),
  f.number('produceEnergy', kwh('production'), 'energy produced', 'kWh'),
  f.number('consumeEnergy', consumedKwh, 'energy consumed', 'kWh'),
  f.chartPower(
    'peakPower',
    (r) => r.peakPowerW,
    'highest AC power of a day, if a single device delivered the power (an addition of this service)',
  ),
  f.instant(
    'peakPowerTime',
    (r) => r.peakPowerAt,
    'time of the highest AC power (an addition of this service)',
  ),
  f.flag(
    'estimated',
    (r) => r.estimated,
    '1: part of the energy was calculated from power, or from a counter that had not been read for some time (an addition of this service)',
  ),
  f.number('errorFlag', () => 0, '0: the figures are valid'),
] as const;

const storage = [
  f.number(
    'fullHour',
    (r) => fullHours(r.kwh.production, r.ratedKw),
    'full-load hours, at a plant’s capacity or an inverter’s rated power',
    'h',
  ),
  f.number('batteryChargeEnergy', kwh('batteryCharge'), 'energy charged', 'kWh'),
  f.number('batteryDischargeEnergy', kwh('batteryDischarge'), 'energy discharged', 'kWh'),
  f.number('homeLoadEnergy', consumedKwh, 'energy consumed', 'kWh'),
  f.number('oneSelf', selfConsumedKwh, 'energy produced and not fed in', 'kWh'),
] as const;

const ofPlant = [
  f.id('id', (r) => r.id, 'id of the plant'),
  f.number(
    'saved',
    (r) => r.saved,
    'what did not have to be bought, at the price of buying (an addition of this service)',
    'the plant’s currency',
    2,
  ),
  f.number(
    'worth',
    (r) => r.worth,
    'what the energy was worth: saved and earned by energy sold; without both, `money` (an addition of this service)',
    'the plant’s currency',
    2,
  ),
  f.number(
    'totalR',
    (r) => r.kwh.irradiation ?? r.kwh.globalIrradiation,
    'irradiation at the plant’s weather station',
    'kWh/m²',
  ),
  f.number('directR', kwh('directIrradiation'), 'direct irradiation there', 'kWh/m²'),
  ...storage,
  ...figures,
] as const;
const ofInverter = [
  f.id('id', (r) => r.id, 'id of the inverter'),
  f.id('inverterId', (r) => r.id, 'id of the inverter'),
  ...storage,
  ...figures,
] as const;
const ofEpm = [
  f.id('id', (r) => r.id, 'id of the EPM unit'),
  f.number('epmBuyEnergy', kwh('gridImport'), 'energy bought', 'kWh'),
  f.number('epmSellEnergy', kwh('gridExport'), 'energy sold', 'kWh'),
  ...figures,
] as const;

/** Rows of `stationMonth` and `stationYear`, and of the lists of days and months. Their date is a day. */
export const plantEnergyByDay = recordOf<EnergyRow>()('energy of a plant in a period', [
  ...byDay,
  ...ofPlant,
]);
/** Rows of `stationAll` and of the list of years. */
export const plantEnergyByYear = recordOf<EnergyRow>()('energy of a plant in a year', [
  ...byYear,
  ...ofPlant,
]);

export const inverterEnergyByDay = recordOf<EnergyRow>()('energy of an inverter on a day', [
  ...byDay,
  ...ofInverter,
]);
export const inverterEnergyByMonth = recordOf<EnergyRow>()('energy of an inverter in a month', [
  ...byMonth,
  ...ofInverter,
]);
export const inverterEnergyByYear = recordOf<EnergyRow>()('energy of an inverter in a year', [
  ...byYear,
  ...ofInverter,
]);

export const epmEnergyByDay = recordOf<EnergyRow>()('energy at an EPM unit on a day', [
  ...byDay,
  ...ofEpm,
]);
export const epmEnergyByMonth = recordOf<EnergyRow>()('energy at an EPM unit in a month', [
  ...byMonth,
  ...ofEpm,
]);
export const epmEnergyByYear = recordOf<EnergyRow>()('energy at an EPM unit in a year', [
  ...byYear,
  ...ofEpm,
]);
