import type { ValueForm } from './profile.ts';
import type { RegistersFile } from './registers-schema.ts';
import {
  ascending,
  faultsOfFields,
  finite,
  hasOnly,
  isListOf,
  isNamed,
  isObject,
  isWhole,
  positive,
  rule,
  text,
  whole,
  words,
  type Rules,
} from './rules.ts';

/** The contents of a profile's file. `faultsOf` checks that a file has these types. */
export interface ProfileFile {
  readonly name: string;
  readonly description: string;
  readonly models: readonly string[];
  /** Profiles whose parameters this one has too; its own parameters replace those with the same id. */
  readonly extends?: readonly string[];
  /** `read`: no parameter may be written, not even one inherited from another profile. */
  readonly access?: 'read';
  readonly writesPerDay?: number;
  readonly parameters?: readonly ParameterEntry[];
  /** With registers, a profile has only the parameters that have a place in them. */
  readonly registers?: RegistersFile;
}

/** One parameter, or several that differ only in their ids and in the number in their names. */
export interface ParameterEntry {
  readonly id?: number;
  readonly ids?: readonly number[];
  /** With `ids`, a `#` in the name stands for the position in that list, counted from 1. */
  readonly name: string;
  readonly type: ValueForm['type'];
  readonly access?: 'read';
  readonly register?: {
    readonly address: number;
    readonly readFunction: number;
    readonly writeFunction: number;
  };
  readonly oldValue?: 'required';
  readonly writesPerDay?: number;
  readonly cell?: string;
  readonly canCutSupply?:
    | true
    | { readonly atMost?: number; readonly atLeast?: number }
    | { readonly turnedOn: readonly number[]; readonly turnedOff: readonly number[] };
  readonly effectiveWith?: { readonly parameter: number; readonly bit: number };
  readonly displayVersion?: { readonly from?: string; readonly before?: string };
  /** For what devices forget by themselves. */
  readonly hold?: { readonly seconds: number; readonly none: string };
  readonly own?: readonly string[];
  readonly note?: string;
  readonly unit?: string;
  readonly range?: readonly [number, number];
  readonly step?: number;
  readonly scale?: number;
  readonly options?: Readonly<Record<string, string>>;
  readonly settable?: readonly string[];
  readonly bits?: Readonly<Record<string, string>>;
  readonly exclusive?: readonly number[];
  readonly advancesSeconds?: number;
  readonly maxCurrentA?: number;
  readonly count?: number;
  readonly stepMinutes?: number;
}

const readOnly = rule('read, or nothing', (value) => value === 'read');
const budget = whole(1, 1000);
const id = whole(1, 99_999);
const hexadecimal = rule(
  'a hexadecimal number in quotes',
  (value) => typeof value === 'string' && /^[0-9a-f]{1,8}$/.test(value),
);
const version: Rules = { from: hexadecimal, before: hexadecimal };
const bounds: Rules = { atMost: finite, atLeast: finite };
const bitNumbers = rule('a list of different bits', (value) =>
  isListOf(value, (bit) => isWhole(0, 15, bit)),
);
const switches: Rules = { turnedOn: bitNumbers, turnedOff: bitNumbers };
const holdRules: Rules = { seconds: whole(60, 86_400), none: text };
const bitOfAnother: Rules = { parameter: id, bit: whole(0, 15) };
const register: Rules = {
  address: whole(0, 0xffff),
  readFunction: whole(3, 4),
  writeFunction: whole(6, 16),
};

const profileRules: Rules = {
  name: text,
  description: text,
  models: rule(
    'a list of different texts, or an empty list if no model has this profile by name',
    (value) => Array.isArray(value) && (value.length === 0 || words.test(value)),
  ),
  extends: words,
  access: readOnly,
  writesPerDay: budget,
  parameters: rule('a list of parameters', (value) => Array.isArray(value) && value.length > 0),
  registers: rule('registers', isObject),
};

const parameterRules: Rules = {
  id,
  ids: rule('a list of different ids', (value) => isListOf(value, (item) => id.test(item))),
  name: text,
  type: rule(
    'number, choice, bits, clock, slot, slots, times or text',
    (value) => typeof value === 'string' && Object.hasOwn(formRules, value),
  ),
  access: readOnly,
  register: rule(
    'address, readFunction and writeFunction',
    (value) => hasOnly(value, register) && Object.keys(value as object).length === 3,
  ),
  oldValue: rule('required, or nothing', (value) => value === 'required'),
  writesPerDay: budget,
  cell: text,
  canCutSupply: rule(
    'true, atMost, atLeast, or turnedOn and turnedOff',
    (value) =>
      value === true ||
      (hasOnly(value, bounds) && Object.keys(value as object).length === 1) ||
      (hasOnly(value, switches) && Object.keys(value as object).length === 2),
  ),
  effectiveWith: rule(
    'parameter and bit',
    (value) => hasOnly(value, bitOfAnother) && Object.keys(value as object).length === 2,
  ),
  hold: rule(
    'seconds and none',
    (value) => hasOnly(value, holdRules) && Object.keys(value as object).length === 2,
  ),
  displayVersion: rule('from, before or both, hexadecimal in quotes', (value) =>
    hasOnly(value, version),
  ),
  own: words,
  note: text,
};

