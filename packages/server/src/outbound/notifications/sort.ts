import type { Clock } from '../../platform/kernel/clock.ts';
import { readers } from '../../fleet/plants/access.ts';
import {
  findReaderPosition,
  moveReader,
  readChanges,
  storedReaders,
  type LoggedChange,
} from '../../platform/events/readers.ts';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import type { Db, Instant, NewsItemTable } from '../../platform/storage/database.ts';
import { listOf } from '../../platform/storage/json-list.ts';
import { armTasks } from '../../platform/work/arm.ts';
import type { LaneHandler } from '../../platform/work/lane.ts';
import { HOLD_MS, NOTIFICATION_LANE } from './messages/timing.ts';

const CHANGES_AT_ONCE = 200;
const ROWS_AT_ONCE = 500;

type Via = NewsItemTable['via'];

/** Passes beginnings and ends of alarms on to the accounts that want to be notified of them. */
export const createSorting = ({
  db,
  clock,
}: {
  readonly db: Db;
  readonly clock: Clock;
}): LaneHandler => ({
  async run({ transaction }) {
    const from = await findReaderPosition(db, 'notifications');
    const { changes, position } = await readChanges(
      db,
      from,
      storedReaders.notifications,
      CHANGES_AT_ONCE,
    );
    if (changes.length === 0) return undefined;
    const now = clock.now();
    await transaction(async (trx) => {
      if (await moveReader(trx, 'notifications', from, position)) await passOn(trx, changes, now);
    });
    return changes.length === CHANGES_AT_ONCE ? { dueAt: now } : undefined;
  },
});

const alarmsOf = (changes: readonly LoggedChange[]): string[] =>
  changes.flatMap(({ events }) => events.map(({ data }) => data['alarmId'] as string));

async function passOn(trx: Db, changes: readonly LoggedChange[], now: Instant): Promise<void> {
  const alarms = await trx
    .selectFrom('alarm')
    .select(['id', 'plantId', 'level', 'endAt'])
    .where(anyOf(trx, 'id', listParameter(trx, [...new Set(alarmsOf(changes))])))
    .execute();
  const began = new Set(alarmsOf(changes.filter(({ kind }) => kind === 'alarm.raised')));
  const beginnings = alarms.filter(({ id }) => began.has(id));
  const recipients = Map.groupBy(
    await listRecipients(
      trx,
      beginnings.map(({ plantId }) => plantId),
    ),
    ({ plantId }) => plantId,
  );
  const accounts = new Set<string>();
  const rows: NewsItemTable[] = [];
  for (const { id: alarmId, plantId, level } of beginnings) {
    for (const { accountId, via, minLevel } of recipients.get(plantId) ?? []) {
      if (level >= minLevel)
        rows.push({ accountId, via, alarmId, level, since: now, waits: 1, announced: 0 });
    }
  }
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    await trx
      .insertInto('newsItem')
      .values(rows.slice(from, from + ROWS_AT_ONCE))
      .onConflict((conflict) => conflict.columns(['accountId', 'via', 'alarmId']).doNothing())
      .execute();
  }
  for (const { accountId } of rows) accounts.add(accountId);
  // An account that was notified of the beginning is notified of the end.
  const ended = alarms.filter(({ endAt }) => endAt !== null).map(({ id }) => id);
  const waiting = await trx
    .updateTable('newsItem')
    .set({ waits: 1, since: now })
    .where(anyOf(trx, 'alarmId', listParameter(trx, ended)))
    .where('announced', '=', 1)
    .where('waits', '=', 0)
    .returning('accountId')
    .execute();
  for (const { accountId } of waiting) accounts.add(accountId);
  await armTasks(trx, NOTIFICATION_LANE, [...accounts].toSorted(), now, now + HOLD_MS);
}

interface Recipient {
  readonly accountId: string;
  readonly plantId: string;
  readonly via: Via;
  readonly minLevel: number;
}

/** Who wants to be notified of alarms in some plants, and may see these. */
async function listRecipients(db: Db, plantIds: readonly string[]): Promise<Recipient[]> {
  const rows = await readers(db)
    .innerJoin('newsSetting', 'newsSetting.accountId', 'access.accountId')
    .innerJoin('account as reader', 'reader.id', 'access.accountId')
    .select([
      'access.accountId',
      'access.plantId',
      'newsSetting.minLevel',
      'newsSetting.plantIds',
      'newsSetting.alarmsByMail',
    ])
    .select((eb) => [
      eb
        .exists(
          eb
            .selectFrom('pushSubscription')
            .select('id')
            .whereRef('pushSubscription.accountId', '=', 'access.accountId'),
        )
        .as('push'),
      eb
        .exists(
          eb
            .selectFrom('newsWebhook')
            .select('id')
            .whereRef('newsWebhook.accountId', '=', 'access.accountId')
            .where('newsWebhook.goneAt', 'is', null),
        )
        .as('webhook'),
    ])
    .where(anyOf(db, 'access.plantId', listParameter(db, [...new Set(plantIds)])))
    .where('reader.disabledAt', 'is', null)
    .execute();
  return rows.flatMap(
    ({ accountId, plantId, minLevel, plantIds: chosen, alarmsByMail, push, webhook }) => {
      if (!(listOf(chosen)?.includes(plantId) ?? true)) return [];
      const vias: Via[] = [
        ...(alarmsByMail === 1 || push ? (['people'] as const) : []),
        ...(webhook ? (['webhook'] as const) : []),
      ];
      return vias.map((via) => ({ accountId, plantId, via, minLevel }));
    },
  );
}
