import type { Profile } from '../profiles/profile.ts';
import { rounded } from '../parameters/numbers.ts';
import type { Check, Fact, FactName, Table } from './register-map.ts';
import { shifted } from './shifted.ts';
import { isNotMeasured, rawNumber, rawText } from './words.ts';

/** Reads words. Null if the device refuses to (an exception); rejects if it does not answer. */
export type ReadWords = (
  table: Table,
  address: number,
  count: number,
) => Promise<ArrayLike<number> | null>;

/** A device whose family is known. Facts that it does not tell are null. */
export interface Identity {
  /** With the addresses at which this device has its registers. */
  readonly profile: Profile;
  /** By how much they lie higher than those of the family. */
  readonly shift: number;
  readonly kind: 'inverter' | 'epm' | 'ammeter';
  readonly maker: string;
  readonly model: string;
  readonly sn: string | null;
  readonly modelCode: string | null;
  readonly firmware: string | null;
  readonly displayVersion: string | null;
  readonly ratedPowerW: number | null;
  readonly strings: number | null;
  readonly phases: number | null;
}

/** Why a device was not taken for one of a family. */
export interface Rejection {
  readonly profile: Profile;
  readonly reason: string;
}

/** A device that is of no known family, or that could be of several. */
export class NotIdentified extends Error {
  readonly rejections: readonly Rejection[];
  /** Whether it could be of several families, rather than of none. */
  readonly isAmbiguous: boolean;

  constructor(message: string, rejections: readonly Rejection[], isAmbiguous: boolean) {
    super(message);
    this.isAmbiguous = isAmbiguous;
    this.name = 'NotIdentified';
    this.rejections = rejections;
  }
}

/**
 * Finds out of which of the families a device is. Asks for few words at a time, each of which is kept, so that no word is asked for
 * twice. Throws NotIdentified rather than guess; rejects as `read` does if the device never answers.
 */
export async function identifyRegisters(
  read: ReadWords,
  profiles: readonly Profile[],
): Promise<Identity> {
  const words = remembering(read);
  const found: { profile: Profile; shift: number }[] = [];
  const rejections: Rejection[] = [];
  let silence: unknown;
  for (const profile of profiles) {
    const { shifts = [], checks = [] } = profile.registers?.identification ?? {};
    const reasons: string[] = [];
    for (const shift of shifts) {
      try {
        const reason = await firstFault(checks, shift, words.read);
        if (reason === undefined) found.push({ profile, shift });
        else reasons.push(shift === 0 ? reason : `one register higher: ${reason}`);
      } catch (error) {
        silence = error;
        reasons.push('no answer');
      }
    }
    if (!found.some((one) => one.profile === profile))
      rejections.push({ profile, reason: reasons.join('; ') });
  }
  const [first, second] = found;
  if (first && !second) return identityOf(first.profile, first.shift, words.read);
  if (first && second)
    throw new NotIdentified(
      `the device answers like ${found.map(({ profile, shift }) => `${profile.name}${shift === 0 ? '' : ' one register higher'}`).join(' and ')}`,
      rejections,
      true,
    );
  if (!words.hasAnswered()) throw silence;
  throw new NotIdentified(
    'the device answers, but like none that is known: see what each family expects',
    rejections,
    false,
  );
}

/** Remembers every word, and that none was refused twice. */
function remembering(read: ReadWords) {
  const answers = new Map<string, Promise<readonly number[] | null>>();
  let answered = false;
  const ask = async (
    table: Table,
    address: number,
    count: number,
  ): Promise<readonly number[] | null> => {
    const words = await read(table, address, count);
    answered = true;
    return words !== null && words.length === count ? Array.from(words) : null;
  };
  return {
    hasAnswered: (): boolean => answered,
    read: (table: Table, address: number, count: number): Promise<readonly number[] | null> => {
      const key = `${table} ${address} ${count}`;
      const known = answers.get(key) ?? ask(table, address, count);
      answers.set(key, known);
      return known;
    },
  };
}

