import { createRequire } from 'node:module';
import type yaml from 'yaml';
import { faultsOf, type ParameterEntry, type ProfileFile } from './file-schema.ts';
import type { RegisterMap } from '../registers/register-map.ts';
import { isProtection } from './never-written.ts';
import type { Parameter, Profile, ValueForm } from './profile.ts';
import { registersOf } from './read-registers.ts';
import { faultsOfRegisters, type PlacedFault, type RegistersFile } from './registers-schema.ts';

/** Reads the file of a profile. `find` returns a profile that it extends. Throws an Error that names the file and everything that is wrong with it. */
export function readProfile(
  id: string,
  text: string,
  find: (id: string) => Profile | undefined,
): Profile {
  const fault = (faults: readonly string[]): Error =>
    new Error(`profile ${id}.yaml: ${faults.join('; ')}`);
  const { file, lineOf } = contentsOf(text, fault);
  const faults = faultsOf(file);
  if (faults.length > 0) throw fault(faults);
  const {
    name,
    description,
    models,
    extends: bases = [],
    access,
    writesPerDay,
    parameters: entries = [],
    registers: registersFile,
  } = file as ProfileFile;

  const parameters = new Map<string, Parameter>();
  for (const base of bases) {
    const profile = find(base);
    if (profile === undefined) throw fault([`extends ${base}, which is not a profile`]);
    for (const parameter of profile.parameters.values()) parameters.set(parameter.id, parameter);
  }
  const own = entries.flatMap((entry) => parametersOf(entry, writesPerDay));
  for (const parameter of own) {
    if (own.some((other) => other !== parameter && other.id === parameter.id))
      throw fault([`${parameter.id} occurs twice`]);
    parameters.set(parameter.id, parameter);
  }
  const readable = [...parameters.values()].map((parameter): Parameter =>
    access === 'read' ? { ...parameter, access, writesPerDay: 0 } : parameter,
  );
  for (const { id: parameterId, cell, writesPerDay: budget } of readable) {
    if (readable.some((other) => other.cell === cell && other.writesPerDay !== budget))
      throw fault([`${parameterId}: parameters of the cell ${cell} have different budgets`]);
  }
  for (const { id: parameterId, effectiveWith } of readable) {
    const form = effectiveWith && parameters.get(effectiveWith.parameter)?.form;
    if (effectiveWith && !(form?.type === 'bits' && form.bits.has(effectiveWith.bit)))
      throw fault([`${parameterId}: effectiveWith is no bit of another parameter`]);
  }
  if (readable.some((parameter) => parameter.access === 'write' && parameter.writesPerDay === 0))
    throw fault(['writesPerDay is missing']);
  for (const { id: parameterId } of readable)
    if (isProtection(parameterId))
      throw fault([`${parameterId} sets a protection of the grid, which is never a parameter`]);
  const known = new Map(
    readable.toSorted((a, b) => Number(a.id) - Number(b.id)).map((one) => [one.id, one]),
  );
  const registers =
    registersFile === undefined
      ? null
      : readRegisters(registersFile, known, find, (found) =>
          fault(found.map((one) => placed(one, lineOf))),
        );
  return {
    id,
    name,
    description,
    models,
    bases,
    parameters: registers ? withPlaces(known, registers) : known,
    registers,
  };
}

const withPlaces = (
  parameters: ReadonlyMap<string, Parameter>,
  { places }: RegisterMap,
): ReadonlyMap<string, Parameter> => new Map([...parameters].filter(([id]) => places.has(id)));

function readRegisters(
  file: RegistersFile,
  parameters: ReadonlyMap<string, Parameter>,
  find: (id: string) => Profile | undefined,
  fault: (faults: readonly PlacedFault[]) => Error,
): RegisterMap {
  const faults = faultsOfRegisters(file);
  if (faults.length > 0) throw fault(faults);
  const like = file.like === undefined ? null : (find(file.like)?.registers ?? null);
  if (file.like !== undefined && like === null)
    throw fault([{ path: [], text: `like ${file.like}, which has no registers` }]);
  const states = file.statesLike === undefined ? null : find(file.statesLike)?.registers?.states;
  if (states === undefined)
    throw fault([{ path: [], text: `statesLike ${file.statesLike}, which has no registers` }]);
  const registers = registersOf(file, like, states, parameters, faults);
  if (faults.length > 0) throw fault(faults);
  return registers;
}

