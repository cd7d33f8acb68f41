import { checkValue } from '../parameters/check-value.ts';
import type { Parameter, Profile } from '../profiles/profile.ts';
import { addressesOf, valueAddresses } from '../profiles/read-places.ts';
import { decodeParameter, wordsOfParameter } from './parameter-words.ts';
import type { Encoding, Place, Table } from './register-map.ts';
import type { WordAt } from './words.ts';

/** Words that are read by one request. */
export interface Span {
  readonly table: Table;
  readonly address: number;
  readonly count: number;
}

/** One write request. Function 6 has one word; coils are written by 5 or 15 instead. */
export interface RegisterWrite {
  readonly function: 6 | 16;
  readonly table: 'holding' | 'coil';
  readonly address: number;
  readonly words: readonly number[];
}

/** What has to be sent to a device, in this order. Empty if the value is there already. */
export type WritePlan =
  | { readonly writes: readonly RegisterWrite[]; readonly value: string }
  | { readonly fault: string };

/** What the owner has confirmed beside the two sources. */
export type Confirmed = ReadonlySet<string>;

const NOTHING: Confirmed = new Set();

const find = (profile: Profile, id: string): [Parameter, Place] | undefined => {
  const [parameter, place] = [profile.parameters.get(id), profile.registers?.places.get(id)];
  return parameter && place ? [parameter, place] : undefined;
};

/** What must be read before a parameter is shown or written; undefined if the profile has no place for it. */
export function spansOf(profile: Profile, id: string): readonly Span[] | undefined {
  const found = find(profile, id);
  if (!found) return undefined;
  const [, place] = found;
  return spans(place.table, addressesOf({ ...place, toggle: null }));
}

/** What must be read to see whether a write has taken effect: the mirror, where the device has one, or the registers themselves. */
export function mirrorSpansOf(profile: Profile, id: string): readonly Span[] | undefined {
  const found = find(profile, id);
  if (!found) return undefined;
  const [, { mirror, encoding, table }] = found;
  return mirror
    ? [{ table: mirror.table, address: mirror.address, count: 1 }]
    : spans(table, [...valueAddresses(encoding)]);
}

/** The largest gap of words that are read although nothing is wanted of them. */
const GAP_AT_MOST = 8;

function spans(table: Table, addresses: readonly number[]): Span[] {
  const result: { table: Table; address: number; count: number }[] = [];
  for (const address of [...new Set(addresses)].toSorted((a, b) => a - b)) {
    const last = result.at(-1);
    if (last && address - (last.address + last.count) <= GAP_AT_MOST)
      last.count = address - last.address + 1;
    else result.push({ table, address, count: 1 });
  }
  return result;
}

/** The text of a parameter; undefined if the profile has no place for it, or a word is missing or stands for no value. @param at words of the parameter's own table */
export function parameterText(profile: Profile, id: string, at: WordAt): string | undefined {
  const found = find(profile, id);
  return found && decodeParameter(found[0], found[1].encoding, at);
}

/** The text of a parameter by its mirror. @param at words of the mirror's table */
export function mirroredText(profile: Profile, id: string, at: WordAt): string | undefined {
  const found = find(profile, id);
  const [parameter, place] = found ?? [];
  if (!parameter || !place) return undefined;
  const { mirror, encoding } = place;
  if (!mirror) return decodeParameter(parameter, encoding, at);
  return 'address' in encoding
    ? decodeParameter(parameter, { ...encoding, address: mirror.address }, at)
    : undefined;
}

/** Whether a parameter may be written: by what two sources say, or by the owner's word. */
export function isWritable(profile: Profile, id: string, confirmed: Confirmed = NOTHING): boolean {
  const [parameter, place] = find(profile, id) ?? [];
  return (
    parameter?.access === 'write' &&
    place !== undefined &&
    place.writeFunction !== null &&
    (place.evidence.isConfirmed || confirmed.has(id))
  );
}

/**
 * Plans the write of a parameter. @param at the words that `spansOf` names, as just read; the other bits of a word, and the
 * other words of a group, are kept as they are @param displayVersion as the device has shown it
 */
