import type { JsonSchema } from '../json-schema.ts';
import type { QuantityName, Values } from '../quantities.ts';

/** What is not known is undefined or null, and left out of the answer. */
export type Maybe<T> = T | null | undefined;

/** Where a field's value comes from in our own record. */
export type Source<R, T> = (record: R) => Maybe<T>;

/** The same for a number; records with latest values may name a quantity. */
export type NumberSource<R> = Source<R, number> | (R extends { readonly values: Values } ? QuantityName : never);

/** A record under construction. */
export type WireObject = Record<string, unknown>;

export interface FieldKey {
  readonly name: string;
  readonly schema: JsonSchema;
}

/** A value with its siblings: every wire key that speaks of one thing. The type parameters name its keys by JSON type. */
export interface Field<R, Numbers extends string = string, Texts extends string = string> {
  /** The value's key first, its siblings after it. */
  readonly keys: readonly [FieldKey, ...FieldKey[]];
  /** The function that writes the keys; `neutral` stands in for an unknown value, without it nothing is written. */
  writer(neutral?: number | string): (record: R, out: WireObject) => void;
  /** Types alone: the keys with numbers and those with text. */
  readonly numbers?: Numbers;
  readonly texts?: Texts;
}

/** The type of a record made of such fields; every key may be missing. */
export type WireRecord<F extends Field<never>> = { readonly [K in NonNullable<F['numbers']>]?: number } & {
  readonly [K in NonNullable<F['texts']>]?: string;
};

/** A field whose source gives a number. Infinities and NaN count as unknown. */
export function numberField<R, Numbers extends string, Texts extends string>(
  keys: Field<R>['keys'],
  from: NumberSource<R>,
  write: (value: number, out: WireObject, record: R) => void,
): Field<R, Numbers, Texts> {
  const get = numberSource(from);
  return {
    keys,
    writer: (neutral) => (record, out) => {
      const known = get(record);
      const value = typeof known === 'number' && Number.isFinite(known) ? known : neutral;
      if (value !== undefined) write(value as number, out, record);
    },
  };
}

/** A field whose source gives text or an enumeration's name. */
export function textField<R, T extends string, Numbers extends string, Texts extends string>(
  key: FieldKey,
  get: Source<R, T>,
  toWire: (value: T) => unknown,
): Field<R, Numbers, Texts> {
  const { name } = key;
  return {
    keys: [key],
    writer: (neutral) => (record, out) => {
      const value = get(record);
      const wire = value === undefined || value === null ? neutral : toWire(value);
      if (wire !== undefined) out[name] = wire;
    },
  };
}

function numberSource<R>(from: NumberSource<R>): Source<R, number> {
  if (typeof from === 'function') return from;
  const name: QuantityName = from;
  return (record) => (record as { values: Values }).values[name];
}