type LineOf = (path: PlacedFault['path']) => number | undefined;

/** What a file says. The package holds the same files as JSON, which takes a small machine a tenth of the memory to read. */
function contentsOf(
  text: string,
  fault: (faults: readonly string[]) => Error,
): { readonly file: unknown; readonly lineOf: LineOf } {
  if (text.startsWith('{')) return { file: JSON.parse(text), lineOf: () => undefined };
  const { LineCounter, parseDocument } = createRequire(import.meta.url)('yaml') as typeof yaml;
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const syntax = [...document.errors, ...document.warnings].map(
    ({ message }) => message.split('\n', 1)[0]!,
  );
  if (syntax.length > 0) throw fault(syntax);
  return {
    file: document.toJS(),
    lineOf(path) {
      const node = document.getIn(['registers', ...path], true);
      const range = (node as { range?: readonly number[] } | undefined)?.range;
      return range && lines.linePos(range[0]!).line;
    },
  };
}

/** A fault with its path and its line. */
function placed({ path, text }: PlacedFault, lineOf: LineOf): string {
  const at = lineOf(path);
  const line = at === undefined ? '' : `, line ${at}`;
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return `registers${steps}${line}: ${text}`;
}

function parametersOf(entry: ParameterEntry, ofProfile: number | undefined): Parameter[] {
  const {
    access = 'write',
    register = null,
    oldValue,
    cell,
    canCutSupply,
    effectiveWith,
    displayVersion,
    hold = null,
    own = [],
    note = null,
  } = entry;
  const ids = entry.ids ?? [entry.id!];
  return ids.map((number, i) => ({
    id: String(number),
    name: entry.name.replace('#', String(i + 1)),
    form: formOf(entry),
    access,
    register,
    oldValueRequired: oldValue === 'required',
    writesPerDay: access === 'read' ? 0 : (entry.writesPerDay ?? ofProfile ?? 0),
    cell: cell ?? String(number),
    supplyCut: canCutSupply
      ? {
          atMost: null,
          atLeast: null,
          turnedOn: null,
          turnedOff: null,
          ...(canCutSupply !== true && canCutSupply),
        }
      : null,
    effectiveWith: effectiveWith
      ? { parameter: String(effectiveWith.parameter), bit: effectiveWith.bit }
      : null,
    displayVersions: displayVersion
      ? { from: hexadecimal(displayVersion.from), before: hexadecimal(displayVersion.before) }
      : null,
    hold,
    own,
    note,
  }));
}

const hexadecimal = (text: string | undefined): number | null =>
  text === undefined ? null : Number.parseInt(text, 16);

function formOf(entry: ParameterEntry): ValueForm {
  const {
    type,
    unit,
    range,
    step,
    scale = 1,
    options,
    settable,
    bits,
    exclusive = [],
    advancesSeconds,
    maxCurrentA,
    count,
    stepMinutes,
  } = entry;
  switch (type) {
    case 'number':
      return { type, unit: unit!, min: range![0], max: range![1], step: step!, scale };
    case 'choice':
      return { type, options: options!, settable: settable ?? Object.keys(options!) };
    case 'bits':
      return {
        type,
        bits: new Map(Object.entries(bits!).map(([bit, name]) => [Number(bit), name])),
        exclusive,
      };
    case 'clock':
      return { type, advancesSeconds: advancesSeconds! };
    case 'slots':
      return { type, maxCurrentA: maxCurrentA! };
    case 'times':
      return { type, count: count!, stepMinutes: stepMinutes! };
    case 'slot':
    case 'text':
      return { type };
  }
}
