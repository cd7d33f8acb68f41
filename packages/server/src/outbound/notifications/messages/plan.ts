import { DAY_MS } from '@helioport/contract/durations';
import { alarmStateNumbers } from '../../alarms/alarm-rows.ts';
import { anyOf, listParameter } from '../../../platform/storage/any-of.ts';
import type { Db, Instant, NewsItemTable } from '../../../platform/storage/database.ts';
import { settingsOf, type NotificationSettings } from '../settings/settings.ts';
import { stopUrlOf } from '../settings/stop-link.ts';
import { alarmLetter } from './alarm-messages.ts';
import { messageReaderOf, type MessageReader } from './reader.ts';
import type { NotificationDeps } from './deps.ts';
import { releaseToPeople, releaseToPrograms, type Item } from './timing.ts';
import { readNotifiedAlarms, type Says } from './notified-alarms.ts';
import { tellable, type SaidAlarm } from './words.ts';

export const ITEMS_AT_ONCE = 500;

/** An account and what it wants, as far as messages depend on it. */
interface Reader {
  readonly accountId: string;
  readonly email: string;
  readonly timeZone: string;
  readonly notifiedAt: Instant | null;
  readonly reader: MessageReader;
  readonly settings: NotificationSettings;
}

/**
 * Makes messages of the alarms that an account is notified of now, in the transaction that also notes that it was: the next planner finds nothing left
 * to tell. Returns when to look again; undefined = when something new happens.
 */
export async function planMessages(
  trx: Db,
  deps: NotificationDeps,
  accountId: string,
  now: Instant,
): Promise<Instant | undefined> {
  const reader = await findReader(trx, accountId);
  if (!reader) {
    await forget(trx, accountId);
    return undefined;
  }
  const [people, programs] = [
    await listWaiting(trx, accountId, 'people'),
    await listWaiting(trx, accountId, 'webhook'),
  ];
  const { quiet, urgentPasses, webhooksQuiet } = reader.settings;
  const hours = { quiet, urgentPasses, timeZone: reader.timeZone };
  const forPeople = releaseToPeople(people, { ...hours, notifiedAt: reader.notifiedAt }, now);
  const forPrograms = releaseToPrograms(
    programs,
    webhooksQuiet ? hours : { ...hours, quiet: null },
    now,
  );
  const announced = await tell(trx, accountId, 'people', forPeople.items, now);
  if (announced.length > 0) {
    await trx
      .updateTable('newsSetting')
      .set({ notifiedAt: now })
      .where('accountId', '=', accountId)
      .execute();
    await addressPeople(trx, deps, reader, announced, now);
  }
  const announcedToPrograms = await tell(trx, accountId, 'webhook', forPrograms.items, now);
  if (announcedToPrograms.length > 0)
    await enqueue(trx, deps, accountId, 'webhook', announcedToPrograms, now);
  const isFull = Math.max(forPeople.items.length, forPrograms.items.length) === ITEMS_AT_ONCE;
  return earliestOf(isFull ? now : undefined, forPeople.nextAt, forPrograms.nextAt);
}

