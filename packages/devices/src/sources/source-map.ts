import {
  quantities,
  isQuantity,
  type QuantityName,
  type Values,
} from '@helioport/contract/quantities';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { rounded } from '../parameters/numbers.ts';
import { evidenceOf } from '../profiles/evidence.ts';
import type { Evidence } from '../registers/register-map.ts';

/** A device, or a part of one, that names its values itself instead of having registers. */
export interface SourcePart {
  readonly kind: 'ammeter' | 'inverter';
  /** Of several for one quantity, the first whose fields are there counts. */
  readonly values: readonly SourceValue[];
}

/** How a quantity comes out of fields: (plus - minus) * scale. */
export interface SourceValue {
  /** The quantity; one that comes after the first for it has its fields added, as in `gridPowerW@1.7.0`. */
  readonly id: string;
  readonly quantity: QuantityName;
  readonly plus: readonly string[];
  readonly minus: readonly string[];
  /** Fields that are added if they are there. */
  readonly optional: readonly string[];
  readonly scale: number;
  readonly evidence: Evidence;
}

/** What is known of a kind of source. */
export interface SourceMap {
  readonly name: string;
  readonly description: string;
  readonly parts: Readonly<Record<string, SourcePart>>;
}

/** Sources that the collector reads without registers, by the scheme of their address. */
export const SOURCES = ['p1', 'sml', 'shelly', 'fronius', 'victron', 'v4'] as const;
export type SourceName = (typeof SOURCES)[number];

interface ValueEntry {
  readonly quantity: string;
  readonly plus?: readonly string[];
  readonly minus?: readonly string[];
  readonly optional?: readonly string[];
  readonly scale?: number;
  readonly sources?: readonly string[];
  readonly doubt?: string;
}

/** Reads what is known of a source. Throws an Error if its file is wrong. */
export function readSourceMap(name: SourceName): SourceMap {
  const text = readFileSync(new URL(`${name}.yaml`, import.meta.url), 'utf8');
  const { parts, ...rest } = parse(text) as {
    name: string;
    description: string;
    parts: Record<string, { kind: SourcePart['kind']; values: readonly ValueEntry[] }>;
  };
  return {
    ...rest,
    parts: Object.fromEntries(
      Object.entries(parts).map(([part, { kind, values }]) => {
        const seen = new Set<string>();
        return [part, { kind, values: values.map((entry) => valueOf(entry, seen)) }];
      }),
    ),
  };
}

function valueOf(entry: ValueEntry, seen: Set<string>): SourceValue {
  const { quantity, plus = [], minus = [], optional = [], scale = 1 } = entry;
  if (!isQuantity(quantity)) throw new Error(`there is no quantity ${quantity}`);
  const fields = [...plus, ...minus, ...optional];
  if (fields.length === 0) throw new Error(`${quantity} has no fields`);
  const id = seen.has(quantity) ? `${quantity}@${fields[0]}` : quantity;
  if (seen.has(id)) throw new Error(`${id} is there twice`);
  seen.add(quantity).add(id);
  return { id, quantity, plus, minus, optional, scale, evidence: evidenceOf(entry) };
}

/** The numbers that a source has sent, by their names. */
export type Fields = ReadonlyMap<string, number>;

/** A value as a source shows it. */
export interface SourcedValue {
  readonly source: SourceValue;
  /** In the unit of the quantity; undefined if a field is missing. */
  readonly value: number | undefined;
  /** Null: it is reported. `superseded`: another one stands for the quantity. */
  readonly dropped: 'missing' | 'outOfBounds' | 'zeroTotal' | 'unconfirmed' | 'superseded' | null;
}

/** Nothing at the connection of a house is larger, W. */
const POWER_AT_MOST_W = 1_000_000;

/** All values of a part. @param confirmed ids of the unconfirmed values that the owner has confirmed */
export function sourcedValues(
  { values }: SourcePart,
  fields: Fields,
  confirmed: ReadonlySet<string> = new Set(),
): SourcedValue[] {
  const given = new Set<QuantityName>();
  return values.map((source) => {
    const value = combined(source, fields);
    if (value === undefined) return { source, value, dropped: 'missing' };
    if (given.has(source.quantity)) return { source, value, dropped: 'superseded' };
    const dropped = faultOf(source, value, confirmed);
    if (dropped === null) given.add(source.quantity);
    return { source, value, dropped };
  });
}

/** What may be reported. */
export const reportable = (all: readonly SourcedValue[]): Values =>
  Object.fromEntries(
    all
      .filter(({ dropped }) => dropped === null)
      .map(({ source, value }) => [source.quantity, value]),
  );

function combined(
  { plus, minus, optional, scale }: SourceValue,
  fields: Fields,
): number | undefined {
  const [more, less] = [plus, minus].map((names) => names.map((name) => fields.get(name)));
  if ([...more!, ...less!].includes(undefined)) return undefined;
  const others = optional.map((name) => fields.get(name));
  if (plus.length + minus.length === 0 && others.every((one) => one === undefined))
    return undefined;
  const sum = (list: readonly (number | undefined)[]): number =>
    list.reduce<number>((total, one) => total + (one ?? 0), 0);
  // Rounding removes the errors of binary fractions, so that counters are exact. No zero has a sign.
  return rounded((sum(more!) + sum(others) - sum(less!)) * scale) + 0;
}

function faultOf(
  { id, quantity, evidence }: SourceValue,
  value: number,
  confirmed: ReadonlySet<string>,
): SourcedValue['dropped'] {
  const { bounds } = quantities.get(quantity)!;
  const [atLeast, atMost] = bounds === 'power' ? [-POWER_AT_MOST_W, POWER_AT_MOST_W] : bounds;
  if (!(value >= atLeast && value <= atMost)) return 'outOfBounds';
  // A total of 0 is what a device shows before it knows it.
  if (value === 0 && quantity.endsWith('TotalKwh')) return 'zeroTotal';
  return evidence.isConfirmed || confirmed.has(id) ? null : 'unconfirmed';
}
