import type { JsonSchema } from '../json-schema.ts';
import type { Kind } from './kind.ts';
import type { Response } from '../operation.ts';

/** The properties of a record under our own names, each with its kind or its schema. */
type Properties<R> = { readonly [K in keyof R]-?: JsonSchema | Kind<unknown> };

const schemasOf = <R>(properties: Properties<R>): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries<JsonSchema | Kind<unknown>>(properties).map(([name, of]) => [
      name,
      'schema' in of ? of.schema : of,
    ]),
  );

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
  schema: { type: 'object', description, properties: schemasOf(properties) },
  project: known,
});

/** The answer of an operation of our own: the list of records that its handler returns. */
export const ownRecords = <R extends object>(
  description: string,
  properties: Properties<R>,
): Response<readonly R[], readonly Known<R>[]> => ({
  schema: {
    type: 'array',
    items: { type: 'object', description, properties: schemasOf(properties) },
  },
  project: (records) => records.map(known),
});

export { an } from './an.ts';
