import type { JsonSchema } from '../json-schema.ts';
import type { Response } from '../operation.ts';

/** The properties of a record under our own names, each with its schema. */
type Properties<R> = { readonly [K in keyof R]-?: JsonSchema };

/** A record without its unknown properties. */
type Known<R> = { readonly [K in keyof R]?: Exclude<R[K], null | undefined> };

const known = <R extends object>(record: R): Known<R> =>
  Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== null && value !== undefined),
  ) as Known<R>;

/** The answer of an operation of our own: the record that its handler returns, without unknown properties. */
export const ownRecord = <R extends object>(
  description: string,
  properties: Properties<R>,
): Response<R, Known<R>> => ({
  schema: { type: 'object', description, properties },
  project: known,
});

/** The answer of an operation of our own: the list of records that its handler returns. */
export const ownRecords = <R extends object>(
  description: string,
  properties: Properties<R>,
): Response<readonly R[], readonly Known<R>[]> => ({
  schema: { type: 'array', items: { type: 'object', description, properties } },
  project: (records) => records.map(known),
});

/** Schemas of the values in our own records. */
export const an = {
  text: (description: string): JsonSchema => ({ type: 'string', description }),
  number: (description: string): JsonSchema => ({ type: 'number', description }),
  flag: (description: string): JsonSchema => ({ type: 'boolean', description }),
  instant: (description: string): JsonSchema => ({ type: 'integer', description, 'x-unit': 'ms' }),
  texts: (description: string): JsonSchema => ({
    type: 'array',
    items: { type: 'string' },
    description,
  }),
  objects: (description: string): JsonSchema => ({
    type: 'array',
    items: { type: 'object' },
    description,
  }),
};
