import { quantities, type QuantityName, type Values } from '@helioport/contract/quantities';
import { rounded } from '../parameters/numbers.ts';
import type { Alarm, Block, RegisterMap, RegisterValue } from './register-map.ts';
import { isNotMeasured, powerOfTen, rawNumber, rawText, wordsAt, type WordAt } from './words.ts';

/** What is known about the device beside its registers. */
export interface DecodingContext {
  readonly ratedPowerW?: number | null;
  readonly phases?: number | null;
  /** Ids of the unconfirmed values that the owner has confirmed. */
  readonly confirmed?: ReadonlySet<string>;
}

/** Why a value is not reported. */
export type DropReason =
  | 'missing'
  | 'notMeasured'
  | 'outOfBounds'
  | 'zeroTotal'
  | 'nothingThere'
  | 'unconfirmed'
  | 'otherModel';

/** A value as it was read. */
export interface DecodedValue {
  readonly register: RegisterValue;
  /** The raw number or text; undefined if a word is missing. */
  readonly raw: number | string | undefined;
  /** In the unit of the register; undefined if it is no number that can be believed. */
  readonly value: number | string | undefined;
  /** Null: it is reported, if it stands for a quantity. */
  readonly dropped: DropReason | null;
}

export interface DecodedBlock {
  /** What may be reported. Of several registers for a quantity, that which comes first in the profile. */
  readonly values: Values;
  /** Which register gave each of `values`. */
  readonly origins: ReadonlyMap<QuantityName, RegisterValue>;
  /** What was dropped because it cannot be right; counts for the health of the link. */
  readonly dropped: readonly DecodedValue[];
  /** Every value of the block, for a probe. */
  readonly all: readonly DecodedValue[];
}

/** Reasons that say something about the device's answer, rather than about the profile. */
const COUNTED: ReadonlySet<DropReason | null> = new Set<DropReason>(['notMeasured', 'outOfBounds']);

/** A power is believed up to this multiple of the rated power, as on the server. */
const RATED_TIMES = 3;
/** These measure the house or the plant, not the device. */
const UNRATED = new Set<string>(['gridPowerW', 'loadPowerW', 'generatorPowerW']);

/** Decodes the words of a block. @param words from the block's address on; undefined where the device refused a word */
export function decodeBlock(
  map: RegisterMap,
  block: Block,
  words: ArrayLike<number | undefined>,
  context: DecodingContext = {},
): DecodedBlock {
  const at: WordAt = (address) => words[address - block.address];
  const all = block.values.map((register) => decodeValue(map, register, at, context));
  const values: { [Name in QuantityName]?: number } = {};
  const origins = new Map<QuantityName, RegisterValue>();
  for (const { register, value, dropped } of all) {
    const { quantity } = register;
    if (quantity === null || dropped !== null || typeof value !== 'number') continue;
    if (origins.has(quantity)) continue;
    origins.set(quantity, register);
    values[quantity] = value;
  }
  return { values, origins, dropped: all.filter(({ dropped }) => COUNTED.has(dropped)), all };
}

/** What is wrong with a device, as the bits of a block that are believed say. */
export const alarmsIn = ({ all }: Pick<DecodedBlock, 'all'>): Alarm[] =>
  all.flatMap(({ register: { alarms }, value, dropped }) =>
    alarms === null || dropped !== null || typeof value !== 'number'
      ? []
      : [...alarms].flatMap(([bit, alarm]) =>
          Math.floor(value / 2 ** bit) % 2 === 1 ? alarm : [],
        ),
  );

function decodeValue(
  map: RegisterMap,
  register: RegisterValue,
  at: WordAt,
  context: DecodingContext,
): DecodedValue {
  const words = wordsAt(at, register.words);
  if (words === undefined)
    return { register, raw: undefined, value: undefined, dropped: 'missing' };
  const raw = rawNumber(register.type, words) ?? rawText(register.type, words);
  if (typeof raw !== 'number') {
    const dropped = raw === undefined ? 'notMeasured' : doubtOf(register, context);
    return { register, raw, value: raw, dropped };
  }
  if (isSentinel(register, raw)) return { register, raw, value: undefined, dropped: 'notMeasured' };
  const value = transformed(register, raw, at, context);
  if (value === undefined) return { register, raw, value, dropped: 'missing' };
  return { register, raw, value, dropped: faultOf(map, register, value, context) };
}

/** Codes and bit fields use every number; the usual signs of "not measured" apply to measured values. */
const isSentinel = ({ type, sentinels, unit, quantity }: RegisterValue, raw: number): boolean =>
  sentinels.includes(raw) ||
  ((unit !== '' || quantity === 'powerFactor') && isNotMeasured(type, raw));

