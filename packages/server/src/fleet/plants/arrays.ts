import type { PlantArray } from '@helioport/contract';
import type { Selectable } from 'kysely';
import { recordAudit, type Act } from '../../identity/accounts/audit.ts';
import { tellOfPlant } from '../../platform/events/tell.ts';
import { invalidValue, refusedNow } from '../../platform/kernel/failure.ts';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import type { Db, PlantTable } from '../../platform/storage/database.ts';
import { lockPlant } from './lock.ts';

type Mounted = Pick<
  Selectable<PlantTable>,
  'arrays' | 'tiltDegrees' | 'azimuthDegrees' | 'capacityKwp'
>;

/** How the modules of a plant are mounted; without arrays of its own, as the plant as a whole is described. */
export interface Arrays {
  readonly source: 'entered' | 'plant';
  readonly arrays: readonly PlantArray[];
}

const CAPACITY_AT_MOST_KWP = 10_000_000;
const INPUTS_AT_MOST = 32;
const FIELDS = ['tiltDegrees', 'azimuthDegrees', 'capacityKwp', 'sn', 'input'];

/** The arrays that are known of a plant. */
export function arraysOf({ arrays, tiltDegrees, azimuthDegrees, capacityKwp }: Mounted): Arrays {
  if (arrays !== null)
    return { source: 'entered', arrays: JSON.parse(arrays) as readonly PlantArray[] };
  const isKnown = tiltDegrees !== null && azimuthDegrees !== null && capacityKwp > 0;
  return {
    source: 'plant',
    arrays: isKnown
      ? [{ tiltDegrees, azimuthDegrees: (azimuthDegrees + 360) % 360, capacityKwp }]
      : [],
  };
}

/** Reads arrays as somebody sent them. Throws invalidValue, naming the field. */
export const readArrays = (given: readonly object[]): PlantArray[] =>
  given.map((one, i) => {
    const field = `arrays[${i}]`;
    const values = one as Partial<Record<keyof PlantArray, unknown>>;
    if (Object.keys(values).some((name) => !FIELDS.includes(name)))
      throw invalidValue(field, `nothing but ${FIELDS.join(', ')}`);
    const within = (name: 'tiltDegrees' | 'azimuthDegrees', atMost: number): number => {
      const value = values[name];
      if (typeof value === 'number' && value >= 0 && value <= atMost) return value;
      throw invalidValue(`${field}.${name}`, `a number from 0 to ${atMost}`);
    };
    const { capacityKwp, sn, input } = values;
    const tiltDegrees = within('tiltDegrees', 90);
    const azimuthDegrees = within('azimuthDegrees', 360);
    if (
      typeof capacityKwp !== 'number' ||
      !(capacityKwp > 0 && capacityKwp <= CAPACITY_AT_MOST_KWP)
    )
      throw invalidValue(
        `${field}.capacityKwp`,
        `a number above 0, at most ${CAPACITY_AT_MOST_KWP}`,
      );
    if (sn !== undefined && typeof sn !== 'string')
      throw invalidValue(`${field}.sn`, 'the serial number of an inverter of the plant');
    if (input !== undefined && !isInput(input))
      throw invalidValue(`${field}.input`, `a whole number from 1 to ${INPUTS_AT_MOST}`);
    if (input !== undefined && sn === undefined)
      throw invalidValue(`${field}.sn`, 'the inverter that has the input');
    return {
      tiltDegrees,
      azimuthDegrees,
      capacityKwp,
      ...(sn !== undefined && { sn }),
      ...(input !== undefined && { input }),
    };
  });

const isInput = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= INPUTS_AT_MOST;

/** Replaces the arrays of a plant; none = they are not known. Throws invalidValue, noPermission. */
export async function setArrays(
  trx: Db,
  act: Act,
  plantId: string,
  arrays: readonly PlantArray[],
): Promise<void> {
  const plant = await lockPlant(trx, plantId);
  await checkInverters(trx, plantId, arrays);
  const text = arrays.length > 0 ? JSON.stringify(arrays) : null;
  if (text === plant.arrays) return;
  await trx
    .updateTable('plant')
    .set({ arrays: text, updatedAt: Math.max(act.at, plant.updatedAt + 1) })
    .where('id', '=', plantId)
    .execute();
  await recordAudit(trx, act, {
    kind: 'plant.changed',
    accountId: plant.ownerId,
    data: { plantId, before: { arrays: plant.arrays }, after: { arrays: text } },
  });
  await tellOfPlant(trx, 'plant.changed', plantId, { changed: ['arrays'] }, act.at);
}

async function checkInverters(
  trx: Db,
  plantId: string,
  arrays: readonly PlantArray[],
): Promise<void> {
  const named = arrays.flatMap(({ sn }) => sn ?? []);
  if (named.length === 0) return;
  const found = await trx
    .selectFrom('device')
    .select('sn')
    .where(anyOf(trx, 'sn', listParameter(trx, named)))
    .where('plantId', '=', plantId)
    .where('kind', '=', 'inverter')
    .execute();
  const known = new Set(found.map(({ sn }) => sn));
  const unknown = arrays.findIndex(({ sn }) => sn != null && !known.has(sn));
  if (unknown >= 0)
    throw refusedNow(`arrays[${unknown}].sn`, 'the serial number of an inverter of the plant');
}
