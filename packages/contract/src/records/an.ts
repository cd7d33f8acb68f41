import type { JsonSchema } from '../json-schema.ts';
import type { Kind } from './kind.ts';

const kind = <T>(schema: JsonSchema, description: string, example: T | undefined): Kind<T> => ({
  schema: { ...schema, description },
  example,
});

/** A figure in one unit. */
const inUnit =
  (unit: string) =>
  (description: string, example?: number): Kind<number> =>
    kind({ type: 'number', 'x-unit': unit }, description, example);

/** The kinds of values in our own records: SI units, ids as text, instants in ms since 1970 UTC. */
export const an = {
  text: (description: string, example?: string): Kind<string> =>
    kind({ type: 'string' }, description, example),
  number: (description: string, example?: number): Kind<number> =>
    kind({ type: 'number' }, description, example),
  flag: (description: string, example?: boolean): Kind<boolean> =>
    kind({ type: 'boolean' }, description, example),
  instant: (description: string, example?: number): Kind<number> =>
    kind({ type: 'integer', 'x-unit': 'ms' }, description, example),
  /** A local day as yyyymmdd. */
  day: (description: string, example?: number): Kind<number> =>
    kind({ type: 'integer' }, description, example),
  /** One of several words. */
  word: <const W extends string>(
    words: readonly W[],
    description: string,
    example?: NoInfer<W>,
  ): Kind<W> => kind({ type: 'string', enum: words }, description, example),
  texts: (description: string, example?: readonly string[]): Kind<readonly string[]> =>
    kind({ type: 'array', items: { type: 'string' } }, description, example),
  objects: (description: string): Kind<readonly object[]> =>
    kind<readonly object[]>({ type: 'array', items: { type: 'object' } }, description, undefined),
  watts: inUnit('W'),
  kwp: inUnit('kWp'),
  kilowatts: inUnit('kW'),
  kwh: inUnit('kWh'),
  kg: inUnit('kg'),
  dbm: inUnit('dBm'),
  hours: inUnit('h'),
  minutes: inUnit('min'),
  seconds: inUnit('s'),
  ms: inUnit('ms'),
  degrees: inUnit('°'),
  percent: inUnit('%'),
  /** An amount in the currency that the record names. */
  money: (description: string, example?: number): Kind<number> =>
    kind({ type: 'number' }, description, example),
};
