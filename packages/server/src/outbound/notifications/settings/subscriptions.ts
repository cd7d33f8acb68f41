import { hash } from 'node:crypto';
import { recordAudit, type Act } from '../../../identity/accounts/audit.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import { readDestinationAddress } from '../../sinks/address.ts';
import { Failure, invalidValue } from '../../../platform/kernel/failure.ts';
import type { SecretBox } from '../../../platform/kernel/secrets.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import { withinBounds } from '../../../platform/storage/bounds/within.ts';
import type { PushTarget } from '../outlets/push.ts';
import { ensureSettings } from './settings.ts';

/** A browser that gets push messages. */
export interface PushSubscription {
  readonly id: string;
  readonly label: string;
  readonly createdAt: Instant;
  readonly sentAt: Instant | null;
}

/** Checks a subscription before it is stored. Resolves names, so it must not run in a transaction. Throws invalidValue. */
export async function checkSubscription(
  { endpoint, p256dh, auth }: PushTarget,
  egress: Egress,
): Promise<void> {
  const { transport, host, encrypted } = readAddress(endpoint);
  if (transport !== 'http')
    throw invalidValue('endpoint', 'the endpoint of a push service, https://...');
  const { default: webPush } = await import('web-push');
  try {
    webPush.encrypt(p256dh, auth, 'test', 'aes128gcm');
  } catch {
    throw invalidValue(
      'p256dh',
      'the keys of a subscription: a point of the curve P-256 and 16 bytes, as base64url',
    );
  }
  await egress.resolve(host, encrypted).catch(() => {
    throw invalidValue('endpoint', 'a host on the public internet, over an encrypted connection');
  });
}

/** Reads an endpoint as addresses of destinations are read, under its own name. */
function readAddress(endpoint: string): ReturnType<typeof readDestinationAddress> {
  try {
    return readDestinationAddress(endpoint);
  } catch {
    throw invalidValue('endpoint', 'the endpoint of a push service, https://...');
  }
}

/** Subscribes a browser for an account; a browser that was subscribed before, for whomever, gets a new subscription instead. */
export async function subscribe(
  trx: Db,
  act: Act,
  box: SecretBox,
  accountId: string,
  target: PushTarget,
  label: string,
): Promise<string> {
  const endpointHash = hash('sha256', target.endpoint, 'buffer');
  await trx.deleteFrom('pushSubscription').where('endpointHash', '=', endpointHash).execute();
  await withinBounds(trx, 'pushSubscriptions', { accountId }, act);
  const id = act.newId();
  const { endpoint, p256dh, auth } = target;
  await trx
    .insertInto('pushSubscription')
    .values({
      id,
      accountId,
      endpointHash,
      sealed: box.seal(JSON.stringify({ endpoint, p256dh, auth }), pushContext(id)),
      label,
      createdAt: act.at,
      sentAt: null,
    })
    .execute();
  await ensureSettings(trx, accountId);
  await recordAudit(trx, act, {
    kind: 'push.subscribed',
    accountId,
    data: { subscriptionId: id, label },
  });
  return id;
}

export const listSubscriptions = (db: Db, accountId: string): Promise<PushSubscription[]> =>
  db
    .selectFrom('pushSubscription')
    .select(['id', 'label', 'createdAt', 'sentAt'])
    .where('accountId', '=', accountId)
    .orderBy('id')
    .execute();

/** Where messages to a browser of an account are sent; undefined if it is subscribed no more. */
export async function findTarget(
  db: Db,
  box: SecretBox,
  accountId: string,
  id: string,
): Promise<PushTarget | undefined> {
  const row = await db
    .selectFrom('pushSubscription')
    .select('sealed')
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  return row && (JSON.parse(box.open(row.sealed, pushContext(id))) as PushTarget);
}

/** Ends a subscription, and what is on its way to it. Throws noPermission. */
export async function removeSubscription(
  trx: Db,
  act: Act,
  accountId: string,
  id: string,
): Promise<void> {
  const { numDeletedRows } = await trx
    .deleteFrom('pushSubscription')
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw new Failure('noPermission', { message: 'no such subscription' });
  await trx
    .deleteFrom('newsMessage')
    .where('channel', '=', 'push')
    .where('target', '=', id)
    .execute();
  await recordAudit(trx, act, { kind: 'push.removed', accountId, data: { subscriptionId: id } });
}

export const pushContext = (id: string): string => `push:${id}`;
