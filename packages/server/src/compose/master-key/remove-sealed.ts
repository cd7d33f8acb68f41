import { randomBytes } from 'node:crypto';
import { recordAudit, type Act } from '../../identity/accounts/audit.ts';
import { sealSecrets } from '../../outbound/forwarding/destinations/settings.ts';
import { PUSH_KEYS } from '../../outbound/notifications/outlets/push-keys.ts';
import type { SecretBox } from '../../platform/kernel/secrets.ts';
import { removeKeys, sealCheck } from '../../platform/storage/checks/master-key-check.ts';
import type { Db } from '../../platform/storage/database.ts';
import { removeValues } from '../../platform/storage/installation/values.ts';

/** How many of each kind cannot be used any more. */
export interface Forgotten {
  readonly keyPairs: number;
  readonly authenticatorApps: number;
  readonly destinations: number;
  readonly webhooks: number;
  readonly pushSubscriptions: number;
  readonly mails: number;
}

/** Disables or removes whatever a lost key has encrypted, and has the database belong to a new one, in one transaction. */
export const removeSealed = (db: Db, act: Act, box: SecretBox): Promise<Forgotten> =>
  db.transaction().execute((trx) => removeIn(trx, act, box));

async function removeIn(trx: Db, act: Act, box: SecretBox): Promise<Forgotten> {
  await removeKeys(trx);
  await removeValues(trx, [PUSH_KEYS]);
  await sealCheck(trx, box);
  await trx.deleteFrom('consentTicket').execute();
  await trx.updateTable('onceMark').set({ answer: null }).where('answer', 'is not', null).execute();
  const [mails, subscriptions] = await Promise.all([
    trx.deleteFrom('mail').returning('id').execute(),
    trx.deleteFrom('pushSubscription').returning('id').execute(),
  ]);
  const apps = await trx.deleteFrom('totp').returning('accountId').execute();
  for (const { accountId } of apps)
    await recordAudit(trx, act, { kind: 'factor.totpRemoved', accountId });
  const forgotten: Forgotten = {
    keyPairs: await disableKeyPairs(trx, act, box),
    authenticatorApps: apps.length,
    destinations: await disableDestinations(trx, box),
    webhooks: await disableWebhooks(trx, act, box),
    pushSubscriptions: subscriptions.length,
    mails: mails.length,
  };
  await recordAudit(trx, act, {
    kind: 'masterKey.forgotten',
    accountId: null,
    data: { ...forgotten },
  });
  return forgotten;
}

async function disableKeyPairs(trx: Db, act: Act, box: SecretBox): Promise<number> {
  const all = await trx.selectFrom('keyPair').select(['id', 'accountId', 'disabledAt']).execute();
  let count = 0;
  for (const { id, accountId, disabledAt } of all) {
    const secret = box.seal(randomBytes(16).toString('hex'), id);
    await trx
      .updateTable('keyPair')
      .set({ secret, disabledAt: disabledAt ?? act.at })
      .where('id', '=', id)
      .execute();
    if (disabledAt !== null) continue;
    count += 1;
    await recordAudit(trx, act, { kind: 'key.disabled', accountId, data: { keyId: id } });
  }
  return count;
}

/** What stands in the place of secrets that cannot be read: their owners set new ones. */
const noSecrets = { signing: [], username: null, password: null };
const REASON = 'the master key was lost, and its secrets with it';

async function disableDestinations(trx: Db, box: SecretBox): Promise<number> {
  const all = await trx.selectFrom('destination').select('id').execute();
  for (const { id } of all)
    await trx
      .updateTable('destination')
      .set((eb) => ({
        secrets: sealSecrets(box, id, noSecrets),
        state: 'disabled',
        reason: REASON,
        revision: eb('revision', '+', 1),
      }))
      .where('id', '=', id)
      .execute();
  return all.length;
}

async function disableWebhooks(trx: Db, act: Act, box: SecretBox): Promise<number> {
  const all = await trx.selectFrom('newsWebhook').select('id').execute();
  for (const { id } of all)
    await trx
      .updateTable('newsWebhook')
      .set({ secrets: sealSecrets(box, id, noSecrets), goneAt: act.at, failure: REASON })
      .where('id', '=', id)
      .execute();
  return all.length;
}
