import { sql } from 'kysely';
import { anyOf, listParameter } from '../../../platform/storage/any-of.ts';
import type { Db, VisibleCountTable } from '../../../platform/storage/database.ts';
import { readers } from '../access.ts';

/** The things that are counted: plants, devices by kind, alarms. */
export type CountedKind = VisibleCountTable['kind'];

/** A change in the number of things of a plant that are in a certain state. */
export interface CountShift {
  readonly plantId: string;
  readonly kind: CountedKind;
  readonly state: number;
  readonly amount: number;
}

const ROWS_AT_ONCE = 500;

// The rule behind every counter: a change in what a plant contributes to counters, or in which accounts' counters include it, is made
// while the plant is locked. Changes are appended, never updated in place, so that no change in an installer's fleet waits for another.

/** Appends the changes to the counters of everybody who may see the plants. The plants must be locked. */
export async function shiftCounts(trx: Db, shifts: readonly CountShift[]): Promise<void> {
  const byPlant = Map.groupBy(shifts, ({ plantId }) => plantId);
  if (byPlant.size === 0) return;
  const accesses = await readers(trx)
    .select(['access.accountId', 'access.plantId', 'access.level'])
    .where(anyOf(trx, 'access.plantId', listParameter(trx, [...byPlant.keys()])))
    .execute();
  const sums = new Map<
    string,
    { accountId: string; owned: 0 | 1; kind: CountedKind; state: number; amount: number }
  >();
  for (const { accountId, plantId, level } of accesses) {
    const owned = level === 'owner' ? 1 : 0;
    for (const { kind, state, amount } of byPlant.get(plantId) ?? []) {
      const key = `${accountId} ${owned} ${kind} ${state}`;
      const sum = sums.get(key);
      if (sum) sum.amount += amount;
      else sums.set(key, { accountId, owned, kind, state, amount });
    }
  }
  const rows = [...sums.values()]
    .filter(({ amount }) => amount !== 0)
    .map((row) => ({ ...row, folded: 0 as const }));
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    await trx
      .insertInto('visibleCount')
      .values(rows.slice(from, from + ROWS_AT_ONCE))
      .execute();
  }
}

/** A selection of access rows: those of one plant or some, possibly of one account only, those of all plants of an owner, or those that a company alone gives. */
export interface AccessRows {
  readonly plantId?: string;
  readonly plantIds?: readonly string[];
  readonly accountId?: string;
  readonly ownerId?: string;
  readonly companyId?: string;
}

/** The selected access rows, with whether the account owns the plant. */
function accessRows(db: Db, { plantId, plantIds, accountId, ownerId, companyId }: AccessRows) {
  let rows = readers(db).select([
    'access.accountId',
    sql<0 | 1>`case when access.level = 'owner' then 1 else 0 end`.as('owned'),
  ]);
  if (plantId !== undefined) rows = rows.where('access.plantId', '=', plantId);
  if (plantIds !== undefined)
    rows = rows.where(anyOf(db, 'access.plantId', listParameter(db, plantIds)));
  if (accountId !== undefined) rows = rows.where('access.accountId', '=', accountId);
  if (ownerId !== undefined) rows = rows.where('plant.ownerId', '=', ownerId);
  if (companyId !== undefined) {
    const members = db
      .selectFrom('companyMember')
      .select('accountId')
      .where('companyId', '=', companyId);
    rows = rows
      .where('access.companyLevel', 'is not', null)
      .where('access.ownLevel', 'is', null)
      .where('access.accountId', 'in', members);
  }
  return rows;
}

/** The correct counters of readers, counted from scratch. */
export function countedThings(db: Db, access: AccessRows = {}) {
  const rows = accessRows(db, access);
  const amount = sql<number>`count(*)`.as('amount');
  const plants = rows
    .select([sql<CountedKind>`'plant'`.as('kind'), 'plant.state', amount])
    .groupBy(['access.accountId', 'access.level', 'plant.state']);
  const devices = rows
    .innerJoin('device', 'device.plantId', 'plant.id')
    .select([sql<CountedKind>`device.kind`.as('kind'), 'device.state', amount])
    .groupBy(['access.accountId', 'access.level', 'device.kind', 'device.state']);
  const alarms = rows
    .innerJoin('alarm', 'alarm.plantId', 'plant.id')
    .select([sql<CountedKind>`'alarm'`.as('kind'), 'alarm.state', amount])
    .groupBy(['access.accountId', 'access.level', 'alarm.state']);
  return plants.unionAll(devices).unionAll(alarms);
}

/** Adds plants to the counters of new readers, after access was given or an owner enabled. The plants must be locked. */
export const countIn = (trx: Db, rows: AccessRows): Promise<void> => appendCounted(trx, rows, 1);

/** Removes plants from the counters of readers who lose them, before access ends, a plant is archived or an owner disabled. The plants must be locked. */
export const countOut = (trx: Db, rows: AccessRows): Promise<void> => appendCounted(trx, rows, -1);

/** Recounts everything for everybody. All plants must be locked. */
export async function countAnew(trx: Db): Promise<void> {
  await trx.deleteFrom('visibleCount').execute();
  await appendCounted(trx, {}, 1);
}

async function appendCounted(trx: Db, rows: AccessRows, sign: 1 | -1): Promise<void> {
  await trx
    .insertInto('visibleCount')
    .columns(['accountId', 'owned', 'kind', 'state', 'amount', 'folded'])
    .expression(
      trx
        .selectFrom(countedThings(trx, rows).as('counted'))
        .select([
          'accountId',
          'owned',
          'kind',
          'state',
          sql<number>`amount * ${sql.lit(sign)}`.as('amount'),
          sql<0>`0`.as('folded'),
        ]),
    )
    .execute();
}
