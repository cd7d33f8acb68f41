import type { JsonSchema } from '../json-schema.ts';
import type { Response } from '../operation.ts';
import type { Page } from './lists.ts';

/**
 * What a property of our own records holds: from one declaration follow the type that handlers return, the JSON that is answered, its schema and an
 * example. `In` is what handlers return, `Out` what is answered.
 */
export interface Kind<In, Out = In> {
  readonly schema: JsonSchema;
  readonly example: In | undefined;
  /** Makes the JSON of a value; without it, that is the value itself. */
  write?(value: In): Out;
}

/** Marks a property that may be unknown: handlers leave it undefined or null, and answers leave it out. */
export interface Optional {
  readonly optional: true;
}

export type InOf<K> = K extends Kind<infer In, infer _> ? In : never;
export type OutOf<K> = K extends Kind<infer _, infer Out> ? Out : never;

type Properties = Readonly<Record<string, Kind<unknown>>>;
type OptionalKeys<P> = { [K in keyof P]: P[K] extends Optional ? K : never }[keyof P];
type Flat<T> = { [K in keyof T]: T[K] } & {};

/** The record that handlers return. */
type RecordIn<P> = Flat<
  { readonly [K in Exclude<keyof P, OptionalKeys<P>>]: InOf<P[K]> } & {
    readonly [K in OptionalKeys<P>]?: InOf<P[K]> | null | undefined;
  }
>;

/** The record that is answered, without what is unknown. */
type RecordOut<P> = Flat<
  { readonly [K in Exclude<keyof P, OptionalKeys<P>>]: OutOf<P[K]> } & {
    readonly [K in OptionalKeys<P>]?: OutOf<P[K]>;
  }
>;

export interface RecordKind<P> extends Kind<RecordIn<P>, RecordOut<P>> {
  readonly properties: P;
  readonly example: RecordIn<P>;
  write(value: RecordIn<P>): RecordOut<P>;
}

/** Declares a record. Only declared properties are answered. */
export const record = <const P extends Properties>(
  description: string,
  properties: P,
): RecordKind<P> => {
  const kinds = Object.entries(properties);
  return {
    properties,
    schema: {
      type: 'object',
      description,
      properties: Object.fromEntries(kinds.map(([name, { schema }]) => [name, schema])),
    },
    example: Object.fromEntries(
      kinds.flatMap(([name, { example }]) => (example === undefined ? [] : [[name, example]])),
    ) as RecordIn<P>,
    write(value) {
      const out: Record<string, unknown> = {};
      for (const [name, kind] of kinds) {
        const known: unknown = value[name as keyof typeof value];
        if (known !== undefined && known !== null)
          out[name] = kind.write ? kind.write(known) : known;
      }
      return out as RecordOut<P>;
    },
  };
};

/** A property that may be unknown. */
export const maybe = <In, Out>(kind: Kind<In, Out>): Kind<In, Out> & Optional => ({
  ...kind,
  optional: true,
});

/** A list of values of one kind. */
export const list = <In, Out>(
  description: string,
  kind: Kind<In, Out>,
  example: readonly In[] | undefined = kind.example === undefined ? undefined : [kind.example],
): Kind<readonly In[], readonly Out[]> => ({
  schema: { type: 'array', items: kind.schema, description },
  example,
  write: (values) => values.map((value) => written(kind, value)),
});

type Variants = Readonly<Record<string, RecordKind<never>>>;
type VariantIn<V> = {
  [K in keyof V]: Flat<{ readonly kind: K } & InOf<V[K]>>;
}[keyof V];
type VariantOut<V> = {
  [K in keyof V]: Flat<{ readonly kind: K } & OutOf<V[K]>>;
}[keyof V];

/** One of several records, distinguished by their `kind`. */
export const oneOf = <const V extends object>(
  description: string,
  variants: V,
): Kind<VariantIn<V>, VariantOut<V>> => {
  const kinds = variants as unknown as Variants;
  const [first, { example }] = Object.entries(kinds)[0]!;
  return {
    schema: {
      description,
      anyOf: Object.entries(kinds).map(([kind, { schema }]) => ({
        ...schema,
        properties: { kind: { type: 'string', enum: [kind] }, ...schema.properties },
      })),
    },
    example: { kind: first, ...(example as object) } as VariantIn<V>,
    write(value) {
      const { kind } = value as { readonly kind: string };
      return { kind, ...(written(kinds[kind]!, value as never) as object) } as VariantOut<V>;
    },
  };
};

const written = <In, Out>(kind: Kind<In, Out>, value: In): Out =>
  kind.write ? kind.write(value) : (value as unknown as Out);

/** The response of an operation that answers one record. */
export const answer = <In, Out>(kind: Kind<In, Out>): Response<In, Out> => ({
  schema: kind.schema,
  project: (value) => written(kind, value),
});

/** The response of an operation that answers a list. */
export const answers = <In, Out>(kind: Kind<In, Out>): Response<readonly In[], readonly Out[]> => ({
  schema: { type: 'array', items: kind.schema },
  project: (values) => values.map((value) => written(kind, value)),
});

/** The response of an operation that answers a page of a list. */
export function pageOf<In, Out>(kind: Kind<In, Out>): Response<Page<In>, Page<Out>> {
  const number = (description: string) => ({ type: 'integer', minimum: 0, description });
  return {
    schema: {
      type: 'object',
      properties: {
        records: { type: 'array', items: kind.schema },
        total: number('records on all pages'),
        pageNo: number('number of this page, starting at 1'),
        pageSize: number('records per page'),
      },
    },
    project: ({ records, ...place }) => ({
      ...place,
      records: records.map((value) => written(kind, value)),
    }),
  };
}

/** What an operation that answers one record, or one that answers a list, shows as its answer. */
export const exampleOf = <In, Out>(kind: Kind<In, Out>): Out => written(kind, kind.example!);
