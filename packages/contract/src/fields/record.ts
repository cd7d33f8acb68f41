import type { JsonSchema } from '../json-schema.ts';
import type { Field, WireObject, WireRecord } from './field.ts';

/** A record's fields, derived: how a value of ours looks on the wire, and its schema. */
export interface RecordTable<R, Data = WireObject> {
  readonly schema: JsonSchema;
  readonly project: (this: void, record: R) => Data;
}

/**
 * Makes a record of its fields: `recordOf<PlantRecord>()('a plant', [...])`. `neutral` gives the constants of keys that
 * must be there even when their value is unknown. Where two fields write one key, the later one wins.
 */
export const recordOf =
  <R>() =>
  <const F extends readonly Field<R>[]>(
    description: string,
    fields: F,
    neutral: Readonly<Record<string, number | string>> = {},
  ): RecordTable<R, WireRecord<F[number]>> => {
    const keys = fields.flatMap((field) => field.keys);
    const writers = fields.map((field) => field.writer(neutral[field.keys[0].name]));
    return {
      schema: { type: 'object', description, properties: Object.fromEntries(keys.map(({ name, schema }) => [name, schema])) },
      project(record) {
        const out: WireObject = {};
        for (const write of writers) write(record, out);
        return out as WireRecord<F[number]>;
      },
    };
  };

/** Makes the fields of a numbered family, from 1. */
export const numbered = <F>(count: number, make: (i: number) => F): F[] => Array.from({ length: count }, (_, i) => make(i + 1));
