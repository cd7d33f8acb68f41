import { Failure, invalidValue, refusedNow } from '../../../platform/kernel/failure.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import { withinBounds } from '../../../platform/storage/bounds/within.ts';
import { recordAudit, type Act } from '../audit.ts';

/** A passkey as its owner sees it. */
export interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant | null;
}

export const listPasskeys = (db: Db, accountId: string): Promise<Passkey[]> =>
  db
    .selectFrom('passkey')
    .select(['id', 'name', 'createdAt', 'lastUsedAt'])
    .where('accountId', '=', accountId)
    .orderBy('id')
    .execute();

const NAME = /^[^\p{C}]{1,100}$/u;

/** Throws invalidValue. */
export function checkPasskeyName(name: string): string {
  const trimmed = name.trim();
  if (!NAME.test(trimmed)) throw invalidValue('name', '1 to 100 characters');
  return trimmed;
}

export interface NewPasskey {
  readonly accountId: string;
  readonly credentialId: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly name: string;
}

/** Adds a passkey; returns its id. Throws invalidValue if it exists already or there are too many. */
export async function insertPasskey(
  trx: Db,
  act: Act,
  { transports, ...passkey }: NewPasskey,
): Promise<string> {
  const id = act.newId();
  await withinBounds(trx, 'passkeys', { accountId: passkey.accountId }, act);
  const added = await trx
    .insertInto('passkey')
    .values({ ...passkey, id, transports: JSON.stringify(transports), createdAt: act.at })
    .onConflict((conflict) => conflict.column('credentialId').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!added) throw refusedNow('response', 'a passkey that was not added before');
  await recordAudit(trx, act, {
    kind: 'factor.passkeyAdded',
    accountId: passkey.accountId,
    data: { passkeyId: id, name: passkey.name },
  });
  return id;
}

/** Throws noPermission if the account has no such passkey. */
export async function renamePasskey(
  trx: Db,
  accountId: string,
  id: string,
  name: string,
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('passkey')
    .set({ name: checkPasskeyName(name) })
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw noSuchPasskey();
}

/** Removes a passkey, which is refused from then on. Throws noPermission if the account has no such passkey. */
export async function removePasskey(
  trx: Db,
  act: Act,
  accountId: string,
  id: string,
): Promise<void> {
  const removed = await trx
    .deleteFrom('passkey')
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .returning('name')
    .executeTakeFirst();
  if (!removed) throw noSuchPasskey();
  await recordAudit(trx, act, {
    kind: 'factor.passkeyRemoved',
    accountId,
    data: { passkeyId: id, name: removed.name },
  });
}

const noSuchPasskey = (): Failure => new Failure('noPermission', { message: 'no such passkey' });
