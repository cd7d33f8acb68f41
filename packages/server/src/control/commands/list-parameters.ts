import type { ParameterForm, ParameterOption, ParameterRecord } from '@helioport/contract';
import { firmwareFault, type Parameter, type ValueFault, type ValueForm } from '@helioport/devices';
import type { Db } from '../../platform/storage/database.ts';
import type { CommandedSubject } from './history.ts';
import { knownDisplayVersionOf, profileOfDevice } from './parameters.ts';

/** The parameters of an inverter in the order of its profile, with the values that were last read. Those of other firmware are left out. */
export async function listParameters(db: Db, device: CommandedSubject): Promise<ParameterRecord[]> {
  const { parameters, registers } = profileOfDevice(device);
  const displayVersion = knownDisplayVersionOf(device);
  const known = await lastRead(db, device);
  return [...parameters.values()].flatMap((parameter) => {
    const fault = firmwareFault(parameter, displayVersion);
    if (fault?.reason === 'otherFirmware') return [];
    const { readValue = null, raw = null, endedAt = null } = known.get(parameter.id) ?? {};
    const isDoubtful = registers?.places.get(parameter.id)?.evidence.isConfirmed === false;
    const note = isDoubtful ? UNCONFIRMED : parameter.note;
    return [{ ...describe(parameter, fault), note, value: readValue, raw, readAt: endedAt }];
  });
}

/** For parameters whose register only one public table has, or about which tables disagree. */
const UNCONFIRMED =
  'Its register is unconfirmed: the collector writes it only if its configuration confirms it.';

type LastRead = Readonly<Record<'readValue' | 'raw', string | null>> & {
  readonly endedAt: number | null;
};

/** What was last read of each parameter, by its id. */
async function lastRead(
  db: Db,
  { id, plantId }: CommandedSubject,
): Promise<ReadonlyMap<string, LastRead>> {
  const rows = await db
    .selectFrom('command')
    .select(['parameter', 'readValue', 'raw', 'endedAt'])
    .where('id', 'in', ({ selectFrom, fn }) =>
      selectFrom('command')
        .select(fn.max('id').as('id'))
        .where('deviceId', '=', id)
        .where('plantId', '=', plantId)
        .where('state', '=', 'verified')
        .where('readValue', 'is not', null)
        .groupBy('parameter'),
    )
    .execute();
  return new Map(rows.map((row) => [row.parameter, row]));
}

function describe(
  {
    id,
    name,
    form,
    access,
    supplyCut,
    effectiveWith,
    writesPerDay,
    hold,
    oldValueRequired,
  }: Parameter,
  fault: ValueFault | undefined,
) {
  const writable = access === 'write' && !fault;
  const reason = fault ? `it needs ${fault.expected}` : null;
  const numbers =
    form.type === 'number' ? form : { unit: null, min: null, max: null, step: null, scale: null };
  const { unit, min, max, step, scale } = numbers;
  const kind: ParameterForm = form.type;
  const about = { parameter: id, name, form: kind, writable, reason, unit, min, max, step, scale };
  return {
    ...about,
    options: optionsOf(form),
    needsOldValue: oldValueRequired,
    canCutSupply: supplyCut !== null,
    cutsSupplyAtMost: supplyCut?.atMost ?? null,
    cutsSupplyAtLeast: supplyCut?.atLeast ?? null,
    cutsSupplyTurnedOn: sumOf(supplyCut?.turnedOn),
    cutsSupplyTurnedOff: sumOf(supplyCut?.turnedOff),
    effectiveWith: effectiveWith?.parameter ?? null,
    effectiveOption: effectiveWith ? bitValue(effectiveWith.bit) : null,
    writesPerDay,
    holdSeconds: hold?.seconds ?? null,
  };
}

function optionsOf(form: ValueForm): readonly ParameterOption[] | null {
  if (form.type === 'choice')
    return Object.entries(form.options).map(([value, name]) => ({
      value,
      name,
      settable: form.settable.includes(value),
      exclusive: false,
    }));
  if (form.type !== 'bits') return null;
  return [...form.bits].map(([bit, name]) => ({
    value: bitValue(bit),
    name,
    settable: true,
    exclusive: form.exclusive.includes(bit),
  }));
}

/** A bit as the value of an option. */
const bitValue = (bit: number): string => String(2 ** bit);

const sumOf = (bits: readonly number[] | null | undefined): string | null =>
  bits ? String(bits.reduce((sum, bit) => sum + 2 ** bit, 0)) : null;
