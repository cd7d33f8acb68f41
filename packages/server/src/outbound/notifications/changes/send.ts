import { DAY_MS } from '@helioport/contract/durations';
import type { Selectable } from 'kysely';
import type { Account } from '../../../identity/accounts/accounts.ts';
import { countByOthers } from '../../../control/commands/by-others.ts';
import type { Instant, NewsSettingTable } from '../../../platform/storage/database.ts';
import type { Handler, Run } from '../../../platform/work/lane.ts';
import type { NewsDeps } from '../messages/deps.ts';
import { nextMorning } from '../mornings.ts';
import { settingsOf } from '../settings/settings.ts';
import { stopUrlOf } from '../settings/stop-link.ts';
import { changesLetter } from './changes-letter.ts';
import { namesOf } from './names.ts';

const ACCOUNTS_AT_ONCE = 20;
const PAUSE_MS = 3_600_000;
/** Writes that ended just now may not be committed yet: they are told the next morning. */
const SETTLED_MS = 60_000;

/** Tells owners, the next morning, which settings of their devices others have changed. */
export const createChanges = (deps: NewsDeps): Handler => ({
  async run(run) {
    const now = deps.clock.now();
    const due = await deps.db
      .selectFrom('newsSetting')
      .innerJoin('account', 'account.id', 'newsSetting.accountId')
      .selectAll('newsSetting')
      .select(['account.email', 'account.timeZone', 'account.language', 'account.disabledAt'])
      .where('newsSetting.changesAt', '<=', now)
      .orderBy('newsSetting.changesAt')
      .limit(ACCOUNTS_AT_ONCE)
      .execute();
    for (const row of due)
      await tellOne(deps, run, row, now).catch((err: unknown) =>
        postpone(deps, run, row, now, err),
      );
    return due.length === ACCOUNTS_AT_ONCE ? { dueAt: now } : undefined;
  },
});

interface Due
  extends
    Selectable<NewsSettingTable>,
    Pick<Account, 'email' | 'timeZone' | 'language' | 'disabledAt'> {}

async function tellOne(
  { db, outbox, portalUrl, secretBox }: NewsDeps,
  { transaction }: Run,
  due: Due,
  now: Instant,
): Promise<void> {
  const { accountId, email: address, timeZone, disabledAt, changesAt, changesAfter } = due;
  const ended = { after: changesAfter ?? now, until: now - SETTLED_MS };
  const changes =
    disabledAt === null
      ? await countByOthers(db, { accountId, levels: ['owner'], plantIds: null }, ended)
      : [];
  const links = {
    portalUrl,
    stopUrl: stopUrlOf(portalUrl, secretBox, { accountId, what: 'changes' }),
  };
  const letter =
    changes.length > 0
      ? changesLetter(settingsOf(due).language, changes, await namesOf(db, changes), links)
      : undefined;
  // With the e-mail in one transaction, so that it is sent once, whoever is killed when.
  await transaction(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('newsSetting')
      .set({
        changesAt: nextMorning(timeZone, now),
        changesAfter: Math.max(ended.after, ended.until),
      })
      .where('accountId', '=', accountId)
      .where('changesAt', '=', changesAt)
      .executeTakeFirst();
    if (numUpdatedRows > 0n && letter)
      await outbox?.post(trx, now, { accountId, address, letter, expiresAt: now + DAY_MS });
  });
}

/** One account that cannot be told must not keep the others waiting. */
async function postpone(
  { logger }: NewsDeps,
  { transaction }: Run,
  { accountId, changesAt }: Due,
  now: Instant,
  err: unknown,
): Promise<void> {
  logger.warn({ err, account: accountId }, 'changes by others could not be told');
  await transaction((trx) =>
    trx
      .updateTable('newsSetting')
      .set({ changesAt: now + PAUSE_MS })
      .where('accountId', '=', accountId)
      .where('changesAt', '=', changesAt)
      .execute(),
  );
}
