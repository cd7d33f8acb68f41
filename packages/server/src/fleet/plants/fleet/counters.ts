import { sql, type Insertable } from 'kysely';
import { anyOf, listParameter } from '../../../platform/storage/any-of.ts';
import type {
  Db,
  DeviceTable,
  VisibleCountTable,
  VisibleSpanTable,
} from '../../../platform/storage/database.ts';
import { readers } from '../access.ts';
import { accessRows, placeThings, rebuildSpans, type AccessRows } from './visible-spans.ts';

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

/** A device that comes into a plant (1) or leaves it (-1). */
export interface DeviceMove {
  readonly plantId: string;
  readonly deviceId: string;
  readonly kind: DeviceTable['kind'];
  readonly amount: 1 | -1;
}

/** Appends the changes to the counters of everybody who may see the plants. The plants must be locked. */
export async function shiftCounts(
  trx: Db,
  shifts: readonly CountShift[],
  moves: readonly DeviceMove[] = [],
): Promise<void> {
  const byPlant = Map.groupBy(shifts, ({ plantId }) => plantId);
  const movesByPlant = Map.groupBy(moves, ({ plantId }) => plantId);
  if (byPlant.size + movesByPlant.size === 0) return;
  const accesses = await readers(trx)
    .select(['access.accountId', 'access.plantId', 'access.level'])
    .where(
      anyOf(
        trx,
        'access.plantId',
        listParameter(trx, [...new Set([...byPlant.keys(), ...movesByPlant.keys()])]),
      ),
    )
    .execute();
  const spans: Insertable<VisibleSpanTable>[] = [];
  const sums = new Map<
    string,
    { accountId: string; owned: 0 | 1; kind: CountedKind; state: number; amount: number }
  >();
  for (const { accountId, plantId, level } of accesses) {
    const owned = level === 'owner' ? 1 : 0;
    for (const { kind, deviceId, amount } of movesByPlant.get(plantId) ?? []) {
      spans.push({
        accountId,
        kind,
        fromId: deviceId,
        amount,
        ownedAmount: owned * amount,
        folded: 0,
      });
    }
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
  for (let from = 0; from < spans.length; from += ROWS_AT_ONCE) {
    await trx
      .insertInto('visibleSpan')
      .values(spans.slice(from, from + ROWS_AT_ONCE))
      .execute();
  }
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
export async function countIn(trx: Db, rows: AccessRows): Promise<void> {
  await appendCounted(trx, rows, 1);
  await placeThings(trx, rows, 1);
}

/** Removes plants from the counters of readers who lose them, before access ends, a plant is archived or an owner disabled. The plants must be locked. */
export async function countOut(trx: Db, rows: AccessRows): Promise<void> {
  await appendCounted(trx, rows, -1);
  await placeThings(trx, rows, -1);
}

/** Recounts everything for everybody. All plants must be locked. */
export async function countAnew(trx: Db): Promise<void> {
  await trx.deleteFrom('visibleCount').execute();
  await appendCounted(trx, {}, 1);
  await rebuildSpans(trx);
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
