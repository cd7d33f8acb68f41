import { anyOf, listParameter } from '../../../platform/storage/any-of.ts';
import { armTasks } from '../../../platform/work/arm.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import { inTransaction } from '../../../platform/storage/transactions/transaction.ts';

/** The kind of work that recalculates roll-ups; its key is the number of a binding. */
export const RECALCULATE = 'recalculate';

/**
 * Schedules recalculation of a plant's roll-ups from an instant on, in the transaction that changes what they depend on besides
 * the samples. Returns the number of devices concerned.
 */
export async function requestRecalculation(
  trx: Db,
  plantId: string,
  fromAt: Instant,
  now: Instant,
): Promise<number> {
  const bindings = await trx
    .selectFrom('binding')
    .select('no')
    .where('plantId', '=', plantId)
    .where((e) => e.or([e('toAt', 'is', null), e('toAt', '>', fromAt)]))
    .orderBy('no')
    .execute();
  const numbers = bindings.map(({ no }) => no);
  await requestRecalculationOfBindings(trx, numbers, fromAt, now);
  return numbers.length;
}

/** Schedules recalculation of everything in archived plants, which may come back. Returns their number. */
export async function requestRecalculationOfArchived(db: Db, now: Instant): Promise<number> {
  const plants = await db
    .selectFrom('plant')
    .select('id')
    .where('archivedAt', 'is not', null)
    .orderBy('id')
    .execute();
  for (const { id } of plants)
    await inTransaction(db, (trx) => requestRecalculation(trx, id, 0, now));
  return plants.length;
}

/** Schedules recalculation of everything that certain devices measured, in any plant, from the beginning. */
export async function requestRecalculationOfDevices(
  trx: Db,
  deviceIds: readonly string[],
  now: Instant,
): Promise<void> {
  const bindings = await trx
    .selectFrom('binding')
    .select('no')
    .where(anyOf(trx, 'deviceId', listParameter(trx, deviceIds)))
    .orderBy('no')
    .execute();
  const numbers = bindings.map(({ no }) => no);
  await requestRecalculationOfBindings(trx, numbers, 0, now);
}

/** Schedules recalculation of bindings from an instant on. */
export async function requestRecalculationOfBindings(
  trx: Db,
  bindings: readonly number[],
  fromAt: Instant,
  now: Instant,
): Promise<void> {
  for (const binding of bindings) {
    await trx
      .insertInto('recalculation')
      .values({ binding, fromAt, requests: 0 })
      .onConflict((conflict) =>
        conflict.column('binding').doUpdateSet((e) => ({
          fromAt: e
            .case()
            .when('recalculation.fromAt', '<', fromAt)
            .then(e.ref('recalculation.fromAt'))
            .else(fromAt)
            .end(),
          requests: e('recalculation.requests', '+', 1),
        })),
      )
      .execute();
  }
  await armTasks(trx, RECALCULATE, bindings.map(String), now);
}

/** How far the recalculation of roll-ups is: how many bindings wait for it, of how many. */
export interface RecalculationProgress {
  readonly waiting: number;
  readonly of: number;
}

export async function readRecalculation(db: Db): Promise<RecalculationProgress> {
  const { waiting, of } = await db
    .selectNoFrom((eb) => [
      eb.selectFrom('recalculation').select(eb.fn.countAll<number>().as('n')).as('waiting'),
      eb.selectFrom('binding').select(eb.fn.countAll<number>().as('n')).as('of'),
    ])
    .executeTakeFirstOrThrow();
  return { waiting: Number(waiting), of: Number(of) };
}

/** What operators are told of it; undefined if nothing is being recalculated. */
export const recalculationText = ({ waiting, of }: RecalculationProgress): string | undefined =>
  waiting === 0
    ? undefined
    : `energies are being recalculated: ${of - waiting} of ${of} devices are done, and the figures of the others are of before`;
