import { DAY_MS } from '@helioport/contract/durations';
import { recordAudit } from '../../../identity/accounts/audit.ts';
import { anyOf, listParameter } from '../../../platform/storage/any-of.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import { HEALTHY, type Health } from '../../delivery/health.ts';
import {
  nextOf,
  type DeliveryChange,
  type DeliveryEvent,
  type DeliveryState,
  type Waiting,
} from '../../delivery/machine.ts';
import type { Outcome } from '../../sinks/sink.ts';
import { removeSubscription } from '../settings/subscriptions.ts';
import type { Message, NotificationDeps } from './deps.ts';

/** An older notification is of no use. */
export const GIVEN_UP_AFTER_MS = DAY_MS;

/** A message is a queue of its own: none waits for another. */
type Head = object;

/** Code of the error of the connection, if it was this that failed. */
export const connectionErrorOf = (outcome: Outcome | undefined): string | null =>
  outcome?.kind === 'failed' ? (outcome.connectionError ?? null) : null;

/** How a webhook fares; one that is not there is as good as new. */
export async function findWebhookHealth(db: Db, id: string): Promise<Health> {
  const row = await db
    .selectFrom('newsWebhook')
    .select(['probes', 'nextAt', 'failingSince', 'outcomes'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row ? { ...row, endedFor: null } : HEALTHY;
}

/** Notes what became of an attempt: the message is done, or tried again later. `outcome`: undefined if there was nothing to say, or nobody to say it to. */
export async function settle(
  trx: Db,
  deps: NotificationDeps,
  message: Message,
  outcome: Outcome | undefined,
): Promise<void> {
  const { id, channel, target } = message;
  if (!outcome) {
    await trx.deleteFrom('newsMessage').where('id', '=', id).execute();
    return;
  }
  const now = deps.clock.now();
  const state = await readState(trx, message);
  const change = nextOf(state, eventsOf(message, outcome, now, (deps.random ?? Math.random)()));
  const health = change.health ?? state.health;
  await storeWaiting(trx, health, change);
  if (channel === 'webhook') await noteWebhook(trx, target, outcome, health, now);
  if (channel === 'push' && outcome.kind === 'delivered')
    await trx
      .updateTable('pushSubscription')
      .set({ sentAt: now })
      .where('id', '=', target)
      .execute();
  if (outcome.kind === 'gone') await end(trx, deps, message, outcome.reason, now);
}

/** What is known of a receiver, and of the messages that it has not taken so far. Browsers are reached through services that do not go away: each message counts alone. */
async function readState(
  trx: Db,
  { id, channel, target, attempts, dueAt }: Message,
): Promise<DeliveryState<Head>> {
  const isWebhook = channel === 'webhook';
  const others = isWebhook
    ? await trx
        .selectFrom('newsMessage')
        .select(['id', 'attempts', 'dueAt'])
        .where('channel', '=', channel)
        .where('target', '=', target)
        .where('attempts', '>', 0)
        .execute()
    : [{ id, attempts, dueAt }].filter((one) => one.attempts > 0);
  const waiting = new Map(
    others.map((one): [string, Waiting<Head>] => [
      one.id,
      { attempts: one.attempts, nextAt: one.dueAt, reason: '', excerpt: null },
    ]),
  );
  return { health: isWebhook ? await findWebhookHealth(trx, target) : HEALTHY, waiting };
}

function eventsOf(
  { id: key, attempts, createdAt }: Message,
  outcome: Outcome,
  at: Instant,
  chance: number,
): readonly DeliveryEvent<Head>[] {
  const moment = { at, chance };
  const sent = { is: 'sent', outcome, purpose: { isRetry: attempts > 0 }, ...moment } as const;
  if (outcome.kind !== 'failed') return [sent, { is: 'advanced', key, head: null, ...moment }];
  const endsAt = createdAt + GIVEN_UP_AFTER_MS;
  return [sent, { is: 'stuck', key, head: {}, beyond: null, outcome, endsAt, ...moment }];
}

async function storeWaiting(
  trx: Db,
  health: Health,
  { waiting = new Map() }: DeliveryChange<Head>,
): Promise<void> {
  const done = [...waiting].flatMap(([id, message]) => (message ? [] : [id]));
  await trx
    .deleteFrom('newsMessage')
    .where(anyOf(trx, 'id', listParameter(trx, done)))
    .execute();
  for (const [id, message] of waiting)
    if (message) {
      const dueAt = Math.max(message.nextAt, health.nextAt);
      const { attempts } = message;
      await trx.updateTable('newsMessage').set({ attempts, dueAt }).where('id', '=', id).execute();
    }
}

const noteWebhook = (
  trx: Db,
  target: string,
  outcome: Outcome,
  { endedFor: _, ...health }: Health,
  now: Instant,
): Promise<unknown> =>
  trx
    .updateTable('newsWebhook')
    .set(
      outcome.kind === 'delivered'
        ? { deliveredAt: now, failure: null }
        : { failedAt: now, failure: outcome.reason },
    )
    .set({ ...health, connectionError: connectionErrorOf(outcome) })
    .where('id', '=', target)
    .execute();

/** The peer wants nothing more, ever. */
async function end(
  trx: Db,
  { ids: newId }: NotificationDeps,
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
