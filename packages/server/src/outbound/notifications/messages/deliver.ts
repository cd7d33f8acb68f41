import { HEALTHY, isHeldAt } from '../../delivery/health.ts';
import { openHttpSink } from '../../sinks/http.ts';
import type { DeliveryOutcome } from '../../sinks/sink.ts';
import { anyOf, listParameter } from '../../../platform/storage/any-of.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import { isStorageAway } from '../../../platform/storage/away.ts';
import type { LaneHandler, Run } from '../../../platform/work/lane.ts';
import { pushKeysOf } from '../outlets/push-keys.ts';
import { sendPush } from '../outlets/push.ts';
import { findAccount } from '../../../identity/accounts/accounts.ts';
import { findTarget } from '../settings/subscriptions.ts';
import { findWebhookSink } from '../settings/webhooks.ts';
import { alarmData, alarmPush } from './alarm-messages.ts';
import { messageReaderOf } from './reader.ts';
import { contactOf, type Message, type NotificationDeps } from './deps.ts';
import { earliestOf, planMessages, type MessageContent } from './plan.ts';
import { findWebhookHealth, settleMessage } from './settle.ts';
import { readNotifiedAlarms } from './notified-alarms.ts';
import { tellable, type SaidAlarm } from './words.ts';

/** Each holds no connection while it waits for its peer. */
const MESSAGES_AT_ONCE = 20;

/** Tells an account of alarms. The key is the account's id. */
export const createTelling = (deps: NotificationDeps): LaneHandler => ({
  async run(run) {
    const { db, clock } = deps;
    const plannedAt = await run.transaction((trx) => planMessages(trx, deps, run.key, clock.now()));
    const due = await db
      .selectFrom('newsMessage')
      .selectAll()
      .where('accountId', '=', run.key)
      .where('dueAt', '<=', clock.now())
      .orderBy('dueAt')
      .limit(MESSAGES_AT_ONCE)
      .execute();
    const byTarget = Map.groupBy(due, ({ target }) => target);
    await Promise.all(Array.from(byTarget.values(), (messages) => serve(deps, run, messages)));
    const next = await db
      .selectFrom('newsMessage')
      .select('dueAt')
      .where('accountId', '=', run.key)
      .orderBy('dueAt')
      .limit(1)
      .executeTakeFirst();
    const dueAt = earliestOf(plannedAt, next?.dueAt);
    return dueAt === undefined ? undefined : { dueAt };
  },
});

/** Sends what is due to one browser or program: one message alone as long as that only shows whether it is back, and none while it is left alone. */
async function serve(
  deps: NotificationDeps,
  run: Run,
  messages: readonly Message[],
): Promise<void> {
  const { channel, target } = messages[0]!;
  const health = channel === 'webhook' ? await findWebhookHealth(deps.db, target) : HEALTHY;
  if (isHeldAt(health, deps.clock.now())) return postpone(run, messages, health.nextAt);
  const sent = health.probes > 0 ? messages.slice(0, 1) : messages;
  await Promise.all(sent.map((message) => deliver(deps, run, message)));
}

const postpone = (run: Run, messages: readonly Message[], dueAt: Instant): Promise<void> =>
  run.transaction(async (trx) => {
    const ids = messages.map(({ id }) => id);
    await trx
      .updateTable('newsMessage')
      .set({ dueAt })
      .where(anyOf(trx, 'id', listParameter(trx, ids)))
      .execute();
  });

async function deliver(deps: NotificationDeps, run: Run, message: Message): Promise<void> {
  // Fails if another instance has taken over the task.
  await run.transaction(async () => {});
  const said = await readSaid(deps.db, message);
  // Nothing is left to say: the account may see none of these plants any more.
  const outcome =
    said.length === 0
      ? undefined
      : await send(deps, message, said, run.signal).catch((err: unknown) =>
          failedToSend(deps, message, err),
        );
  await run.transaction((trx) => settleMessage(trx, deps, message, outcome));
}

/** What cannot be sent is tried again as what a peer did not take; the other messages of the account do not wait for it. */
function failedToSend(
  { logger }: NotificationDeps,
  { id, accountId, channel }: Message,
  err: unknown,
): DeliveryOutcome {
  if (isStorageAway(err)) throw err;
  logger.warn({ err, message: id, account: accountId, channel }, 'a message could not be sent');
  return { kind: 'failed', reason: 'the message could not be prepared' };
}

async function readSaid(db: Db, { accountId, content }: Message): Promise<SaidAlarm[]> {
  const says = new Map(JSON.parse(content) as MessageContent);
  const account = await db
    .selectFrom('account')
    .select('id')
    .where('id', '=', accountId)
    .where('disabledAt', 'is', null)
    .executeTakeFirst();
  if (!account) return [];
  return (await readNotifiedAlarms(db, accountId, [...says.keys()])).map((alarm) => ({
    alarm,
    says: says.get(alarm.id)!,
  }));
}

/** Sends a message; undefined if there is nobody to send it to. */
async function send(
  deps: NotificationDeps,
  message: Message,
  said: readonly SaidAlarm[],
  signal: AbortSignal,
): Promise<DeliveryOutcome | undefined> {
  const { db, clock, secretBox, egress, logger } = deps;
  const { id, accountId, target } = message;
  if (message.channel === 'push') {
    const browser = await findTarget(db, secretBox, accountId, target);
    if (!browser) return undefined;
    const account = await findAccount(db, accountId);
    if (!account) return undefined;
    const urgent = said.some(({ alarm, says }) => alarm.level === 3 && says === 'began');
    const reader = messageReaderOf(account);
    const payload = JSON.stringify({ ...alarmPush(reader, tellable(reader, said, logger)), id });
    return sendPush(
      { egress, clock, keys: await pushKeysOf(db, secretBox), contact: contactOf(deps) },
      browser,
      { id, urgent, payload },
      signal,
    );
  }
  const destination = await findWebhookSink(db, secretBox, accountId, target, clock.now());
  if (!destination) return undefined;
  return postNotification(
    destination,
    { egress, clock, logger },
    { ...message, kind: 'notification.alarms' },
    alarmData(said),
    signal,
  );
}

/** Posts a notification to a program, in the form of Standard Webhooks. */
export async function postNotification(
  destination: Parameters<typeof openHttpSink>[0],
  deps: Parameters<typeof openHttpSink>[1],
  {
    id,
    createdAt,
    kind,
  }: Pick<Message, 'id' | 'createdAt'> & {
    readonly kind: 'notification.alarms' | 'notification.test';
  },
  data: object,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const sink = await openHttpSink(destination, deps);
  const head = { id, kind, version: 1, occurredAt: createdAt };
  try {
    return await sink.send(
      [
        {
          ...head,
          sequence: 0,
          plantId: '-',
          deviceSn: null,
          body: JSON.stringify({ ...head, data }),
        },
      ],
      signal,
    );
  } finally {
    await sink.close();
  }
}
