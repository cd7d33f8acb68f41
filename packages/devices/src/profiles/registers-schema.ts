import type { FactName, Table, WordType } from '../registers/register-map.ts';
import {
  ascending,
  faultsOfFields,
  finite,
  hasOnly,
  isListOf,
  isObject,
  isText,
  isWhole,
  rule,
  text,
  whole,
  type Rule,
  type Rules,
} from './rules.ts';

/** The registers in a profile's file. `faultsOfRegisters` checks that a file has these types. */
export interface RegistersFile {
  /** Another profile, of whose registers this one has all that it does not say itself. */
  readonly like?: string;
  /** Factors by which scales differ from those of `like`, or may differ (1), by the id of the value or parameter: all of these are doubtful. */
  readonly scales?: Readonly<Record<string, number>>;
  readonly maker?: string;
  readonly kind?: 'inverter' | 'epm' | 'ammeter';
  readonly model?: string;
  readonly wordOrder?: 'high' | 'low';
  readonly wordsAtMost?: number;
  readonly atMostW?: number;
  readonly identify?: {
    readonly shifts?: readonly number[];
    readonly checks?: readonly CheckEntry[];
    readonly facts?: Readonly<Partial<Record<FactName, readonly FactEntry[]>>>;
  };
  readonly blocks?: readonly BlockEntry[];
  readonly places?: readonly PlaceEntry[];
  readonly clock?: number;
  /** Another profile, whose states this one has. */
  readonly statesLike?: string;
  readonly states?: Readonly<Record<string, string>>;
  /** States from which on the value is the code of a fault, hexadecimal, with its level. */
  readonly faults?: Readonly<Record<string, readonly [level: number, name: string]>>;
}

/** Where words are: `at` the first, or `words` all of them, the high word first. */
interface Spot {
  readonly at?: number;
  readonly words?: readonly number[];
  readonly type?: WordType;
  /** How many words a text has. */
  readonly count?: number;
  readonly order?: 'high' | 'low';
}

export interface CheckEntry extends Spot {
  readonly name: string;
  readonly table: Table;
  readonly scale?: number;
  readonly mask?: number;
  readonly oneOf?: readonly number[];
  readonly noneOf?: readonly number[];
  readonly between?: readonly [number, number];
  readonly pattern?: string;
  readonly fixed?: true;
}

export interface FactEntry extends Spot {
  readonly table: Table;
  readonly scale?: number;
  readonly offset?: number;
  readonly shift?: number;
  readonly mask?: number;
  readonly map?: Readonly<Record<string, number>>;
  readonly pattern?: string;
  readonly fixed?: true;
}

export interface BlockEntry {
  readonly name: string;
  readonly table: Table;
  readonly from: number;
  readonly count: number;
  readonly every: 'fast' | 'slow' | 'daily';
  readonly values: readonly ValueEntry[];
}

/** The bits of a word that are alarms. */
export interface AlarmsEntry {
  /** Code of the alarms, whose zeros at the end are replaced by their number, such as F00. Without it, only the bits under `bits` are alarms. */
  readonly code?: string;
  /** Number of the lowest bit; 0 if absent. */
  readonly first?: number;
  /** 2 if absent. */
  readonly level?: number;
  /** By number: the fault of `faults` that it is, its name, or its level and its name. */
  readonly bits?: Readonly<
    Record<string, number | string | readonly [level: number, name: string]>
  >;
  /** Public tables that name them, by the same numbers. */
  readonly names?: readonly string[];
}

export interface ValueEntry extends Spot {
  /** The quantity that it stands for. */
  readonly is?: string;
  readonly name?: string;
  readonly unit?: string;
  readonly scale?: number;
  readonly offset?: number;
  readonly direction?: number;
  readonly high?: number;
  readonly plus?: readonly number[];
  readonly bounds?: readonly [number, number];
  readonly sentinels?: readonly number[];
  readonly zero?: 'nothing';
  readonly phases?: number;
  readonly sureUpToW?: number;
  readonly alarms?: AlarmsEntry;
  readonly sources?: readonly string[];
  readonly doubt?: string;
}

