import type { JsonSchema } from '../../json-schema.ts';
import type { QuantityName, Values } from '../../quantities.ts';

/** An unknown value is undefined or null, and left out of the answer. */
export type Maybe<T> = T | null | undefined;

/** Takes a field's value from our own record. */
export type FieldSource<R, T> = (record: R) => Maybe<T>;

/** The source of a number in our own record. For records with latest values, it may be the name of a quantity. */
export type NumberSource<R> =
  | FieldSource<R, number>
  | (R extends { readonly values: Values } ? QuantityName : never);

/** A record under construction. */
export type WireObject = Record<string, unknown>;

export interface FieldKey {
  readonly name: string;
  readonly schema: JsonSchema;
}

/** The content of one key of a field: a fixed text, or a function of the value. */
export type Part<R, V> = string | ((value: V, record: R) => number | string | undefined);

/** Writes a field of a record. Unknown values write nothing. */
export interface Writer<R> {
  /** Sets the field's keys in `out`. */
  readonly set: (record: R, out: WireObject) => void;
  /** The field's keys as JSON members, each preceded by a comma. */
  readonly text: (record: R) => string;
}

/** A constant that stands in for an unknown value; a function if that depends on the record. */
export type Neutral<R> = number | string | undefined | FieldSource<R, number | string>;

function neutralIn<R>(neutral: Neutral<R>, record: R): number | string | undefined {
  return (typeof neutral === 'function' ? neutral(record) : neutral) ?? undefined;
}

/** A value with its siblings: all wire keys that are about the same thing. The type parameters name its keys by JSON type. */
export interface WireField<R, Numbers extends string = string, Texts extends string = string> {
  /** The value's key, followed by those of its siblings. */
  readonly keys: readonly [FieldKey, ...FieldKey[]];
  /** Makes the writer of the field. `neutral` stands in for an unknown value. */
  writer(neutral?: Neutral<R>): Writer<R>;
  /** Exist only in types: the keys with numbers, and those with text. */
  readonly numbers?: Numbers;
  readonly texts?: Texts;
}

/** The type of a record made of certain fields; every key may be missing. */
export type WireRecord<F extends WireField<never>> = {
  readonly [K in NonNullable<F['numbers']>]?: number;
} & {
  readonly [K in NonNullable<F['texts']>]?: string;
};

/** A field whose source returns a number. Infinities and NaN count as unknown. */
export function numberField<R, Numbers extends string, Texts extends string>(
  keys: WireField<R>['keys'],
  from: NumberSource<R>,
  parts: readonly Part<R, number>[],
): WireField<R, Numbers, Texts> {
  const get = numberSource(from);
  return {
    keys,
    writer: (neutral) =>
      writerOf(keys, parts, (record) => {
        const known = get(record);
        return typeof known === 'number' && Number.isFinite(known)
          ? known
          : (neutralIn(neutral, record) as number | undefined);
      }),
  };
}

/** A field whose source returns text, or a word that `toWire` translates; `neutral` is written unchanged. */
export function textField<R, T extends string, Numbers extends string, Texts extends string>(
  key: FieldKey,
  get: FieldSource<R, T>,
  toWire: (value: T) => number | string,
): WireField<R, Numbers, Texts> {
  return {
    keys: [key],
    writer: (neutral) =>
      writerOf<R, number | string>([key], [(wire) => wire], (record) => {
        const value = get(record);
        return value === undefined || value === null ? neutralIn(neutral, record) : toWire(value);
      }),
  };
}

function writerOf<R, V>(
  keys: readonly FieldKey[],
  parts: readonly Part<R, V>[],
  valueOf: (record: R) => V | undefined,
): Writer<R> {
  const members = keys.map(({ name }, i) => ({ name, part: parts[i]! }));
  return {
    set(record, out) {
      const value = valueOf(record);
      if (value === undefined) return;
      for (const { name, part } of members) {
        const made = typeof part === 'string' ? part : part(value, record);
        if (made !== undefined) out[name] = made;
      }
    },
    text: textWriter(members, valueOf),
  };
}

interface Member<R, V> {
  readonly name: string;
  readonly part: Part<R, V>;
}

function textWriter<R, V>(
  members: readonly Member<R, V>[],
  valueOf: (record: R) => V | undefined,
): (record: R) => string {
  const pieces = members.map(({ name, part }) => pieceOf(`,${JSON.stringify(name)}:`, part));
  const [first, ...others] = pieces;
  // Nearly all fields have one value, possibly with siblings that never change.
  const siblings = others.every((piece) => typeof piece === 'string') ? others.join('') : undefined;
  return (record) => {
    const value = valueOf(record);
    if (value === undefined) return '';
    if (siblings !== undefined && typeof first === 'function')
      return first(value, record) + siblings;
    let text = '';
    for (const piece of pieces) text += typeof piece === 'string' ? piece : piece(value, record);
    return text;
  };
}

function pieceOf<R, V>(key: string, part: Part<R, V>): string | ((value: V, record: R) => string) {
  if (typeof part === 'string') return key + jsonOf(part);
  return (value, record) => {
    const made = part(value, record);
    return made === undefined ? '' : key + jsonOf(made);
  };
}

// Anything that JSON escapes, including unpaired surrogates.
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

const jsonOf = (value: number | string): string =>
  typeof value === 'number'
    ? String(value)
    : ESCAPED.test(value)
      ? JSON.stringify(value)
      : `"${value}"`;

function numberSource<R>(from: NumberSource<R>): FieldSource<R, number> {
  if (typeof from === 'function') return from;
  const name: QuantityName = from;
  return (record) => (record as { values: Values }).values[name];
}
