import type { Db } from '../../platform/storage/database.ts';

/** How many webhooks fail: those to which most messages do not get through, until one does. */
export async function countFailing(db: Db): Promise<number> {
  const { amount } = await db
    .selectFrom('newsWebhook')
    .select((eb) => eb.fn.countAll<number>().as('amount'))
    .where('failingSince', 'is not', null)
    .executeTakeFirstOrThrow();
  return amount;
}