export interface PlaceEntry {
  readonly id?: number;
  readonly ids?: readonly number[];
  readonly table?: 'holding' | 'coil';
  readonly at?: number;
  /** With `ids`: how far the addresses of one lie from those of the one before. */
  readonly step?: number;
  readonly signed?: boolean;
  readonly scale?: number;
  readonly offset?: number;
  readonly map?: Readonly<Record<string, number>>;
  /** A bit, or one for each of `ids`. */
  readonly bit?: number | readonly number[];
  readonly inverted?: boolean;
  readonly fieldsPerWord?: 1 | 2;
  readonly currents?: readonly [number, number];
  readonly slots?: readonly number[];
  /** Where a forced power is: its direction (0 none, 1 charging, 2 discharging), and a size for each. */
  readonly forced?: {
    readonly direction: number;
    readonly charge: number;
    readonly discharge: number;
  };
  /** Seconds after which what the device would forget is written again. */
  readonly repeat?: number;
  readonly write?: 6 | 16;
  readonly together?: { readonly at: number; readonly count: number };
  readonly gate?: { readonly at: number; readonly on: number };
  readonly toggle?: { readonly at: number; readonly value: number };
  readonly mirror?: { readonly table: Table; readonly at: number };
  readonly sources?: readonly string[];
  readonly doubt?: string;
}

const oneOf = (...names: readonly string[]): Rule =>
  rule(names.join(' or '), (value) => names.includes(value as string));
const table = oneOf('input', 'holding', 'coil', 'discrete');
const address = whole(0, 0xffff);
const isAddresses = (value: unknown): boolean =>
  isListOf(value, (item) => isWhole(0, 0xffff, item));
const addresses = rule('a list of different addresses', isAddresses);
const numbers = rule('a list of different numbers', (value) => isListOf(value, Number.isFinite));
const scale = rule('a number, not 0', (value) => Number.isFinite(value) && value !== 0);
const pattern = rule('a regular expression', (value) => isText(value) && isPattern(value));
const numbersByName = rule(
  'a number for each option',
  (value) => isObject(value) && Object.values(value).every(Number.isFinite),
);
const list = (of: string): Rule =>
  rule(`a list of ${of}`, (value) => Array.isArray(value) && value.length > 0);
const bit = whole(0, 15);
const yes = rule('true', (value) => value === true);
const exactly = (rules: Rules): Rule =>
  rule(
    Object.keys(rules).join(' and '),
    (value) =>
      hasOnly(value, rules) && Object.keys(value as object).length === Object.keys(rules).length,
  );

const spot: Rules = {
  at: address,
  words: addresses,
  type: oneOf('u16', 's16', 'u32', 's32', 'float32', 'text', 'hex', 'bcd'),
  count: whole(1, 40),
  order: oneOf('high', 'low'),
};
const evidence: Rules = {
  sources: rule(
    'a list of different names of public tables',
    (value) => isListOf(value, isText) || (Array.isArray(value) && value.length === 0),
  ),
  doubt: text,
};

const isLevelled = (value: unknown): boolean =>
  Array.isArray(value) && isWhole(1, 3, value[0]) && isText(value[1]);
const alarmRules: Rules = {
  code: rule('a code that ends in zeros', (value) => /^[A-Z0-9.-]*0$/.test(String(value))),
  first: whole(0, 1_000),
  level: whole(1, 3),
  names: rule('a list of different names of public tables', (value) => isListOf(value, isText)),
  bits: rule(
    'faults, names, or levels and names by number',
    (value) =>
      isObject(value) &&
      Object.entries(value).every(
        ([n, said]) => isCode(n) && (isWhole(0, 0xffff, said) || isText(said) || isLevelled(said)),
      ),
  ),
};
const alarms = rule(
  `an object of ${Object.entries(alarmRules)
    .map(([name, { expected }]) => `${name}, ${expected}`)
    .join('; ')}`,
  (value) => hasOnly(value, alarmRules),
);

