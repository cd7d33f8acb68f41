import { DAY_MS } from '@helioport/contract/durations';
import type { LaneHandler } from '../../platform/work/lane.ts';
import type { Letter } from '../../identity/mail/letter.ts';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import type { NotificationDeps } from './messages/deps.ts';
import { localeOf, messageReaderOf, type MessageReader } from './messages/reader.ts';
import { notificationTexts } from './texts/texts.ts';

/** Access that ends and begins anew within this time is not told of. */
const SETTLED_MS = 60_000;
const ROWS_AT_ONCE = 500;
/** Whoever gives and takes access again and again sends its owner no more than an e-mail in this time. */
const PAUSE_MS = DAY_MS;
/** An e-mail names at most so many plants. */
const NAMED_AT_MOST = 30;

/** Tells people by e-mail that they see some plants no more. It is about their account, so it is sent whatever they want to be notified of. */
export const createEndedAccess = (deps: NotificationDeps): LaneHandler => ({
  async run(run) {
    const { db, clock, outbox, portalUrl } = deps;
    const now = clock.now();
    const rows = await db
      .selectFrom('endedAccess as ended')
      .innerJoin('account', 'account.id', 'ended.accountId')
      .leftJoin('plantAccess as access', (join) =>
        join
          .onRef('access.accountId', '=', 'ended.accountId')
          .onRef('access.plantId', '=', 'ended.plantId'),
      )
      .select(['ended.accountId', 'ended.plantId', 'ended.plantName', 'access.level'])
      .select(['account.email', 'account.language', 'account.timeZone', 'account.role'])
      .select('account.disabledAt')
      .where('ended.notifiedAt', 'is', null)
      .where('ended.endedAt', '<=', now - SETTLED_MS)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('endedAccess as before')
              .select('before.plantId')
              .whereRef('before.accountId', '=', 'ended.accountId')
              .where('before.notifiedAt', '>', now - PAUSE_MS)
              // Of others, nobody had to be told.
              .whereRef('before.notifiedAt', '>', 'before.endedAt'),
          ),
        ),
      )
      .orderBy('ended.accountId')
      .limit(ROWS_AT_ONCE)
      .execute();
    for (const [accountId, its] of Map.groupBy(rows, (row) => row.accountId)) {
      const [person] = its as [(typeof its)[number]];
      const names = its.flatMap(({ level, plantName }) => (level === null ? [plantName] : []));
      await run.transaction(async (trx) => {
        await trx
          .updateTable('endedAccess')
          .set({ notifiedAt: now })
          .where('accountId', '=', accountId)
          .where(
            anyOf(
              trx,
              'plantId',
              listParameter(
                trx,
                its.map(({ plantId }) => plantId),
              ),
            ),
          )
          .execute();
        if (names.length > 0 && person.disabledAt === null)
          await outbox?.post(trx, now, {
            accountId,
            address: person.email,
            letter: endedLetter(messageReaderOf(person), names, portalUrl),
            expiresAt: now + DAY_MS,
          });
      });
    }
    return rows.length === ROWS_AT_ONCE ? { dueAt: now } : undefined;
  },
});

function endedLetter(reader: MessageReader, names: readonly string[], portalUrl: string): Letter {
  const { language } = reader;
  const { ended: texts, more } = notificationTexts[language];
  const number = new Intl.NumberFormat(localeOf(reader));
  const subject =
    names.length === 1 ? texts.one(names[0]!) : texts.several(number.format(names.length));
  const left = names.length - NAMED_AT_MOST;
  const listed = [
    ...names.slice(0, NAMED_AT_MOST),
    ...(left > 0 ? [more(number.format(left))] : []),
  ];
  return {
    language,
    subject,
    paragraphs: [subject, ...(names.length > 1 ? [listed.join(', ')] : []), texts.lead],
    link: { text: texts.open, url: `${portalUrl}/` },
    footer: texts.why,
  };
}
