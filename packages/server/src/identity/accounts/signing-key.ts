import type { Db, Instant } from '../../platform/storage/database.ts';
import { listOf } from '../../platform/storage/json-list.ts';
import { prepareQuery, type ParameterOf } from '../../platform/storage/prepare.ts';
import type { Role } from './accounts.ts';
import type { UserCaller } from './caller.ts';

/** A key pair and its account, as needed to check a signature. */
export interface SigningKey {
  readonly id: string;
  readonly accountId: string;
  /** The KeySecret, sealed with the KeyID as context. */
  readonly secret: Uint8Array;
  readonly canControl: boolean;
  /** null = every plant the account may see. */
  readonly plantIds: readonly string[] | null;
  /** Networks that may use the key; null = any address. */
  readonly cidrs: readonly string[] | null;
  /** Whether the key becomes active only at its owner's next log-in. */
  readonly pending: boolean;
  readonly expiresAt: Instant | null;
  readonly disabledAt: Instant | null;
  readonly accountDisabledAt: Instant | null;
  readonly role: Role;
  readonly lastUsedAt: Instant | null;
}

const nearest = prepareQuery((db, p: ParameterOf<{ id: string }>) =>
  db
    .selectFrom('keyPair')
    .innerJoin('account', 'account.id', 'keyPair.accountId')
    .select([
      'keyPair.id',
      'keyPair.accountId',
      'keyPair.secret',
      'keyPair.canControl',
      'keyPair.plantIds',
      'keyPair.cidrs',
      'keyPair.pending',
      'keyPair.expiresAt',
      'keyPair.disabledAt',
      'keyPair.lastUsedAt',
      'account.disabledAt as accountDisabledAt',
      'account.role',
    ])
    .where('keyPair.id', '=', (eb) =>
      eb.fn.coalesce(
        eb.selectFrom('keyPair').select(eb.fn.max('id').as('id')).where('id', '<=', p('id')),
        eb.selectFrom('keyPair').select(eb.fn.min('id').as('id')),
      ),
    ),
);

/**
 * The key pair with a KeyID or, for an unknown one, some other key pair: reading a row takes longer than reading none, and the
 * difference would reveal which KeyIDs exist. The caller must compare the ids and check the state of the key. Undefined if there are no key pairs at all.
 */
export async function findNearestSigningKey(
  db: Db,
  keyId: string,
): Promise<SigningKey | undefined> {
  const [row] = await nearest(db, { id: keyId });
  return (
    row && {
      ...row,
      canControl: row.canControl === 1,
      pending: row.pending === 1,
      plantIds: listOf(row.plantIds),
      cidrs: listOf(row.cidrs),
    }
  );
}

/** The caller behind a request signed with this key. */
export const callerOfKey = (key: SigningKey): UserCaller => ({
  kind: 'user',
  accountId: key.accountId,
  keyId: key.id,
  canControl: key.canControl,
  plantIds: key.plantIds,
});

const TOUCH_INTERVAL_MS = 60_000;

/** Records when, from where and for what a key was last used, at most once a minute. */
export async function touchKey(
  db: Db,
  key: SigningKey,
  use: { at: Instant; address: string; path: string },
): Promise<void> {
  if (key.lastUsedAt !== null && use.at - key.lastUsedAt < TOUCH_INTERVAL_MS) return;
  await db
    .updateTable('keyPair')
    .set({ lastUsedAt: use.at, lastUsedAddress: use.address, lastUsedPath: use.path })
    .where('id', '=', key.id)
    .where((eb) =>
      eb.or([eb('lastUsedAt', 'is', null), eb('lastUsedAt', '<=', use.at - TOUCH_INTERVAL_MS)]),
    )
    .execute();
}
