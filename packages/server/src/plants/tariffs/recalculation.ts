import { armTasks } from '../../work/arm.ts';
import type { Db, Instant } from '../../storage/database.ts';

/** The kind of work that makes roll-ups anew; the key is the number of a binding. */
export const RECALCULATE = 'recalculate';

/**
 * Has the roll-ups of a plant made anew from an instant on, by tasks: in the transaction of a change of what they follow from
 * beside the samples. Says for how many devices.
 */
export async function requestRecalculation(trx: Db, plantId: string, fromAt: Instant, now: Instant): Promise<number> {
  const bindings = await trx
    .selectFrom('binding')
    .select('no')
    .where('plantId', '=', plantId)
    .where((e) => e.or([e('toAt', 'is', null), e('toAt', '>', fromAt)]))
    .orderBy('no')
    .execute();
  for (const { no: binding } of bindings) {
    await trx
      .insertInto('recalculation')
      .values({ binding, fromAt })
      .onConflict((conflict) =>
        conflict.column('binding').doUpdateSet((e) => ({
          fromAt: e.case().when('recalculation.fromAt', '<', fromAt).then(e.ref('recalculation.fromAt')).else(fromAt).end(),
        })),
      )
      .execute();
  }
  await armTasks(
    trx,
    RECALCULATE,
    bindings.map(({ no }) => String(no)),
    now,
  );
  return bindings.length;
}
