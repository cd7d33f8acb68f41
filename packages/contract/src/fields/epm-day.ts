import type { JsonSchema } from '../json-schema.ts';
import type { Response } from '../operation.ts';
import type { QuantityName } from '../quantities.ts';
import type { EpmDay, EpmFacts } from '../records.ts';
import type { Maybe } from './field.ts';
import { localTime } from './local-time.ts';
import { round } from './scales.ts';

/** What can be asked for in `searchinfo`, and where it comes from: a reading or a fact of the unit. */
const series = {
  u_ac1: ['acVoltage1V', 'V'],
  u_ac2: ['acVoltage2V', 'V'],
  u_ac3: ['acVoltage3V', 'V'],
  i_ac1: ['acCurrent1A', 'A'],
  i_ac2: ['acCurrent2A', 'A'],
  i_ac3: ['acCurrent3A', 'A'],
  p_ac1: ['acPower1W', 'W'],
  p_ac2: ['acPower2W', 'W'],
  p_ac3: ['acPower3W', 'W'],
  power_factor: ['powerFactor', ''],
  fac_meter: ['gridFrequencyHz', 'Hz'],
  p_load: ['loadPowerW', 'W'],
  e_total_inverter: ['energyTotalKwh', 'kWh'],
  e_toaal_inverter: ['energyTotalKwh', 'kWh'],
  e_total_load: ['loadTotalKwh', 'kWh'],
  e_total_buy: ['gridImportTotalKwh', 'kWh'],
  e_total_sell: ['gridExportTotalKwh', 'kWh'],
  e_epm_total: ['gridPowerW', 'W'],
  p_inverter_total: ['acPowerW', 'W'],
  p_limit: [(facts: EpmFacts) => facts.exportLimitW, 'W'],
  ct_ratio: [(facts: EpmFacts) => facts.currentTransformerRatio, ''],
} as const satisfies Record<string, readonly [QuantityName | ((facts: EpmFacts) => Maybe<number>), string]>;

/** A name that `searchinfo` may hold. */
export type EpmSeriesName = keyof typeof series;

export const epmSeriesNames = Object.keys(series) as readonly EpmSeriesName[];

type Column = readonly (number | null)[];

type WireEpmDay = { readonly [Name in EpmSeriesName]?: Column } & {
  readonly data_timestamp: readonly string[];
  readonly timeStr: readonly string[];
  readonly daylightList: readonly number[];
  readonly daylightSwitch: number;
};

const arrayOf = (items: JsonSchema, description: string): JsonSchema => ({ type: 'array', items, description });

const columnSchema = ([name, [, unit]]: [string, readonly [unknown, string]]): [string, JsonSchema] => [
  name,
  arrayOf({ type: ['number', 'null'] }, unit === '' ? 'one value a reading' : `one value a reading, in ${unit}`),
];

/** `epm/day`: parallel arrays, one per name that was asked for; null where a reading does not hold the value. */
export const epmDay: Response<EpmDay, WireEpmDay> = {
  schema: {
    type: 'object',
    properties: {
      ...Object.fromEntries(Object.entries(series).map(columnSchema)),
      data_timestamp: arrayOf({ type: 'string' }, 'times of the readings, ms since 1970 UTC'),
      timeStr: arrayOf({ type: 'string' }, 'the same on the plant’s clock'),
      daylightList: arrayOf({ type: 'number' }, 'daylight-saving time in force then, in h'),
      daylightSwitch: { type: 'integer', enum: [0, 1], description: 'whether daylight-saving time was in force on this day' },
    },
    required: ['data_timestamp', 'timeStr', 'daylightList', 'daylightSwitch'],
  },
  project: ({ names, rows, facts }) => ({
    ...Object.fromEntries(names.map((name) => [name, columnOf(name, rows, facts)])),
    data_timestamp: rows.map(({ at }) => String(at)),
    timeStr: rows.map(({ at, offsetMinutes }) => localTime(at, offsetMinutes)),
    daylightList: rows.map(({ daylightMinutes }) => daylightMinutes / 60),
    daylightSwitch: rows.some(({ daylightMinutes }) => daylightMinutes !== 0) ? 1 : 0,
  }),
};

function columnOf(name: EpmSeriesName, rows: EpmDay['rows'], facts: EpmFacts): Column {
  const [from] = series[name];
  return rows.map(({ values }) => {
    const value = typeof from === 'string' ? values[from] : from(facts);
    return typeof value === 'number' && Number.isFinite(value) ? round(value, 3) : null;
  });
}