type Remembered = ReturnType<typeof remembering>['read'];

/** The words, the high word first; null if the device refuses them. */
async function wordsOf(
  { table, words, isFixed }: Pick<Check, 'table' | 'words' | 'isFixed'>,
  shiftOfOthers: number,
  read: Remembered,
): Promise<readonly number[] | null> {
  const shift = isFixed ? 0 : shiftOfOthers;
  const from = Math.min(...words);
  const answer = await read(table, from + shift, Math.max(...words) - from + 1);
  return answer && words.map((address) => answer[address - from]!);
}

async function firstFault(
  checks: readonly Check[],
  shift: number,
  read: Remembered,
): Promise<string | undefined> {
  for (const check of checks) {
    const words = await wordsOf(check, shift, read);
    const reason = faultOf(check, words);
    if (reason !== undefined) return `${check.name} ${reason}`;
  }
  return undefined;
}

/** Why words do not pass a check. What must not be something may be missing. */
function faultOf(check: Check, words: readonly number[] | null): string | undefined {
  const { type, scale, mask, oneOf, noneOf, between, pattern } = check;
  if (words === null) return noneOf === null ? 'is refused' : undefined;
  const text = rawText(type, words);
  if (pattern !== null)
    return text !== undefined && pattern.test(text) ? undefined : `is ${text ?? 'no text'}`;
  const raw = rawNumber(type, words) ?? Number.NaN;
  const masked = mask === null ? raw : raw & mask;
  if (oneOf && !oneOf.includes(masked)) return `is ${raw}`;
  if (noneOf?.includes(masked)) return `is ${raw}`;
  const value = rounded(raw * scale);
  if (between && !(value >= between[0] && value <= between[1]))
    return `is ${value}, not from ${between[0]} to ${between[1]}`;
  return undefined;
}

async function identityOf(profile: Profile, shift: number, read: Remembered): Promise<Identity> {
  const { kind, maker, model, identification } = profile.registers!;
  const factOf = async (name: FactName): Promise<string | number | null> => {
    for (const fact of identification.facts[name] ?? []) {
      const words = await wordsOf(fact, shift, read).catch(() => null);
      const value = words && readFact(fact, words);
      if (value !== null && value !== undefined) return value;
    }
    return null;
  };
  const text = async (name: FactName): Promise<string | null> => {
    const fact = await factOf(name);
    return fact === null ? null : String(fact);
  };
  const whole = async (name: FactName, atLeast: number, atMost: number): Promise<number | null> => {
    const fact = await factOf(name);
    return typeof fact === 'number' && fact >= atLeast && fact <= atMost ? fact : null;
  };
  return {
    profile: shifted(profile, shift),
    shift,
    kind,
    maker,
    model,
    sn: await text('serialNumber'),
    modelCode: await text('modelCode'),
    firmware: await text('firmware'),
    displayVersion: await text('displayVersion'),
    ratedPowerW: await whole('ratedPowerW', RATED_AT_LEAST_W, RATED_AT_MOST_W),
    strings: await whole('strings', 1, STRINGS_AT_MOST),
    phases: await whole('phases', 1, 3),
  };
}

const [RATED_AT_LEAST_W, RATED_AT_MOST_W, STRINGS_AT_MOST] = [200, 1_000_000, 32] as const;

/** The value of a fact; null if the words stand for none. */
function readFact(fact: Fact, words: readonly number[]): string | number | null {
  const { type, scale, offset, mask, shift, map, pattern } = fact;
  const raw = rawNumber(type, words);
  if (raw === undefined) {
    const text = rawText(type, words);
    return text !== undefined && (pattern?.test(text) ?? true) ? text : null;
  }
  if (isNotMeasured(type, raw)) return null;
  const bits = mask === null ? raw : (raw & mask) >> shift;
  if (map !== null) return map[bits] ?? null;
  return rounded((bits + offset) * scale);
}
