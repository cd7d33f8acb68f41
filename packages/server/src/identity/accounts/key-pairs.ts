import { Failure, invalidValue } from '../../platform/kernel/failure.ts';
import { randomHex, type SecretBox } from '../../platform/kernel/secrets.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import { listOf } from '../../platform/storage/json-list.ts';
import { forUpdate } from '../../platform/storage/lock.ts';
import { withinBounds } from '../../platform/storage/bounds/within.ts';
import { recordAudit, type Act } from './audit.ts';
import { parseNetwork } from '../../platform/kernel/addresses/networks.ts';

/** The restrictions of a key pair. */
export interface KeyTerms {
  readonly label: string;
  readonly canControl: boolean;
  /** null = all plants that the account may see, including future ones. */
  readonly plantIds: readonly string[] | null;
  /** null = any address. */
  readonly cidrs: readonly string[] | null;
  readonly expiresAt: Instant | null;
}

/** Both halves of a new key pair; the secret is shown only once. */
export interface NewKeyPair {
  readonly keyId: string;
  readonly keySecret: string;
}

/**
 * Creates a key pair for the operator, active at once. An account may hold several, so that keys can be replaced with an overlap.
 * Throws invalidValue.
 */
export const insertKeyPair = (
  trx: Db,
  act: Act,
  box: SecretBox,
  accountId: string,
  terms: KeyTerms,
): Promise<NewKeyPair> => insert(trx, act, box, accountId, terms, false);

/** Creates a key pair for its owner, who has proven the identity again; it becomes active at the owner's next log-in. Throws invalidValue. */
export const insertWaitingKeyPair = (
  trx: Db,
  act: Act,
  box: SecretBox,
  accountId: string,
  terms: KeyTerms,
): Promise<NewKeyPair> => insert(trx, act, box, accountId, terms, true);

async function insert(
  trx: Db,
  act: Act,
  box: SecretBox,
  accountId: string,
  terms: KeyTerms,
  pending: boolean,
): Promise<NewKeyPair> {
  const { label, canControl, plantIds, cidrs, expiresAt } = checkTerms(act, terms);
  await withinBounds(trx, 'keyPairs', { accountId }, act);
  const keyId = act.newId();
  const keySecret = randomHex(16);
  await trx
    .insertInto('keyPair')
    .values({
      id: keyId,
      accountId,
      label,
      secret: box.seal(keySecret, keyId),
      canControl: canControl ? 1 : 0,
      plantIds: plantIds && JSON.stringify(plantIds),
      cidrs: cidrs && JSON.stringify(cidrs),
      pending: pending ? 1 : 0,
      createdAt: act.at,
      expiresAt,
    })
    .execute();
  await recordAudit(trx, act, {
    kind: 'key.created',
    accountId,
    data: { keyId, label, canControl, plantIds, cidrs, expiresAt, pending },
  });
  return { keyId, keySecret };
}

const LABEL = /^[^\p{C}]{0,100}$/u;

function checkTerms(act: Act, terms: KeyTerms): KeyTerms {
  const label = terms.label.trim();
  if (!LABEL.test(label)) throw invalidValue('label', 'at most 100 characters');
  if (terms.plantIds?.some((id) => !/^\d{1,19}$/.test(id)))
    throw invalidValue('plantIds', 'plant ids');
  if (terms.expiresAt !== null && !(terms.expiresAt > act.at))
    throw invalidValue('expiresAt', 'a time in the future');
  return { ...terms, label, cidrs: terms.cidrs && terms.cidrs.map(parseNetwork) };
}

/** A key pair as shown to its account, without the secret. */
export interface KeyPair extends KeyTerms {
  readonly keyId: string;
  readonly accountId: string;
  readonly email: string;
  readonly pending: boolean;
  readonly createdAt: Instant;
  readonly disabledAt: Instant | null;
  readonly lastUsedAt: Instant | null;
  readonly lastUsedAddress: string | null;
  readonly lastUsedPath: string | null;
}

/** The key pairs of one account or of all accounts, oldest first. */
export async function listKeyPairs(db: Db, accountId?: string): Promise<KeyPair[]> {
  let query = db
    .selectFrom('keyPair')
    .innerJoin('account', 'account.id', 'keyPair.accountId')
    .select([
      'keyPair.id as keyId',
      'accountId',
      'email',
      'label',
      'canControl',
      'plantIds',
      'cidrs',
      'pending',
      'keyPair.createdAt',
      'expiresAt',
    ])
    .select(['keyPair.disabledAt', 'lastUsedAt', 'lastUsedAddress', 'lastUsedPath']);
  if (accountId !== undefined) query = query.where('accountId', '=', accountId);
  const rows = await query.orderBy('keyPair.id').execute();
  return rows.map((row) => ({
    ...row,
    canControl: row.canControl === 1,
    pending: row.pending === 1,
    plantIds: listOf(row.plantIds),
    cidrs: listOf(row.cidrs),
  }));
}

/**
 * Disables a key from its next request on. With `accountId`, only that account's keys are considered.
 * Throws noPermission for a key that does not exist.
 */
export async function disableKeyPair(
  trx: Db,
  act: Act,
  keyId: string,
  accountId?: string,
): Promise<void> {
  let query = trx
    .updateTable('keyPair')
    .set((eb) => ({ disabledAt: eb.fn.coalesce('disabledAt', eb.val(act.at)) }))
    .where('id', '=', keyId);
  if (accountId !== undefined) query = query.where('accountId', '=', accountId);
  const row = await query.returning(['accountId', 'disabledAt']).executeTakeFirst();
  if (!row) throw new Failure('noPermission', { message: 'no such key pair' });
  if (row.disabledAt === act.at)
    await recordAudit(trx, act, {
      kind: 'key.disabled',
      accountId: row.accountId,
      data: { keyId },
    });
}

/** Takes a plant out of the key pairs of accounts that are for certain plants, so that none comes alive again with it. */
export async function takeOutOfKeys(
  trx: Db,
  plantId: string,
  accountIds: readonly string[],
): Promise<void> {
  const narrowed = trx
    .selectFrom('keyPair')
    .select(['id', 'plantIds'])
    .where(anyOf(trx, 'accountId', listParameter(trx, accountIds)))
    .where('plantIds', 'like', `%"${plantId}"%`)
    .orderBy('id');
  for (const { id, plantIds } of await forUpdate(trx, narrowed).execute())
    await trx
      .updateTable('keyPair')
      .set({ plantIds: JSON.stringify(listOf(plantIds)!.filter((other) => other !== plantId)) })
      .where('id', '=', id)
      .execute();
}