/** Fields that only parameters of one type have. */
const formRules: Readonly<
  Record<ValueForm['type'], { readonly required: Rules; readonly optional: Rules }>
> = {
  number: {
    required: {
      unit: text,
      range: ascending,
      step: positive,
    },
    optional: { scale: positive },
  },
  choice: {
    required: {
      options: rule('a name for each whole number', (value) =>
        isNamed(value, /^(0|[1-9]\d{0,4})$/),
      ),
    },
    optional: { settable: words },
  },
  bits: {
    required: {
      bits: rule('a name for each bit, 0 to 15', (value) => isNamed(value, /^(\d|1[0-5])$/)),
    },
    optional: {
      exclusive: rule(
        'a list of at least two bits',
        (value) => isListOf(value, (bit) => isWhole(0, 15, bit)) && (value as unknown[]).length > 1,
      ),
    },
  },
  clock: { required: { advancesSeconds: whole(1, 3600) }, optional: {} },
  slot: { required: {}, optional: {} },
  slots: { required: { maxCurrentA: whole(1, 10_000) }, optional: {} },
  times: { required: { count: whole(2, 24), stepMinutes: whole(1, 60) }, optional: {} },
  text: { required: {}, optional: {} },
};

/** The faults in a profile's file, each with its place; empty if there are none. */
export function faultsOf(file: unknown): string[] {
  const faults = faultsOfFields(file, profileRules, ['name', 'description', 'models']);
  if (!isObject(file)) return faults;
  if ([file['parameters'], file['extends'], file['registers']].every((part) => part === undefined))
    faults.push('parameters is missing');
  if (Array.isArray(file['parameters'])) {
    for (const [i, entry] of file['parameters'].entries())
      faults.push(...faultsOfEntry(entry).map((fault) => `parameters[${i}]: ${fault}`));
  }
  return faults;
}

function faultsOfEntry(entry: unknown): string[] {
  const type = isObject(entry) ? entry['type'] : undefined;
  const { required, optional } = parameterRules['type']!.test(type)
    ? formRules[type as ValueForm['type']]
    : { required: {}, optional: {} };
  const faults = faultsOfFields(entry, { ...parameterRules, ...required, ...optional }, [
    'name',
    'type',
    ...Object.keys(required),
  ]);
  if (!isObject(entry) || faults.length > 0) return faults;
  return faultsTogether(entry as unknown as ParameterEntry);
}

/** Faults in the combination of fields that are each valid by themselves. */
function faultsTogether({
  id: one,
  ids,
  name,
  type,
  access,
  canCutSupply,
  options,
  settable,
  bits,
  exclusive,
  own,
}: ParameterEntry): string[] {
  const faults: string[] = [];
  if ((one === undefined) === (ids === undefined))
    faults.push('either id or ids must be there, not both');
  if (name.includes('#') !== (ids !== undefined))
    faults.push('the name must have a # if there are several ids, and only then');
  if (type === 'text' && access !== 'read')
    faults.push('text can only be read: access must be read');
  const cutBits =
    typeof canCutSupply === 'object' && 'turnedOn' in canCutSupply
      ? [...canCutSupply.turnedOn, ...canCutSupply.turnedOff]
      : undefined;
  if (typeof canCutSupply === 'object' && !cutBits && type !== 'number')
    faults.push('canCutSupply has bounds, which only numbers can have');
  for (const bit of cutBits ?? [])
    if (!Object.hasOwn(bits ?? {}, bit)) faults.push(`canCutSupply ${bit} is not a bit`);
  for (const value of settable ?? [])
    if (!Object.hasOwn(options!, value)) faults.push(`settable ${value} is not an option`);
  for (const bit of exclusive ?? [])
    if (!Object.hasOwn(bits!, bit)) faults.push(`exclusive ${bit} is not a bit`);
  for (const field of own ?? [])
    if (
      !Object.hasOwn(parameterRules, field) &&
      !Object.values(formRules).some((form) => hasField(form, field))
    )
      faults.push(`own ${field} is not a field`);
  return faults;
}

const hasField = (
  { required, optional }: (typeof formRules)[ValueForm['type']],
  field: string,
): boolean => Object.hasOwn({ ...required, ...optional }, field);
