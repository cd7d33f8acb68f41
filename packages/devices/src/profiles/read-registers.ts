import { isQuantity, quantities } from '@helioport/contract/quantities';
import type {
  Block,
  Check,
  Fact,
  Identification,
  RegisterMap,
  RegisterValue,
  State,
  WordType,
} from '../registers/register-map.ts';
import { alarmsOf, statesOf } from './read-alarms.ts';
import { doubtful, evidenceOf, isSignSettled } from './evidence.ts';
import type { Parameter } from './profile.ts';
import type {
  BlockEntry,
  CheckEntry,
  FactEntry,
  PlacedFault,
  RegistersFile,
  ValueEntry,
} from './registers-schema.ts';
import { clockOf, placesOf } from './read-places.ts';

/** Makes the registers of a profile from its file, whose types have been checked. Adds what is wrong with the contents to `faults`. */
export function registersOf(
  file: RegistersFile,
  like: RegisterMap | null,
  states: ReadonlyMap<number, State> | null,
  parameters: ReadonlyMap<string, Parameter>,
  faults: PlacedFault[],
): RegisterMap {
  const { identify, scales = {} } = file;
  const wordOrder = file.wordOrder ?? like?.wordOrder ?? 'high';
  const isHighFirst = wordOrder === 'high';
  const identification: Identification = {
    shifts: identify?.shifts ?? like?.identification.shifts ?? [0],
    checks:
      identify?.checks?.map((entry) => checkOf(entry, isHighFirst)) ??
      like?.identification.checks ??
      [],
    facts: identify?.facts
      ? Object.fromEntries(
          Object.entries(identify.facts).map(([name, facts]) => [
            name,
            facts.map((entry) => factOf(entry, isHighFirst)),
          ]),
        )
      : (like?.identification.facts ?? {}),
  };
  const maker = file.maker ?? like?.maker ?? '';
  const places = placesOf(file, like, maker, parameters, faults);
  const known = statesOf(file, states ?? like?.states ?? new Map());
  return {
    maker,
    kind: file.kind ?? like?.kind ?? 'inverter',
    model: file.model ?? like?.model ?? '',
    wordOrder,
    wordsAtMost: file.wordsAtMost ?? like?.wordsAtMost ?? 125,
    atMostW: file.atMostW ?? like?.atMostW ?? 0,
    identification,
    blocks: file.blocks
      ? blocksOf(file.blocks, { isHighFirst, atMostW: file.atMostW ?? 0, states: known }, faults)
      : (like?.blocks ?? []).map((block) => rescaled(block, scales)),
    places,
    clock: clockOf(
      file.clock === undefined ? (like?.clock ?? null) : String(file.clock),
      places,
      faults,
    ),
    states: known,
  };
}

/** What the values of a file have in common. */
interface Common {
  readonly isHighFirst: boolean;
  readonly atMostW: number;
  readonly states: ReadonlyMap<number, State>;
}

function blocksOf(entries: readonly BlockEntry[], common: Common, faults: PlacedFault[]): Block[] {
  const seen = new Set<string>();
  return entries.map(({ name, table, from, count, every, values }, i) => ({
    name,
    table,
    address: from,
    count,
    every,
    values: values.map((entry, j) => {
      const fault = (text: string): void => {
        faults.push({ path: ['blocks', i, 'values', j], text });
      };
      const value = valueOf(entry, common, seen, fault);
      const needed = [...value.words, ...value.plus, value.direction ?? from, value.high ?? from];
      if (needed.some((address) => address < from || address >= from + count))
        fault(`${value.id} is not within the block, so its words could come from two answers`);
      if (seen.has(value.id)) fault(`${value.id} occurs twice`);
      seen.add(value.id);
      return value;
    }),
  }));
}

