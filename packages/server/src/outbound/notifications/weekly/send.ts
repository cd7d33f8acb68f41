import { DAY_MS } from '@helioport/contract/durations';
import type { FigureSources } from '../../../measurements/figures/sources.ts';
import type { Instant } from '../../../platform/storage/database.ts';
import type { Handler, Run } from '../../../platform/work/lane.ts';
import type { NewsDeps } from '../messages/deps.ts';
import { settingsOf } from '../settings/settings.ts';
import { stopUrlOf } from '../settings/stop-link.ts';
import { lastMonday, nextMonday } from '../mornings.ts';
import { isTimely, reviewWeek } from './review.ts';
import { weeklyLetter } from './weekly-letter.ts';

const ACCOUNTS_AT_ONCE = 20;

/** Sends the weekly summaries that are due. */
export const createWeekly = (
  deps: NewsDeps & Pick<FigureSources, 'telemetry' | 'caches'>,
): Handler => ({
  async run(run) {
    const now = deps.clock.now();
    const due = await deps.db
      .selectFrom('newsSetting')
      .innerJoin('account', 'account.id', 'newsSetting.accountId')
      .selectAll('newsSetting')
      .select(['account.email', 'account.timeZone', 'account.language', 'account.disabledAt'])
      .where('newsSetting.weeklyAt', '<=', now)
      .orderBy('newsSetting.weeklyAt')
      .limit(ACCOUNTS_AT_ONCE)
      .execute();
    for (const row of due) {
      const { accountId, timeZone, weeklyAt } = row;
      // An account whose zone was changed may have its Monday morning still before it.
      const monday = lastMonday(timeZone, now);
      const letter =
        row.disabledAt === null && isTimely(monday.at, now)
          ? await letterOf(deps, accountId, settingsOf(row), monday.day)
          : undefined;
      await claim(
        deps,
        run,
        { accountId, email: row.email, weeklyAt: weeklyAt!, nextAt: nextMonday(timeZone, now) },
        letter,
        now,
      );
    }
    return due.length === ACCOUNTS_AT_ONCE ? { dueAt: now } : undefined;
  },
});

type Letter = ReturnType<typeof weeklyLetter>;

async function letterOf(
  deps: NewsDeps & Pick<FigureSources, 'telemetry' | 'caches'>,
  accountId: string,
  { plantIds, language }: ReturnType<typeof settingsOf>,
  monday: number,
): Promise<Letter | undefined> {
  const { portalUrl, secretBox } = deps;
  const review = await reviewWeek(deps, accountId, plantIds, monday);
  return (
    review &&
    weeklyLetter(language, review, {
      portalUrl,
      stopUrl: stopUrlOf(portalUrl, secretBox, { accountId, what: 'weekly' }),
    })
  );
}

interface Due {
  readonly accountId: string;
  readonly email: string;
  readonly weeklyAt: Instant;
  readonly nextAt: Instant;
}

/** Hands a summary to the outbox in the transaction that also moves the account to the next week, so that it gets it once, whoever is killed when. */
async function claim(
  { outbox }: NewsDeps,
  { transaction }: Run,
  due: Due,
  letter: Letter | undefined,
  now: Instant,
): Promise<void> {
  const { accountId, email: address, weeklyAt, nextAt } = due;
  await transaction(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('newsSetting')
      .set({ weeklyAt: nextAt })
      .where('accountId', '=', accountId)
      .where('weeklyAt', '=', weeklyAt)
      .executeTakeFirst();
    if (numUpdatedRows > 0n && letter)
      await outbox?.post(trx, now, { accountId, address, letter, expiresAt: now + DAY_MS });
  });
}
