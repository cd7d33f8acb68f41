import type { JsonSchema } from '../../json-schema.ts';
import type { WireField, Neutral, WireObject, WireRecord } from './field.ts';
import type { Exceptions } from './neutral.ts';

/** How a record of ours is written on the wire, and the schema of the result; both are derived from its fields. */
export interface RecordTable<R, Data = WireObject> {
  readonly schema: JsonSchema;
  readonly project: (this: void, record: R) => Data;
  /** `project(record)` as JSON text, written in one pass. */
  readonly text: (this: void, record: R) => string;
}

/**
 * Makes a record from its fields: `recordOf<PlantRecord>()('a plant', [...])`. `neutral` holds the constants for keys that must be
 * present even if their value is unknown, unless what `exceptions` name exists. Throws if two fields write the same key.
 */
export const recordOf =
  <R>() =>
  <const F extends readonly WireField<R>[]>(
    description: string,
    fields: F,
    neutral: Readonly<Record<string, number | string>> = {},
    exceptions: Exceptions<R> = {},
  ): RecordTable<R, WireRecord<F[number]>> => {
    const keys = fields.flatMap((field) => field.keys);
    const required = Object.keys(neutral).filter((name) => !exceptions[name]);
    const names = new Set(keys.map(({ name }) => name));
    if (names.size < keys.length) throw new Error(`two fields of ${description} write one key`);
    const neutralOf = (name: string): Neutral<R> => {
      const [constant, unless] = [neutral[name], exceptions[name]];
      return constant === undefined || !unless
        ? constant
        : (record) => (unless.exists(record) ? undefined : constant);
    };
    const writers = fields.map((field) => field.writer(neutralOf(field.keys[0].name)));
    const project = (record: R): WireRecord<F[number]> => {
      const out: WireObject = {};
      for (const { set } of writers) set(record, out);
      return out as WireRecord<F[number]>;
    };
    const texts = writers.map((writer) => writer.text);
    const text = (record: R): string => {
      let members = '';
      for (const textOf of texts) members += textOf(record);
      return `{${members.slice(1)}}`;
    };
    return {
      schema: {
        type: 'object',
        description,
        properties: Object.fromEntries(
          keys.map(({ name, schema }) => [
            name,
            name in neutral ? withConstant(schema, neutral[name], exceptions[name]?.thing) : schema,
          ]),
        ),
        ...(required.length > 0 && { required }),
      },
      project,
      text,
    };
  };

const withConstant = (
  schema: JsonSchema,
  unknown: number | string | undefined,
  thing: string | undefined,
): JsonSchema => ({
  ...schema,
  description: `${schema.description}; ${JSON.stringify(unknown)} ${thing === undefined ? 'if unknown' : `without ${thing}`}`,
});

/** Makes the fields of a numbered family, from 1. */
export const numbered = <F>(count: number, make: (i: number) => F): F[] =>
  Array.from({ length: count }, (_, i) => make(i + 1));
