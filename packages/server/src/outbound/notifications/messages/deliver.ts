import type { Selectable } from 'kysely';
import { recordAudit } from '../../../identity/accounts/audit.ts';
import { pauseAfter } from '../../forwarding/dispatcher/schedule.ts';
import { openHttpSink } from '../../sinks/http.ts';
import type { Outcome } from '../../sinks/sink.ts';
import type { Db, Instant, NewsMessageTable } from '../../../platform/storage/database.ts';
import type { Handler, Run } from '../../../platform/work/lane.ts';
import { pushKeysOf } from '../outlets/push-keys.ts';
import { sendPush } from '../outlets/push.ts';
import { findSettings } from '../settings/settings.ts';
import { findTarget, removeSubscription } from '../settings/subscriptions.ts';
import { findWebhookSink } from '../settings/webhooks.ts';
import { alarmData, alarmPush } from './alarm-messages.ts';
import { contactOf, type NewsDeps } from './deps.ts';
import { earliest, planMessages, type MessageContent } from './plan.ts';
import { readTold } from './told-alarms.ts';
import type { SaidAlarm } from './words.ts';

type Message = Selectable<NewsMessageTable>;

/** Each holds no connection while it waits for its peer. */
const MESSAGES_AT_ONCE = 20;

/** Older news is of no use. */
export const GIVEN_UP_AFTER_MS = 86_400_000;

/** Tells an account of alarms. The key is the account's id. */
export const createTelling = (deps: NewsDeps): Handler => ({
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
    await Promise.all(due.map((message) => deliver(deps, run, message)));
    const next = await db
      .selectFrom('newsMessage')
      .select('dueAt')
      .where('accountId', '=', run.key)
      .orderBy('dueAt')
      .limit(1)
      .executeTakeFirst();
    const dueAt = earliest(plannedAt, next?.dueAt);
    return dueAt === undefined ? undefined : { dueAt };
  },
});

async function deliver(deps: NewsDeps, run: Run, message: Message): Promise<void> {
  // Fails if another instance has taken over the task.
  await run.transaction(async () => {});
  const said = await readSaid(deps.db, message);
  // Nothing is left to say: the account may see none of these plants any more.
  const outcome = said.length === 0 ? undefined : await send(deps, message, said, run.signal);
  await run.transaction((trx) => settle(trx, deps, message, outcome));
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
  return (await readTold(db, accountId, [...says.keys()])).map((alarm) => ({
    alarm,
    says: says.get(alarm.id)!,
  }));
}

/** Sends a message; undefined if there is nobody to send it to. */
async function send(
  deps: NewsDeps,
  message: Message,
  said: readonly SaidAlarm[],
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  const { db, clock, secretBox, egress, logger } = deps;
  const { id, accountId, target } = message;
  if (message.channel === 'push') {
    const browser = await findTarget(db, secretBox, accountId, target);
    if (!browser) return undefined;
    const { language } = await findSettings(db, accountId);
    const urgent = said.some(({ alarm, says }) => alarm.level === 3 && says === 'began');
    const payload = JSON.stringify({ ...alarmPush(language, said), id });
    return sendPush(
      { egress, clock, keys: await pushKeysOf(db, secretBox), contact: contactOf(deps) },
      browser,
      { id, urgent, payload },
      signal,
    );
  }
  const destination = await findWebhookSink(db, secretBox, accountId, target, clock.now());
  if (!destination) return undefined;
  return postNews(
    destination,
    { egress, clock, logger },
    { ...message, kind: 'news.alarms' },
    alarmData(said),
    signal,
  );
}

/** Posts news to a program, in the form of Standard Webhooks. */
export async function postNews(
  destination: Parameters<typeof openHttpSink>[0],
  deps: Parameters<typeof openHttpSink>[1],
  {
    id,
    createdAt,
    kind,
  }: Pick<Message, 'id' | 'createdAt'> & { readonly kind: 'news.alarms' | 'news.test' },
  data: object,
  signal: AbortSignal,
): Promise<Outcome> {
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

/** Notes what became of an attempt: the message is done, or tried again later. */
async function settle(
  trx: Db,
  deps: NewsDeps,
  message: Message,
  outcome: Outcome | undefined,
): Promise<void> {
  const now = deps.clock.now();
  if (message.channel === 'webhook' && outcome) await noteWebhook(trx, message, outcome, now);
  if (message.channel === 'push' && outcome?.kind === 'delivered')
    await trx
      .updateTable('pushSubscription')
      .set({ sentAt: now })
      .where('id', '=', message.target)
      .execute();
  const dueAt = outcome?.kind === 'failed' ? nextAttempt(deps, message, outcome, now) : undefined;
  if (dueAt === undefined)
    await trx.deleteFrom('newsMessage').where('id', '=', message.id).execute();
  else
    await trx
      .updateTable('newsMessage')
      .set({ dueAt, attempts: message.attempts + 1 })
      .where('id', '=', message.id)
      .execute();
  if (outcome?.kind === 'gone') await end(trx, deps, message, outcome.reason, now);
}

function nextAttempt(
  { random = Math.random }: NewsDeps,
  { attempts, createdAt }: Message,
  outcome: Outcome & { kind: 'failed' },
  now: Instant,
) {
  const pause = pauseAfter(attempts + 1, random);
  if (pause === undefined) return undefined;
  const dueAt = now + Math.max(pause, outcome.retryAfterMs ?? 0);
  return dueAt > createdAt + GIVEN_UP_AFTER_MS ? undefined : dueAt;
}

/** Code of the error of the connection, if it was this that failed. */
export const connectionErrorOf = (outcome: Outcome | undefined): string | null =>
  outcome?.kind === 'failed' ? (outcome.connectionError ?? null) : null;

const noteWebhook = (
  trx: Db,
  { target }: Message,
  outcome: Outcome,
  now: Instant,
): Promise<unknown> =>
  trx
    .updateTable('newsWebhook')
    .set(
      outcome.kind === 'delivered'
        ? { deliveredAt: now, failure: null }
        : { failedAt: now, failure: outcome.reason },
    )
    .set({ connectionError: connectionErrorOf(outcome) })
    .where('id', '=', target)
    .execute();

/** The peer wants nothing more, ever. */
async function end(
  trx: Db,
  { ids: newId }: NewsDeps,
  { accountId, channel, target }: Message,
  reason: string,
  at: Instant,
): Promise<void> {
  const act = { at, actor: 'service', address: null, newId } as const;
  if (channel === 'push') {
    const there = await trx
      .selectFrom('pushSubscription')
      .select('id')
      .where('id', '=', target)
      .executeTakeFirst();
    if (there) await removeSubscription(trx, act, accountId, target);
    return;
  }
  await trx
    .updateTable('newsWebhook')
    .set({ goneAt: at, failure: reason })
    .where('id', '=', target)
    .execute();
  await trx
    .deleteFrom('newsMessage')
    .where('channel', '=', 'webhook')
    .where('target', '=', target)
    .execute();
  await recordAudit(trx, act, { kind: 'webhook.gone', accountId, data: { webhookId: target } });
}
