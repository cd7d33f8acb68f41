import type { JsonSchema } from '../json-schema.ts';
import type { Response } from '../operation.ts';
import type { EpmDay, EpmFacts } from '../records/index.ts';
import { epmSeries, type EpmSeriesName } from './epm-series.ts';
import { localTime } from './field-kinds/local-time.ts';
import { round } from './field-kinds/scales.ts';

type Column = readonly (number | null)[];

type WireEpmDay = { readonly [Name in EpmSeriesName]?: Column } & {
  readonly data_timestamp: readonly string[];
  readonly timeStr: readonly string[];
  readonly daylightList: readonly number[];
  readonly daylightSwitch: number;
};

const arrayOf = (items: JsonSchema, description: string): JsonSchema => ({
  type: 'array',
  items,
  description,
});

const columnSchema = ([name, [, unit]]: [string, readonly [unknown, string]]): [
  string,
  JsonSchema,
] => [
  name,
  arrayOf(
    { type: ['number', 'null'] },
    unit === '' ? 'one value per reading' : `one value per reading, in ${unit}`,
  ),
];

/** `epm/day`: parallel arrays, one per requested name; null where a reading lacks the value. */
export const epmDay: Response<EpmDay, WireEpmDay> = {
  schema: {
    type: 'object',
    properties: {
      ...Object.fromEntries(Object.entries(epmSeries).map(columnSchema)),
      data_timestamp: arrayOf({ type: 'string' }, 'times of the readings, ms since 1970 UTC'),
      timeStr: arrayOf({ type: 'string' }, 'the same on the plant’s clock'),
      daylightList: arrayOf({ type: 'number' }, 'daylight-saving offset in force then, in h'),
      daylightSwitch: {
        type: 'integer',
        enum: [0, 1],
        description: 'whether daylight-saving time was in force on this day',
      },
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
  const [from] = epmSeries[name];
  return rows.map(({ values }) => {
    const value =
      from === 'exportLimitW' || from === 'currentTransformerRatio' ? facts[from] : values[from];
    return typeof value === 'number' && Number.isFinite(value) ? round(value, 3) : null;
  });
}
