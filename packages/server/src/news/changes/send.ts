import { countByOthers } from '../../commands/by-others.ts';
import type { Instant } from '../../storage/database.ts';
import type { Handler } from '../../work/lane.ts';
import type { NewsDeps } from '../messages/deps.ts';
import { nextMorning } from '../mornings.ts';
import { settingsOf } from '../settings/settings.ts';
import { stopUrlOf } from '../settings/stop-link.ts';
import { changesLetter } from './changes-letter.ts';
import { namesOf } from './names.ts';

const ACCOUNTS_AT_ONCE = 20;
const DAY_MS = 86_400_000;

/** Tells owners, the next morning, which settings of their devices others have changed. */
export const createChanges = (deps: NewsDeps): Handler => ({
  async run({ transaction }) {
    const { db, clock, outbox, portalUrl, secretBox } = deps;
    const now = clock.now();
    const due = await db
      .selectFrom('newsSetting')
      .innerJoin('account', 'account.id', 'newsSetting.accountId')
      .selectAll('newsSetting')
      .select(['account.email', 'account.timeZone', 'account.language', 'account.disabledAt'])
      .where('newsSetting.changesAt', '<=', now)
      .orderBy('newsSetting.changesAt')
      .limit(ACCOUNTS_AT_ONCE)
      .execute();
    for (const { accountId, email: address, timeZone, disabledAt, changesAt, changesAfter, ...row } of due) {
      const reach = { accountId, levels: ['owner'], plantIds: null } as const;
      const changes = disabledAt === null ? await countByOthers(db, reach, changesAfter ?? '') : [];
      const last = changes.reduce((latest, change) => (change.last > latest ? change.last : latest), changesAfter ?? '');
      const { language } = settingsOf({ ...row, accountId, changesAt, changesAfter });
      const links = { portalUrl, stopUrl: stopUrlOf(portalUrl, secretBox, { accountId, what: 'changes' }) };
      const letter = changes.length > 0 ? changesLetter(language, changes, await namesOf(db, changes), links) : undefined;
      // With the e-mail in one transaction, so that it is sent once, whoever is killed when.
      await transaction(async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable('newsSetting')
          .set({ changesAt: nextMorning(timeZone, now), changesAfter: last })
          .where('accountId', '=', accountId)
          .where('changesAt', '=', changesAt as Instant)
          .executeTakeFirst();
        if (numUpdatedRows > 0n && letter) await outbox?.post(trx, now, { accountId, address, letter, expiresAt: now + DAY_MS });
      });
    }
    return due.length === ACCOUNTS_AT_ONCE ? { dueAt: now } : undefined;
  },
});
