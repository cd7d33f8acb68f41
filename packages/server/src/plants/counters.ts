import { sql } from 'kysely';
import { anyOf, listParameter } from '../storage/any-of.ts';
import type { Db, VisibleCountTable } from '../storage/database.ts';
import { readers } from './access.ts';

/** What is counted: plants, devices by kind, alarms. */
export type CountedKind = VisibleCountTable['kind'];

/** Of the things that stand in a plant, so many more (or fewer) are in a state. */
export interface CountShift {
  readonly plantId: string;
  readonly kind: CountedKind;
  readonly state: number;
  readonly amount: number;
}

const ROWS_AT_ONCE = 500;

// The rule behind every number: whatever changes what a plant contributes, or to whom, happens while the plant is locked.
// Changes are appended and never updated, so that a change anywhere in an installer's fleet waits for no other.

/** Tells everybody who may see the plants. The plants are locked. */
export async function shiftCounts(trx: Db, shifts: readonly CountShift[]): Promise<void> {
  const byPlant = Map.groupBy(shifts, ({ plantId }) => plantId);
  if (byPlant.size === 0) return;
  const accesses = await readers(trx)
    .select(['access.accountId', 'access.plantId', 'access.level'])
    .where(anyOf(trx, 'access.plantId', listParameter(trx, [...byPlant.keys()])))
    .execute();
  const sums = new Map<string, { accountId: string; owned: 0 | 1; kind: CountedKind; state: number; amount: number }>();
  for (const { accountId, plantId, level } of accesses) {
    const owned = level === 'owner' ? 1 : 0;
    for (const { kind, state, amount } of byPlant.get(plantId)!) {
      const key = `${accountId} ${owned} ${kind} ${state}`;
      const sum = sums.get(key);
      if (sum) sum.amount += amount;
      else sums.set(key, { accountId, owned, kind, state, amount });
    }
  }
  const rows = [...sums.values()].filter(({ amount }) => amount !== 0).map((row) => ({ ...row, folded: 0 as const }));
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    await trx
      .insertInto('visibleCount')
      .values(rows.slice(from, from + ROWS_AT_ONCE))
      .execute();
  }
}

/** Some rows of access: those to a plant, one account's among them, or those to all plants of an owner. */
export interface AccessRows {
  readonly plantId?: string;
  readonly accountId?: string;
  readonly ownerId?: string;
}

/** What readers must have counted, by the things themselves. */
export function countedThings(db: Db, { plantId, accountId, ownerId }: AccessRows = {}) {
  let rows = readers(db).select(['access.accountId', sql<0 | 1>`case when access.level = 'owner' then 1 else 0 end`.as('owned')]);
  if (plantId !== undefined) rows = rows.where('access.plantId', '=', plantId);
  if (accountId !== undefined) rows = rows.where('access.accountId', '=', accountId);
  if (ownerId !== undefined) rows = rows.where('plant.ownerId', '=', ownerId);
  const amount = sql<number>`count(*)`.as('amount');
  const plants = rows.select([sql<CountedKind>`'plant'`.as('kind'), 'plant.state', amount]).groupBy(['access.accountId', 'access.level', 'plant.state']);
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

/** Counts plants in for those who have come to see them: after access was given, or an owner enabled. The plants are locked. */
export const countIn = (trx: Db, rows: AccessRows): Promise<void> => appendCounted(trx, rows, 1);

/** Counts plants out for those who will not see them any more: before access ends, a plant is archived or an owner disabled. The plants are locked. */
export const countOut = (trx: Db, rows: AccessRows): Promise<void> => appendCounted(trx, rows, -1);

async function appendCounted(trx: Db, rows: AccessRows, sign: 1 | -1): Promise<void> {
  await trx
    .insertInto('visibleCount')
    .columns(['accountId', 'owned', 'kind', 'state', 'amount', 'folded'])
    .expression(
      trx
        .selectFrom(countedThings(trx, rows).as('counted'))
        .select(['accountId', 'owned', 'kind', 'state', sql<number>`amount * ${sql.lit(sign)}`.as('amount'), sql<0>`0`.as('folded')]),
    )
    .execute();
}
