import { parseDocument } from 'yaml';
import { faultsOf, type ParameterEntry, type ProfileFile } from './file-schema.ts';
import type { Parameter, Profile, ValueForm } from './profile.ts';

/** Reads the file of a profile. `find` returns a profile that it extends. Throws an Error that names the file and everything that is wrong with it. */
export function readProfile(
  id: string,
  text: string,
  find: (id: string) => Profile | undefined,
): Profile {
  const document = parseDocument(text);
  const fault = (faults: readonly string[]): Error =>
    new Error(`profile ${id}.yaml: ${faults.join('; ')}`);
  const syntax = [...document.errors, ...document.warnings].map(
    ({ message }) => message.split('\n', 1)[0]!,
  );
  if (syntax.length > 0) throw fault(syntax);
  const file: unknown = document.toJS();
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
  return {
    id,
    name,
    description,
    models,
    bases,
    parameters: new Map(
      readable.toSorted((a, b) => Number(a.id) - Number(b.id)).map((one) => [one.id, one]),
    ),
  };
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
    case 'slot':
    case 'text':
      return { type };
  }
}
