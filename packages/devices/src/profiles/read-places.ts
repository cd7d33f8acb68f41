import type { Encoding, Place, RegisterMap } from '../registers/register-map.ts';
import { doubtful, evidenceOf } from './evidence.ts';
import { isProtection, neverWritten } from './never-written.ts';
import type { Parameter } from './profile.ts';
import type { PlacedFault, PlaceEntry, RegistersFile } from './registers-schema.ts';

export function placesOf(
  { places: entries, scales = {} }: RegistersFile,
  like: RegisterMap | null,
  maker: string,
  parameters: ReadonlyMap<string, Parameter>,
  faults: PlacedFault[],
): Map<string, Place> {
  const places = new Map<string, Place>();
  for (const [id, place] of like?.places ?? []) {
    const { encoding } = place;
    const factor = scales[id];
    places.set(
      id,
      factor !== undefined && encoding.as === 'number'
        ? {
            ...place,
            encoding: { ...encoding, scale: encoding.scale * factor },
            evidence: doubtful(place.evidence),
          }
        : place,
    );
  }
  for (const [i, entry] of (entries ?? []).entries()) {
    const fault = (text: string): void => {
      faults.push({ path: ['places', i], text });
    };
    const ids = entry.ids ?? (entry.id === undefined ? [] : [entry.id]);
    if (ids.length === 0 || (entry.ids && entry.id !== undefined))
      fault('either id or ids must be there, not both');
    for (const [n, number] of ids.entries()) {
      const id = String(number);
      const parameter = parameters.get(id);
      if (isProtection(id))
        fault(`${id} sets a protection of the grid, which is never a parameter`);
      if (parameter === undefined) {
        fault(`${id} is not a parameter of this profile`);
        continue;
      }
      const place = placeOf(entry, n, parameter, fault);
      if (place === undefined) continue;
      const forbidden = neverWritten(maker, addressesOf(place));
      if (forbidden.length > 0)
        fault(`${id}: ${forbidden.join(', ')} of ${maker} must never be written`);
      places.set(id, place);
    }
  }
  return places;
}

function placeOf(
  entry: PlaceEntry,
  n: number,
  parameter: Parameter,
  fault: (text: string) => void,
): Place | undefined {
  const { table = 'holding', write = null, step = 0, together, gate, toggle, mirror } = entry;
  const encoding = encodingOf(entry, n, parameter);
  if (typeof encoding === 'string') {
    fault(`${parameter.id}: ${encoding}`);
    return undefined;
  }
  if (write === 6 && together) fault('together needs write: 16');
  if ((parameter.hold === null) !== (entry.repeat === undefined))
    fault(`${parameter.id}: repeat belongs to a parameter with hold, and the other way round`);
  return {
    table,
    encoding,
    writeFunction: parameter.access === 'read' ? null : write,
    together: together ? { address: together.at + n * step, count: together.count } : null,
    gate: gate ? { address: gate.at, on: gate.on, isLast: false, off: null } : null,
    toggle: toggle ? { address: toggle.at, value: toggle.value } : null,
    repeatMs: entry.repeat === undefined ? null : entry.repeat * 1000,
    mirror: mirror ? { table: mirror.table, address: mirror.at } : null,
    evidence: evidenceOf(entry),
  };
}

/** How a parameter is kept, or why the entry cannot say it. */
function encodingOf(
  { at, step = 0, scale = 1, ...entry }: PlaceEntry,
  n: number,
  { form }: Parameter,
): Encoding | string {
  if (form.type === 'slots') {
    const { currents, slots } = entry;
    return currents && slots
      ? { as: 'slots', currents, scale, slots }
      : 'currents and slots must be there';
  }
  if (entry.forced) {
    const { direction: address, charge, discharge } = entry.forced;
    return form.type === 'number'
      ? { as: 'forced', address, charge, discharge, scale }
      : 'forced needs a number';
  }
  if (at === undefined) return 'at is missing';
  const address = at + n * step;
  const { bit } = entry;
  switch (form.type) {
    case 'number': {
      const { signed = false, offset = 0 } = entry;
      return { as: 'number', address, signed, scale, offset, scaleFactor: null };
    }
    case 'choice':
      if (bit === undefined) return { as: 'choice', address, map: entry.map ?? null };
      return typeof bit === 'number'
        ? { as: 'bit', address, bit, inverted: entry.inverted ?? false }
        : bit[n] === undefined
          ? 'bit must have as many bits as there are ids'
          : { as: 'bit', address, bit: bit[n], inverted: entry.inverted ?? false };
    case 'bits':
      return { as: 'bits', address };
    case 'clock':
      return { as: 'clock', address, fieldsPerWord: entry.fieldsPerWord ?? 1 };
    case 'slot':
      return { as: 'slot', address };
    case 'times':
      return { as: 'times', address, count: form.count };
    case 'text':
      return 'text has no place';
  }
}

/** Words of a clock, and of one slot with its charge and its discharge times. */
const [CLOCK_WORDS, SLOT_WORDS] = [6, 4] as const;

/** The addresses that hold the value of a parameter. */
export function valueAddresses(encoding: Encoding): readonly number[] {
  const from = (address: number, count: number): number[] =>
    Array.from({ length: count }, (_, i) => address + i);
  switch (encoding.as) {
    case 'clock':
      return from(encoding.address, CLOCK_WORDS / encoding.fieldsPerWord);
    case 'slot':
      return from(encoding.address, SLOT_WORDS);
    case 'slots':
      return [
        ...encoding.currents,
        ...encoding.slots.flatMap((address) => from(address, 2 * SLOT_WORDS)),
      ];
    case 'times':
      return from(encoding.address, encoding.count);
    case 'forced':
      return [encoding.address, encoding.charge, encoding.discharge];
    case 'number':
      return encoding.scaleFactor === null
        ? [encoding.address]
        : [encoding.address, encoding.scaleFactor];
    default:
      return [encoding.address];
  }
}

/** Every address that a write of a parameter touches. */
export function addressesOf({ encoding, together, gate, toggle }: Place): number[] {
  return [
    ...valueAddresses(encoding),
    ...(together ? Array.from({ length: together.count }, (_, i) => together.address + i) : []),
    ...(gate ? [gate.address] : []),
    ...(toggle ? [toggle.address] : []),
  ];
}

export function clockOf(
  id: string | null,
  places: ReadonlyMap<string, Place>,
  faults: PlacedFault[],
): string | null {
  if (id !== null && places.get(id)?.encoding.as !== 'clock')
    faults.push({ path: [], text: `clock ${id} is not a clock with a place` });
  return id;
}