/** The earliest of some times. */
export function earliestOf(...times: readonly (Instant | undefined)[]): Instant | undefined {
  const known = times.filter((at) => at !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
}

async function findReader(db: Db, accountId: string): Promise<Reader | undefined> {
  const row = await db
    .selectFrom('newsSetting')
    .innerJoin('account', 'account.id', 'newsSetting.accountId')
    .selectAll('newsSetting')
    .select(['account.email', 'account.timeZone', 'account.language', 'account.role'])
    .where('account.id', '=', accountId)
    .where('account.disabledAt', 'is', null)
    .executeTakeFirst();
  return (
    row && {
      accountId,
      email: row.email,
      timeZone: row.timeZone,
      notifiedAt: row.notifiedAt,
      settings: settingsOf(row),
      reader: messageReaderOf(row),
    }
  );
}

/** Nothing is sent of what waits for an account that is gone or disabled. */
async function forget(trx: Db, accountId: string): Promise<void> {
  for (const table of ['newsItem', 'newsMessage'] as const)
    await trx.deleteFrom(table).where('accountId', '=', accountId).execute();
}

const listWaiting = (db: Db, accountId: string, via: NewsItemTable['via']): Promise<Item[]> =>
  db
    .selectFrom('newsItem')
    .select(['alarmId', 'level', 'since', 'announced'])
    .where('accountId', '=', accountId)
    .where('via', '=', via)
    .where('waits', '=', 1)
    .orderBy('since')
    .limit(ITEMS_AT_ONCE)
    .execute();

/** Notes that an account is notified of some alarms, and returns what there is to say: nothing of plants that it may see no more. */
async function tell(
  trx: Db,
  accountId: string,
  via: NewsItemTable['via'],
  items: readonly Item[],
  now: Instant,
): Promise<SaidAlarm[]> {
  if (items.length === 0) return [];
  const announced = new Map(items.map((item) => [item.alarmId, item.announced === 1]));
  const alarms = await readNotifiedAlarms(trx, accountId, [...announced.keys()]);
  const said = alarms.flatMap((alarm): SaidAlarm[] => {
    const knows = announced.get(alarm.id)!;
    if (alarm.endAt !== null)
      return knows || alarm.endAt > now - DAY_MS ? [{ alarm, says: knows ? 'ended' : 'both' }] : [];
    // Somebody has dealt with it before anybody was notified.
    return alarm.state === alarmStateNumbers.pending && !knows ? [{ alarm, says: 'began' }] : [];
  });
  const began = new Set(said.filter(({ says }) => says === 'began').map(({ alarm }) => alarm.id));
  const ids = (kept: boolean): unknown =>
    listParameter(
      trx,
      [...announced.keys()].filter((id) => began.has(id) === kept),
    );
  await trx
    .updateTable('newsItem')
    .set({ waits: 0, announced: 1, since: now })
    .where('accountId', '=', accountId)
    .where('via', '=', via)
    .where(anyOf(trx, 'alarmId', ids(true)))
    .execute();
  await trx
    .deleteFrom('newsItem')
    .where('accountId', '=', accountId)
    .where('via', '=', via)
    .where(anyOf(trx, 'alarmId', ids(false)))
    .execute();
  return said;
}

async function addressPeople(
  trx: Db,
  deps: NotificationDeps,
  { accountId, email, settings, reader }: Reader,
  said: readonly SaidAlarm[],
  now: Instant,
): Promise<void> {
  const { outbox, portalUrl, secretBox } = deps;
  if (settings.alarmsByMail && outbox) {
    const links = {
      portalUrl,
      stopUrl: stopUrlOf(portalUrl, secretBox, { accountId, what: 'alarms' }),
    };
    await outbox.post(trx, now, {
      accountId,
      address: email,
      letter: alarmLetter(reader, tellable(reader, said, deps.logger), links),
      expiresAt: now + DAY_MS,
    });
  }
  await enqueue(trx, deps, accountId, 'push', said, now);
}

/** What a message is about, as it is stored. */
export type MessageContent = readonly (readonly [alarmId: string, says: Says])[];

/** Has a message sent to each browser, or to each program, of an account. */
async function enqueue(
  trx: Db,
  { ids }: NotificationDeps,
  accountId: string,
  channel: 'push' | 'webhook',
  said: readonly SaidAlarm[],
  now: Instant,
): Promise<void> {
  const targets =
    channel === 'push'
      ? await trx
          .selectFrom('pushSubscription')
          .select('id')
          .where('accountId', '=', accountId)
          .execute()
      : await trx
          .selectFrom('newsWebhook')
          .select('id')
          .where('accountId', '=', accountId)
          .where('goneAt', 'is', null)
          .execute();
  if (targets.length === 0) return;
  const content = JSON.stringify(
    said.map(({ alarm, says }) => [alarm.id, says]) satisfies MessageContent,
  );
  const message = { accountId, channel, content, createdAt: now, dueAt: now, attempts: 0 };
  await trx
    .insertInto('newsMessage')
    .values(targets.map(({ id: target }) => ({ id: ids(), target, ...message })))
    .execute();
}