function transformed(
  register: RegisterValue,
  raw: number,
  at: WordAt,
  context: DecodingContext,
): number | undefined {
  const { scale, offset, direction, high, plus, minus, scaleFactor } = register;
  const factor = scaleFactor === null ? 1 : powerOfTen(at(scaleFactor));
  if (factor === undefined) return undefined;
  const scaled = (number: number): number => rounded((number + offset) * scale * factor);
  if (direction !== null) {
    const turned = at(direction);
    return turned === 0 || turned === 1 ? scaled(Math.abs(raw)) * (1 - 2 * turned) : undefined;
  }
  if (high !== null) return withHighWord(raw, at(high), context.ratedPowerW, scaled);
  const [more, less] = [plus, minus].map((addresses) => sumAt(register, addresses, at));
  return more === undefined || less === undefined ? undefined : scaled(raw + more - less);
}

/** The sum of further values of a register's type; undefined if one is missing. */
function sumAt(
  { type, words }: RegisterValue,
  addresses: readonly number[],
  at: WordAt,
): number | undefined {
  const raws = addresses.map((address) => {
    const read = wordsAt(
      at,
      words.map((word) => word - words[0]! + address),
    );
    return read && rawNumber(type, read);
  });
  return raws.every((raw) => raw !== undefined && !isNotMeasured(type, raw))
    ? raws.reduce<number>((sum, raw) => sum + raw!, 0)
    : undefined;
}

/** A number of 16 bits that is negative may be one of 32 bits on newer firmware; beyond these multiples of the rating, it is not. */
const [SHORT_TIMES, LONG_TIMES] = [1.5, 3] as const;

/**
 * A power whose high word lies elsewhere. Older firmware leaves it 0 and has the sign in the low word, so that large powers of newer
 * firmware look like negative ones: the rating decides, and what it leaves open is dropped.
 */
function withHighWord(
  low: number,
  high: number | undefined,
  ratedPowerW: number | null | undefined,
  scaled: (raw: number) => number,
): number | undefined {
  if (high === undefined) return scaled(low);
  const long = (high << 16) | (low & 0xffff);
  if (high !== 0 || low >= 0) return scaled(long);
  const isWithinTimes = (raw: number, times: number): boolean =>
    ratedPowerW != null && Math.abs(scaled(raw)) <= times * ratedPowerW;
  const isShort = isWithinTimes(low, SHORT_TIMES);
  const isLong = isWithinTimes(long, LONG_TIMES);
  if (isShort === isLong) return undefined;
  return scaled(isShort ? low : long);
}

function faultOf(
  map: RegisterMap,
  register: RegisterValue,
  value: number,
  context: DecodingContext,
): DropReason | null {
  if (register.phases !== null && register.phases !== context.phases) return 'otherModel';
  if (!isWithin(value, boundsOf(map, register, context))) return 'outOfBounds';
  if (value === 0 && register.zeroIsNothing) return 'nothingThere';
  if (value === 0 && isTotal(register.quantity)) return 'zeroTotal';
  return doubtOf(register, context);
}

/** Counters of all time: 0 is what a device shows before it has read its memory. */
const isTotal = (quantity: QuantityName | null): boolean => quantity?.endsWith('TotalKwh') ?? false;

function doubtOf(register: RegisterValue, context: DecodingContext): DropReason | null {
  return isConfirmed(register, context) ? null : 'unconfirmed';
}

/** Whether a value counts as confirmed: by two sources without doubt, or by the owner. */
export function isConfirmed(
  { id, evidence, sureUpToW }: RegisterValue,
  { confirmed, ratedPowerW }: DecodingContext,
): boolean {
  if (confirmed?.has(id)) return true;
  const isSure = sureUpToW === null || (ratedPowerW != null && ratedPowerW <= sureUpToW);
  return evidence.isConfirmed && isSure;
}

/** The values that are believed, in the quantity's unit. */
export function boundsOf(
  map: RegisterMap,
  { quantity, bounds }: RegisterValue,
  { ratedPowerW }: DecodingContext,
): readonly [number, number] {
  if (bounds !== null) return bounds;
  if (quantity === null) return [-Infinity, Infinity];
  const declared = quantities.get(quantity)!.bounds;
  if (declared !== 'power') return declared;
  const atMost = UNRATED.has(quantity)
    ? Math.max(map.atMostW, RATED_TIMES * (ratedPowerW ?? 0))
    : ratedPowerW == null
      ? map.atMostW
      : RATED_TIMES * ratedPowerW;
  return [-atMost, atMost];
}

const isWithin = (value: number, [atLeast, atMost]: readonly [number, number]): boolean =>
  value >= atLeast && value <= atMost;