const registersRules: Rules = {
  like: text,
  scales: numbersByName,
  maker: text,
  kind: oneOf('inverter', 'epm', 'ammeter'),
  model: text,
  wordOrder: oneOf('high', 'low'),
  wordsAtMost: whole(2, 125),
  atMostW: whole(1000, 10_000_000),
  identify: rule('shifts, checks and facts', isObject),
  blocks: list('blocks'),
  places: list('places'),
  clock: whole(1, 99_999),
  statesLike: text,
  states: rule(
    'a name for each number',
    (value) =>
      isObject(value) && Object.entries(value).every(([n, name]) => isCode(n) && isText(name)),
  ),
  faults: rule(
    'a level, 1 to 3, and a name for each number',
    (value) =>
      isObject(value) &&
      Object.entries(value).every(([n, fault]) => isCode(n) && isLevelled(fault)),
  ),
};
const identifyRules: Rules = {
  shifts: rule('a list of whole numbers', (value) => isListOf(value, Number.isInteger)),
  checks: list('checks'),
  facts: rule('a list of places for each fact', isObject),
};
const checkRules: Rules = {
  ...spot,
  name: text,
  table,
  scale,
  mask: whole(1, 0xffff),
  oneOf: numbers,
  noneOf: numbers,
  between: ascending,
  pattern,
  fixed: yes,
};
const factRules: Rules = {
  ...spot,
  table,
  scale,
  offset: finite,
  shift: whole(0, 15),
  mask: whole(1, 0xffff),
  map: numbersByName,
  pattern,
  fixed: yes,
};
const blockRules: Rules = {
  name: text,
  table,
  from: address,
  count: whole(1, 125),
  every: oneOf('fast', 'slow', 'daily'),
  values: list('values'),
};
const valueRules: Rules = {
  ...spot,
  ...evidence,
  is: text,
  name: text,
  unit: text,
  scale,
  offset: finite,
  direction: address,
  high: address,
  plus: addresses,
  bounds: ascending,
  sentinels: numbers,
  zero: oneOf('nothing'),
  phases: whole(1, 3),
  sureUpToW: whole(1, 10_000_000),
  alarms,
};
const placeRules: Rules = {
  ...evidence,
  id: whole(1, 99_999),
  ids: rule('a list of different ids', (value) =>
    isListOf(value, (item) => isWhole(1, 99_999, item)),
  ),
  table: oneOf('holding', 'coil'),
  at: address,
  step: whole(1, 100),
  signed: yes,
  scale,
  offset: finite,
  map: numbersByName,
  bit: rule(
    'a bit, or a list of different bits',
    (value) => bit.test(value) || isListOf(value, (item) => bit.test(item)),
  ),
  inverted: yes,
  fieldsPerWord: rule('1 or 2', (value) => value === 1 || value === 2),
  currents: rule(
    'two addresses',
    (value) => isAddresses(value) && (value as unknown[]).length === 2,
  ),
  slots: rule(
    'three addresses',
    (value) => isAddresses(value) && (value as unknown[]).length === 3,
  ),
  forced: exactly({ direction: address, charge: address, discharge: address }),
  repeat: whole(5, 600),
  write: rule('6 or 16', (value) => value === 6 || value === 16),
  together: exactly({ at: address, count: whole(1, 123) }),
  gate: exactly({ at: address, on: address }),
  toggle: exactly({ at: address, value: address }),
  mirror: exactly({ table, at: address }),
};
const FACTS: Rules = Object.fromEntries(
  [
    'serialNumber',
    'modelCode',
    'firmware',
    'displayVersion',
    'ratedPowerW',
    'strings',
    'phases',
  ].map((name) => [name, list('places')]),
);

function isPattern(source: string): boolean {
  try {
    return new RegExp(source) instanceof RegExp;
  } catch {
    return false;
  }
}

const isCode = (value: string): boolean => /^\d{1,5}$/.test(value) && Number(value) <= 0xffff;

/** A fault in a file, and the path of what it is about. */
export interface PlacedFault {
  readonly path: readonly (string | number)[];
  readonly text: string;
}

/** The faults in the registers of a profile, each with its path below `registers`; empty if there are none. */
export function faultsOfRegisters(file: unknown): PlacedFault[] {
  const faults: PlacedFault[] = [];
  const at = (
    path: PlacedFault['path'],
    value: unknown,
    rules: Rules,
    required: string[],
  ): void => {
    faults.push(...faultsOfFields(value, rules, required).map((fault) => ({ path, text: fault })));
  };
  const each = (path: PlacedFault['path'], value: unknown): [PlacedFault['path'], unknown][] =>
    Array.isArray(value) ? value.map((item, i) => [[...path, i], item]) : [];
  const isLike = isObject(file) && file['like'] !== undefined;
  at(
    [],
    file,
    registersRules,
    isLike ? [] : ['maker', 'kind', 'model', 'identify', 'blocks', 'atMostW'],
  );
  if (!isObject(file)) return faults;
  const { identify, blocks, places } = file;
  if (isObject(identify)) {
    at(['identify'], identify, identifyRules, isLike ? [] : ['checks', 'facts']);
    for (const [path, check] of each(['identify', 'checks'], identify['checks']))
      at(path, check, checkRules, ['name', 'table']);
    if (isObject(identify['facts'])) {
      at(['identify', 'facts'], identify['facts'], FACTS, []);
      for (const [name, facts] of Object.entries(identify['facts']))
        for (const [path, fact] of each(['identify', 'facts', name], facts))
          at(path, fact, factRules, ['table']);
    }
  }
  for (const [path, block] of each(['blocks'], blocks)) {
    at(path, block, blockRules, ['name', 'table', 'from', 'count', 'every', 'values']);
    if (isObject(block))
      for (const [place, value] of each([...path, 'values'], block['values']))
        at(place, value, valueRules, ['sources']);
  }
  for (const [path, place] of each(['places'], places)) at(path, place, placeRules, ['sources']);
  return faults;
}