function valueOf(
  entry: ValueEntry,
  { isHighFirst, atMostW, states }: Common,
  seen: ReadonlySet<string>,
  fault: (text: string) => void,
): RegisterValue {
  const { is, name, unit, type = 'u16' } = entry;
  const words = wordsOf(entry, isHighFirst);
  if (words.length === 0)
    fault('either at or words must be there, with as many words as the type has');
  if ((is === undefined) === (name === undefined)) fault('either is or name must be there');
  if (is !== undefined && !isQuantity(is)) fault(`${is} is no quantity`);
  const quantity = is !== undefined && isQuantity(is) ? is : null;
  const base = is ?? name ?? '';
  return {
    // A second register for a quantity is known by its address.
    id: quantity !== null && seen.has(base) ? `${base}@${words[0]}` : base,
    quantity,
    name: name ?? (quantity === null ? '' : quantities.get(quantity)!.description),
    unit: unit ?? (quantity === null ? '' : quantities.get(quantity)!.unit),
    words,
    type,
    scale: entry.scale ?? 1,
    offset: entry.offset ?? 0,
    direction: entry.direction ?? null,
    high: entry.high ?? null,
    plus: entry.plus ?? [],
    minus: [],
    scaleFactor: null,
    bounds: entry.bounds ?? null,
    // A word that a device has not got is often read as all ones.
    sentinels: entry.sentinels ?? (entry.alarms ? [0xffff] : []),
    zeroIsNothing: entry.zero !== undefined,
    phases: entry.phases ?? null,
    sureUpToW: entry.sureUpToW ?? null,
    alarms: entry.alarms ? alarmsOf(entry.alarms, name ?? base, states, fault) : null,
    namedBy: entry.alarms?.names ?? [],
    evidence: evidenceOf(entry, isSignSettled(entry, quantity, atMostW)),
  };
}

const WIDTHS: { readonly [Type in WordType]?: number } = { u32: 2, s32: 2, float32: 2 };

/** Addresses of the words, the high word first; empty if the entry is wrong. */
function wordsOf(
  {
    at,
    words,
    type = 'u16',
    count,
    order,
  }: Pick<ValueEntry, 'at' | 'words' | 'type' | 'count' | 'order'>,
  isHighFirst: boolean,
): readonly number[] {
  const isText = type === 'text' || type === 'hex' || type === 'bcd';
  const width = isText ? (count ?? 1) : (WIDTHS[type] ?? 1);
  if (words !== undefined) return at === undefined && words.length === width ? words : [];
  if (at === undefined) return [];
  const ascending = Array.from({ length: width }, (_, i) => at + i);
  const isAscending = isText || (order === undefined ? isHighFirst : order === 'high');
  return isAscending ? ascending : ascending.toReversed();
}

const checkOf = (entry: CheckEntry, isHighFirst: boolean): Check => ({
  name: entry.name,
  table: entry.table,
  words: wordsOf(entry, isHighFirst),
  type: entry.type ?? 'u16',
  scale: entry.scale ?? 1,
  mask: entry.mask ?? null,
  oneOf: entry.oneOf ?? null,
  noneOf: entry.noneOf ?? null,
  between: entry.between ?? null,
  pattern: entry.pattern === undefined ? null : new RegExp(entry.pattern),
  isFixed: entry.fixed ?? false,
});

const factOf = (entry: FactEntry, isHighFirst: boolean): Fact => ({
  table: entry.table,
  words: wordsOf(entry, isHighFirst),
  type: entry.type ?? 'u16',
  scale: entry.scale ?? 1,
  offset: entry.offset ?? 0,
  shift: entry.shift ?? 0,
  mask: entry.mask ?? null,
  map: entry.map ?? null,
  pattern: entry.pattern === undefined ? null : new RegExp(entry.pattern),
  isFixed: entry.fixed ?? false,
});

function rescaled(block: Block, scales: Readonly<Record<string, number>>): Block {
  return {
    ...block,
    values: block.values.map((value) => {
      const factor = scales[value.id];
      return factor === undefined
        ? value
        : { ...value, scale: value.scale * factor, evidence: doubtful(value.evidence) };
    }),
  };
}
