import type { ExpressionBuilder, Selectable } from 'kysely';
import { recordAudit, type Act } from '../../../identity/accounts/audit.ts';
import {
  newSigningSecret,
  sealSecrets,
  unsealSecrets,
  withNewSecret,
} from '../../forwarding/destinations/settings.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import { checkDestination } from '../../sinks/check.ts';
import type { HttpDestination } from '../../sinks/sink.ts';
import { Failure } from '../../../platform/kernel/failure.ts';
import type { SecretBox } from '../../../platform/kernel/secrets.ts';
import type { Db, Instant, NewsWebhookTable, Tables } from '../../../platform/storage/database.ts';
import { within } from '../../../platform/storage/bounds/within.ts';
import { ensureSettings } from './settings.ts';

/** A program of an account's own that gets notifications, and how it fares. */
export interface Webhook extends Pick<
  Selectable<NewsWebhookTable>,
  | 'id'
  | 'url'
  | 'createdAt'
  | 'deliveredAt'
  | 'failedAt'
  | 'failure'
  | 'connectionError'
  | 'failingSince'
  | 'goneAt'
> {
  /** When a message that was not taken is tried again; null = none waits. */
  readonly nextAttemptAt: Instant | null;
  readonly waitingMessages: number;
}

/** Checks an address before it is stored. Resolves names, so it must not run in a transaction. Throws invalidValue. */
export const checkWebhook = (url: string, egress: Egress): Promise<void> =>
  checkDestination(sinkOf('', url, [newSigningSecret()]), egress);

const sinkOf = (id: string, url: string, secrets: readonly string[]): HttpDestination => ({
  id,
  url,
  transport: 'http',
  secrets,
  caCertificates: null,
  batches: false,
  gzip: false,
});

/** Adds a webhook; resolves to its id and its signing secret. The address was checked. */
export async function insertWebhook(
  trx: Db,
  act: Act,
  box: SecretBox,
  accountId: string,
  url: string,
): Promise<{ id: string; secret: string }> {
  await within(trx, 'webhooks', { accountId }, act);
  const id = act.newId();
  const secret = newSigningSecret();
  const secrets = sealSecrets(box, id, {
    signing: [{ text: secret, endsAt: null }],
    username: null,
    password: null,
  });
  await trx
    .insertInto('newsWebhook')
    .values({
      id,
      accountId,
      url,
      secrets,
      createdAt: act.at,
      deliveredAt: null,
      failedAt: null,
      failure: null,
      connectionError: null,
      goneAt: null,
    })
    .execute();
  await ensureSettings(trx, accountId);
  await recordAudit(trx, act, { kind: 'webhook.created', accountId, data: { webhookId: id } });
  return { id, secret };
}

export async function listWebhooks(db: Db, accountId: string): Promise<Webhook[]> {
  const waiting = (eb: ExpressionBuilder<Tables, 'newsWebhook'>) =>
    eb
      .selectFrom('newsMessage')
      .where('newsMessage.accountId', '=', accountId)
      .where('channel', '=', 'webhook')
      .whereRef('target', '=', 'newsWebhook.id')
      .where('attempts', '>', 0);
  return db
    .selectFrom('newsWebhook')
    .select(['id', 'url', 'createdAt', 'deliveredAt', 'failedAt', 'failure', 'connectionError'])
    .select(['failingSince', 'goneAt'])
    .select((eb) => [
      waiting(eb)
        .select((of) => of.fn.min<number | null>('dueAt').as('at'))
        .as('nextAttemptAt'),
      waiting(eb)
        .select((of) => of.fn.countAll<number>().as('n'))
        .$asScalar()
        .$notNull()
        .as('waitingMessages'),
    ])
    .where('accountId', '=', accountId)
    .orderBy('id')
    .execute();
}

/** Finds a webhook of an account with its settings. Throws noPermission. */
async function getWebhook(
  db: Db,
  accountId: string,
  id: string,
): Promise<Selectable<NewsWebhookTable>> {
  const webhook = await db
    .selectFrom('newsWebhook')
    .selectAll()
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  if (!webhook) throw new Failure('noPermission', { message: 'no such webhook' });
  return webhook;
}

/** A webhook as its sink needs it; undefined if it was removed or wants nothing more. */
export async function findWebhookSink(
  db: Db,
  box: SecretBox,
  accountId: string,
  id: string,
  now: Instant,
): Promise<HttpDestination | undefined> {
  const row = await db
    .selectFrom('newsWebhook')
    .selectAll()
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  if (!row || row.goneAt !== null) return undefined;
  const { signing } = unsealSecrets(box, id, row.secrets);
  return sinkOf(
    id,
    row.url,
    signing.flatMap(({ text, endsAt }) => (endsAt === null || endsAt > now ? [text] : [])),
  );
}

/** Gives a webhook a new secret; messages are signed with the newest former ones too, until `retireAt`. Throws noPermission. */
export async function rotateWebhook(
  trx: Db,
  act: Act,
  box: SecretBox,
  accountId: string,
  id: string,
  retireAt: Instant,
): Promise<string> {
  const webhook = await getWebhook(trx, accountId, id);
  const former = unsealSecrets(box, id, webhook.secrets);
  const secret = newSigningSecret();
  const signing = withNewSecret(former.signing, secret, { retireAt, now: act.at });
  await trx
    .updateTable('newsWebhook')
    .set({ secrets: sealSecrets(box, id, { ...former, signing }) })
    .where('id', '=', id)
    .execute();
  await recordAudit(trx, act, {
    kind: 'webhook.secretRotated',
    accountId,
    data: { webhookId: id },
  });
  return secret;
}

/** Removes a webhook, and what is on its way to it. Throws noPermission. */
export async function removeWebhook(
  trx: Db,
  act: Act,
  accountId: string,
  id: string,
): Promise<void> {
  await getWebhook(trx, accountId, id);
  await trx
    .deleteFrom('newsMessage')
    .where('channel', '=', 'webhook')
    .where('target', '=', id)
    .execute();
  await trx.deleteFrom('newsWebhook').where('id', '=', id).execute();
  await recordAudit(trx, act, { kind: 'webhook.removed', accountId, data: { webhookId: id } });
}