export function planWrite(
  profile: Profile,
  id: string,
  text: string,
  at: WordAt,
  {
    confirmed = NOTHING,
    displayVersion = null,
    oldValue = null,
  }: {
    readonly confirmed?: Confirmed;
    readonly displayVersion?: string | null;
    readonly oldValue?: string | null;
  } = {},
): WritePlan {
  const found = find(profile, id);
  if (!found) return { fault: `${id} is not a parameter of ${profile.name}` };
  const [parameter, place] = found;
  // The server has seen the old value; here it is the word that has just been read.
  const old = oldValue ?? decodeParameter(parameter, place.encoding, at) ?? null;
  const checked = checkValue(parameter, text, { oldValue: old, displayVersion });
  if ('fault' in checked) return { fault: `expected ${checked.fault.expected}` };
  if (place.writeFunction === null) return { fault: `${parameter.name} can only be read` };
  if (!isWritable(profile, id, confirmed))
    return {
      fault: `the register of ${parameter.name} is unconfirmed: ${why(place)}; confirm ${id} in the collector's file to write it`,
    };
  const wanted = wordsOfParameter(parameter, place.encoding, checked.value, at);
  if (!wanted) return { fault: `${checked.value} does not fit the registers of ${parameter.name}` };
  const isClock = place.encoding.as === 'clock';
  // What a device would forget is written again, but for what it falls back to.
  const isKept = place.repeatMs === null || checked.value === parameter.hold?.none;
  const isThere =
    !isClock && isKept && [...wanted].every(([address, word]) => at(address) === word);
  const { gate } = place;
  const isInForce = gate === null || at(gate.address) === gate.on;
  if (isThere && isInForce) return { writes: [], value: checked.value };
  const writes = writesOf(place, wanted, at);
  if (typeof writes === 'string') return { fault: writes };
  const { table, together } = place;
  const isOpenedTogether =
    gate &&
    together &&
    gate.address - together.address < together.count &&
    gate.address >= together.address;
  const isApart = gate !== null && !isOpenedTogether;
  const gated = (word: number): RegisterWrite[] =>
    isApart
      ? [{ function: place.writeFunction!, table, address: gate.address, words: [word] }]
      : [];
  const before =
    gate?.isLast === true
      ? isInForce && gate.off !== null
        ? gated(gate.off)
        : []
      : isInForce
        ? []
        : gated(gate.on);
  const isSetAfter = gate?.isLast === true && (!isInForce || gate.off !== null);
  const after = isSetAfter ? gated(gate.on) : [];
  return { writes: [...before, ...writes, ...after], value: checked.value };
}

const why = ({ evidence: { sources, doubt } }: Place): string =>
  doubt ?? (sources.length === 0 ? 'no public table has it' : `only ${sources[0]} has it`);

function writesOf(
  { table, writeFunction, together, gate, toggle, encoding, repeatMs }: Place,
  wanted: ReadonlyMap<number, number>,
  at: WordAt,
): RegisterWrite[] | string {
  const words = new Map(wanted);
  if (together)
    for (let i = 0; i < together.count; i += 1) {
      const address = together.address + i;
      const kept =
        words.get(address) ??
        (address === gate?.address ? gate.on : address === toggle?.address ? 0 : at(address));
      if (kept === undefined) return `register ${address}, which is written too, could not be read`;
      words.set(address, kept);
    }
  if (toggle) words.set(toggle.address, toggle.value);
  if (writeFunction === 6)
    return [...words]
      .filter(([address, word]) => repeatMs !== null || at(address) !== word)
      .map(([address, word]) => ({ function: 6, table, address, words: [word] }));
  // Of a group, all is written; of several groups, only those that differ.
  return runs(words, encoding)
    .filter(
      ({ address, words: run }) =>
        encoding.as === 'clock' || run.some((word, i) => at(address + i) !== word),
    )
    .map(({ address, words: run }) => ({
      // The two currents of the slots are settings of their own.
      function: encoding.as === 'slots' && encoding.currents.includes(address) ? 6 : 16,
      table,
      address,
      words: run,
    }));
}

/** Neighbouring words as one run each; of the three slots, each slot and each current. */
function runs(
  words: ReadonlyMap<number, number>,
  encoding: Encoding,
): { address: number; words: number[] }[] {
  const begins: readonly number[] =
    encoding.as === 'slots' ? [...encoding.currents, ...encoding.slots] : [];
  const result: { address: number; words: number[] }[] = [];
  for (const [address, word] of [...words].toSorted(([a], [b]) => a - b)) {
    const last = result.at(-1);
    if (last && last.address + last.words.length === address && !begins.includes(address))
      last.words.push(word);
    else result.push({ address, words: [word] });
  }
  return result;
}
