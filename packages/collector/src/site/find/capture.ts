import {
  mirrorSpansOf,
  registerProfiles,
  spansOf,
  type Profile,
  type Table,
} from '@helioport/devices';
import { createHoles, readBlock } from '../../bus/blocks.ts';
import type { Clock } from '../../clock.ts';
import type { ReachedDevice } from '../device/reach.ts';
import { READ_FUNCTIONS } from '../device/registers.ts';
import { hideSecrets, hideTexts } from './redact.ts';

/** Registers of a device, without anything that names it or its owner. */
export interface Capture {
  readonly format: 'helioport-capture-1';
  readonly family: string | null;
  readonly unit: number;
  /** Runs of words by the address of the first, by table. */
  readonly tables: Readonly<Partial<Record<Table, Readonly<Record<string, readonly number[]>>>>>;
}

const WORDS_AT_ONCE = 40;
type Range = readonly [table: Table, from: number, to: number];

/** Where a family has registers: what is read, by what it is recognized, and what is set. */
export function rangesOf(profile: Profile): Range[] {
  const { blocks, identification, places } = profile.registers!;
  const { facts, checks } = identification;
  const spans = [...places.keys()].flatMap((id) => [
    ...(spansOf(profile, id) ?? []),
    ...(mirrorSpansOf(profile, id) ?? []),
  ]);
  return [
    ...[...blocks, ...spans].map(({ table, address, count }): Range => [
      table,
      address,
      address + count,
    ]),
    ...[...Object.values(facts).flat(), ...checks].map(({ table, words }): Range => [
      table,
      Math.min(...words),
      Math.max(...words) + 1,
    ]),
  ];
}

/** Ranges that touch are read together. */
function joined(ranges: readonly Range[]): Range[] {
  const all: Range[] = [];
  for (const range of ranges.toSorted(
    ([a, from], [b, other]) => a.localeCompare(b) || from - other,
  )) {
    const last = all.at(-1);
    if (last?.[0] === range[0] && range[1] <= last[2])
      all[all.length - 1] = [last[0], last[1], Math.max(last[2], range[2])];
    else all.push(range);
  }
  return all;
}

/** Reads whatever a device has. */
export async function capture(
  {
    bus,
    unit,
    identity,
    stick = 0,
    address: reachedAt,
  }: Pick<ReachedDevice, 'bus' | 'unit'> & Partial<ReachedDevice>,
  clock: Clock,
): Promise<Capture> {
  const registers = identity?.profile.registers;
  // Nobody knows what a device is: whatever any of the families has.
  const ranges = joined((registers ? [identity.profile] : registerProfiles()).flatMap(rangesOf));
  const words = new Map<Table, Map<number, number>>();
  const holes = createHoles(clock);
  for (const [table, from, to] of ranges) {
    const known = words.get(table) ?? new Map<number, number>();
    words.set(table, known);
    const groups = Array.from({ length: to - from }, (_, j) => ({
      address: from + j,
      count: 1,
    })).filter(({ address }) => !known.has(address));
    if (groups.length === 0) continue;
    const block = { unit, fn: READ_FUNCTIONS[table], groups, wordsAtMost: WORDS_AT_ONCE };
    const read = await bus.hold((line) => readBlock(line, block, holes), 'poll');
    for (const [address, word] of read) known.set(address, word);
  }
  const host = reachedAt && 'host' in reachedAt ? reachedAt.host : '';
  const secrets = [identity?.sn ?? '', String(stick), host];
  const serialNumbers = registers?.identification.facts.serialNumber ?? [];
  for (const known of words.values()) hideSecrets(known, secrets);
  for (const fact of serialNumbers) hide(fact, words.get(fact.table)!, identity?.sn ?? '');
  for (const [table, known] of words) {
    const ofTable = serialNumbers.filter((fact) => fact.table === table && fact.type === 'text');
    hideTexts(known, new Set(ofTable.flatMap(({ words: at }) => at)));
  }
  return {
    format: 'helioport-capture-1',
    family: identity?.profile.id ?? null,
    unit,
    tables: Object.fromEntries([...words].map(([table, known]) => [table, runsOf(known)])),
  };
}

/** The first letters tell the type of some devices; the rest names one device. */
const LETTERS_KEPT = 4;
const NEUTRAL = 0x3030;

interface TextPlace {
  readonly words: readonly number[];
  readonly type: string;
}

/** Replaces a serial number where it is known to be; its first letters stay, by which some types are recognized. */
function hide({ words, type }: TextPlace, known: Map<number, number>, sn: string): void {
  for (const [i, address] of words.entries()) {
    if (!known.has(address)) continue;
    const letters = sn.slice(2 * i, 2 * i + 2).padEnd(2, '\0');
    if (type !== 'text') known.set(address, 0x1111);
    else if (i * 2 < LETTERS_KEPT)
      known.set(address, (letters.codePointAt(0)! << 8) | letters.codePointAt(1)!);
    else known.set(address, letters === '\0\0' ? 0 : NEUTRAL);
  }
}

function runsOf(known: ReadonlyMap<number, number>): Record<string, number[]> {
  const runs: Record<string, number[]> = {};
  let [run, next] = [[] as number[], -1];
  for (const [address, word] of [...known].toSorted(([a], [b]) => a - b)) {
    if (address !== next) runs[address] = run = [];
    run.push(word);
    next = address + 1;
  }
  return runs;
}

/** Reads the text of a capture. Throws an Error that names what is wrong. */
export function readCapture(text: string): Capture {
  let value: Partial<Capture> | null;
  try {
    value = JSON.parse(text) as Partial<Capture> | null;
  } catch {
    throw new Error('it is no JSON: a capture is the file that collect capture writes');
  }
  if (value?.format !== 'helioport-capture-1' || typeof value.tables !== 'object')
    throw new Error('it is no capture: expected "format": "helioport-capture-1" and tables');
  const areWords = Object.values(value.tables).every((runs) =>
    Object.entries(runs).every(
      ([address, run]) =>
        /^\d+$/.test(address) &&
        Array.isArray(run) &&
        run.every((word) => Number.isInteger(word) && word >= 0 && word <= 0xffff),
    ),
  );
  if (!areWords) throw new Error('its tables must hold lists of words from 0 to 65535 by address');
  return value as Capture;
}
