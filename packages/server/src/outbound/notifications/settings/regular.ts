import { DAY_MS, HOUR_MS } from '@helioport/contract/durations';
import type { Selectable } from 'kysely';
import type { Account } from '../../../identity/accounts/accounts.ts';
import type { Letter } from '../../../identity/mail/letter.ts';
import type { Db, Instant, NewsSettingTable } from '../../../platform/storage/database.ts';
import type { LaneHandler } from '../../../platform/work/lane.ts';
import type { NotificationDeps } from '../messages/deps.ts';

const ACCOUNTS_AT_ONCE = 20;
const PAUSE_MS = HOUR_MS;

/** An account that is due for a letter. */
export interface Due
  extends
    Selectable<NewsSettingTable>,
    Pick<Account, 'email' | 'timeZone' | 'language' | 'role' | 'disabledAt'> {}

/** The letter that an account gets, if any, and what its settings are from then on. */
interface DueLetter {
  readonly letter: Letter | undefined;
  readonly next: Partial<Pick<NewsSettingTable, 'weeklyAt' | 'changesAt' | 'changesAfter'>>;
}

/**
 * Sends a letter to each account for which it is due. The letter is handed to the outbox in the transaction that also sets when the next one is due, so that it
 * is sent once, no matter which process is killed when. An account that cannot be notified is tried again after an hour, and does not keep the others waiting.
 */
export const createRegular = (
  deps: NotificationDeps,
  column: 'weeklyAt' | 'changesAt',
  tell: (due: Due, now: Instant) => Promise<DueLetter>,
): LaneHandler => ({
  async run(run) {
    const now = deps.clock.now();
    const due = await deps.db
      .selectFrom('newsSetting')
      .innerJoin('account', 'account.id', 'newsSetting.accountId')
      .selectAll('newsSetting')
      .select(['account.email', 'account.timeZone', 'account.language'])
      .select(['account.role', 'account.disabledAt'])
      .where(`newsSetting.${column}`, '<=', now)
      .orderBy(`newsSetting.${column}`)
      .limit(ACCOUNTS_AT_ONCE)
      .execute();
    for (const row of due) {
      const claim = (trx: Db, next: DueLetter['next']) => claimed(trx, column, row, next);
      const tellOne = async (): Promise<void> => {
        const { letter, next } = await tell(row, now);
        const { accountId, email: address } = row;
        await run.transaction(async (trx) => {
          if ((await claim(trx, next)) && letter)
            await deps.outbox?.post(trx, now, {
              accountId,
              address,
              letter,
              expiresAt: now + DAY_MS,
            });
        });
      };
      await tellOne().catch(async (err: unknown) => {
        deps.logger.warn(
          { err, account: row.accountId, column },
          'an account could not be notified',
        );
        await run.transaction((trx) => claim(trx, { [column]: now + PAUSE_MS }));
      });
    }
    return due.length === ACCOUNTS_AT_ONCE ? { dueAt: now } : undefined;
  },
});

/** Changes the settings of an account that is still due; returns whether it was. */
async function claimed(
  trx: Db,
  column: 'weeklyAt' | 'changesAt',
  due: Due,
  next: DueLetter['next'],
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('newsSetting')
    .set(next)
    .where('accountId', '=', due.accountId)
    .where(column, '=', due[column])
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
