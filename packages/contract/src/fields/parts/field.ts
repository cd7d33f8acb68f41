import type { JsonSchema } from '../../json-schema.ts';
import type { QuantityName, Values } from '../../quantities.ts';

/** What is not known is undefined or null, and left out of the answer. */
export type Maybe<T> = T | null | undefined;

/** Where a field's value comes from in our own record. */
export type Source<R, T> = (record: R) => Maybe<T>;

/** Where a number comes from in our own record; records with latest values may name a quantity. */
export type NumberSource<R> = Source<R, number> | (R extends { readonly values: Values } ? QuantityName : never);

/** A record under construction. */
export type WireObject = Record<string, unknown>;

export interface FieldKey {
  readonly name: string;
  readonly schema: JsonSchema;
}

/** What one of a field's keys holds: text that is the same for every value, or what is made from the value. */
export type Part<R, V> = string | ((value: V, record: R) => number | string | undefined);

/** A field in a record, ready to be written. Unknown values leave nothing. */
export interface Writer<R> {
  /** Sets the keys. */
  readonly set: (record: R, out: WireObject) => void;
  /** The keys as JSON members, each with a comma before it. */
  readonly text: (record: R) => string;
}

/** A value with its siblings: every wire key that speaks of one thing. The type parameters name its keys by JSON type. */
export interface Field<R, Numbers extends string = string, Texts extends string = string> {
  /** The value's key first, its siblings after it. */
  readonly keys: readonly [FieldKey, ...FieldKey[]];
  /** `neutral` stands in for an unknown value. */
  writer(neutral?: number | string): Writer<R>;
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
  parts: readonly Part<R, number>[],
): Field<R, Numbers, Texts> {
  const get = numberSource(from);
  return {
    keys,
    writer: (neutral) =>
      writerOf(keys, parts, (record) => {
        const known = get(record);
        return typeof known === 'number' && Number.isFinite(known) ? known : (neutral as number | undefined);
      }),
  };
}

/** A field whose source gives text or an enumeration's name; `neutral` is given as it is. */
export function textField<R, T extends string, Numbers extends string, Texts extends string>(
  key: FieldKey,
  get: Source<R, T>,
  toWire: (value: T) => number | string,
): Field<R, Numbers, Texts> {
  return {
    keys: [key],
    writer: (neutral) =>
      writerOf<R, number | string>([key], [(wire) => wire], (record) => {
        const value = get(record);
        return value === undefined || value === null ? neutral : toWire(value);
      }),
  };
}

function writerOf<R, V>(keys: readonly FieldKey[], parts: readonly Part<R, V>[], valueOf: (record: R) => V | undefined): Writer<R> {
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

function textWriter<R, V>(members: readonly Member<R, V>[], valueOf: (record: R) => V | undefined): (record: R) => string {
  const pieces = members.map(({ name, part }) => pieceOf(`,${JSON.stringify(name)}:`, part));
  const [first, ...others] = pieces;
  // Nearly every field is one value, with or without siblings that never change.
  const siblings = others.every((piece) => typeof piece === 'string') ? others.join('') : undefined;
  return (record) => {
    const value = valueOf(record);
    if (value === undefined) return '';
    if (siblings !== undefined && typeof first === 'function') return first(value, record) + siblings;
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

// Anything that JSON escapes; half a surrogate pair is among it.
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

const jsonOf = (value: number | string): string => (typeof value === 'number' ? String(value) : ESCAPED.test(value) ? JSON.stringify(value) : `"${value}"`);

function numberSource<R>(from: NumberSource<R>): Source<R, number> {
  if (typeof from === 'function') return from;
  const name: QuantityName = from;
  return (record) => (record as { values: Values }).values[name];
}
