import type { PastSupport } from '@helioport/contract';
import { Failure } from '../../platform/kernel/failure.ts';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { lockBound, withinBounds } from '../../platform/storage/bounds/within.ts';
import { findEmails } from './accounts.ts';
import { recordAudit, type Act } from './audit.ts';
import { admitSending } from './sending.ts';

/** How long a permission lasts. */
export const SUPPORT_MS = 3_600_000;

/** The permissions that count at an instant; those of disabled accounts do not. */
const living = (db: Db, now: Instant) =>
  db
    .selectFrom('supportPermission as permission')
    .innerJoin('account', 'account.id', 'permission.accountId')
    .select([
      'permission.id',
      'permission.accountId',
      'permission.createdAt',
      'permission.expiresAt',
      'account.email',
      'account.name',
    ])
    .where('permission.expiresAt', '>', now)
    .where('permission.endedAt', 'is', null)
    .where('account.disabledAt', 'is', null);

export const findLivingSupport = (db: Db, now: Instant, id: string) =>
  living(db, now).where('permission.id', '=', id).executeTakeFirst();

/** The permission that an account has given and that counts now. */
export const supportOf = (db: Db, now: Instant, accountId: string) =>
  living(db, now)
    .where('permission.accountId', '=', accountId)
    .orderBy('permission.id', 'desc')
    .limit(1)
    .executeTakeFirst();

export const listLivingSupport = (db: Db, now: Instant) =>
  living(db, now).orderBy('permission.id').execute();

/** Lets operators look for an hour; what the account has permitted before ends. */
export async function allowSupport(
  trx: Db,
  act: Act,
  accountId: string,
): Promise<{ id: string; createdAt: Instant; expiresAt: Instant }> {
  await admitSending(trx, act.at, 'support', { by: accountId, to: [] });
  // Two at once would end neither's.
  await lockBound(trx, 'supportPermissions', { accountId });
  await trx
    .updateTable('supportPermission')
    .set({ endedAt: act.at, endedBy: 'owner' })
    .where('accountId', '=', accountId)
    .where('endedAt', 'is', null)
    .where('expiresAt', '>', act.at)
    .execute();
  await withinBounds(trx, 'supportPermissions', { accountId }, act);
  const permission = { id: act.newId(), createdAt: act.at, expiresAt: act.at + SUPPORT_MS };
  await trx
    .insertInto('supportPermission')
    .values({ ...permission, accountId, endedAt: null, endedBy: null })
    .execute();
  await recordAudit(trx, act, {
    kind: 'support.allowed',
    accountId,
    data: { permissionId: permission.id, expiresAt: permission.expiresAt },
  });
  return permission;
}

/** Ends a permission; `accountId`: only one that this account has given, null = anybody's. Throws noPermission if there is none that counts. */
export async function endSupport(
  trx: Db,
  act: Act,
  id: string,
  accountId: string | null,
): Promise<void> {
  let permissions = trx
    .updateTable('supportPermission')
    .set({ endedAt: act.at, endedBy: accountId === null ? 'operator' : 'owner' })
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .where('expiresAt', '>', act.at);
  if (accountId !== null) permissions = permissions.where('accountId', '=', accountId);
  const ended = await permissions.returning('accountId').executeTakeFirst();
  if (!ended) throw new Failure('noPermission', { message: 'no such permission, or it has ended' });
  await recordAudit(trx, act, {
    kind: 'support.ended',
    accountId: ended.accountId,
    data: { permissionId: id },
  });
}

/** Something that an operator is about to look at. */
export interface Look {
  readonly permissionId: string;
  /** Whose permission it is. */
  readonly accountId: string;
  readonly operatorId: string;
  readonly operation: string;
  readonly subject: string;
}

/** Records a look before it is answered; the first of its kind under a permission is in the owner's audit trail too. */
export async function recordLook(db: Db, act: Act, { accountId, ...look }: Look): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('supportLook')
      .values({ ...look, firstAt: act.at, lastAt: act.at, count: 1 })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows === 0n) {
      const { permissionId, operatorId, operation, subject } = look;
      await trx
        .updateTable('supportLook')
        .set((eb) => ({ lastAt: act.at, count: eb('count', '+', 1) }))
        .where((eb) => eb.and({ permissionId, operatorId, operation, subject }))
        .execute();
      return;
    }
    const { permissionId, operation, subject } = look;
    await recordAudit(trx, act, {
      kind: 'support.looked',
      accountId,
      data: { permissionId, operation, ...(subject !== '' && { subject }) },
    });
  });
}

const PERMISSIONS_SHOWN = 10;
const LOOKS_SHOWN = 500;

/** The latest permissions that an account has given, newest first, with what was looked at. */
export async function listSupport(db: Db, accountId: string): Promise<PastSupport[]> {
  const permissions = await db
    .selectFrom('supportPermission')
    .select(['id', 'createdAt', 'expiresAt', 'endedAt', 'endedBy'])
    .where('accountId', '=', accountId)
    .orderBy('id', 'desc')
    .limit(PERMISSIONS_SHOWN)
    .execute();
  const looks = await db
    .selectFrom('supportLook')
    .selectAll()
    .where(
      anyOf(
        db,
        'permissionId',
        listParameter(
          db,
          permissions.map(({ id }) => id),
        ),
      ),
    )
    // The latest are never those that are left out.
    .orderBy('lastAt', 'desc')
    .orderBy('operation')
    .orderBy('subject')
    .limit(LOOKS_SHOWN)
    .execute();
  const emails = await findEmails(
    db,
    looks.map(({ operatorId }) => operatorId),
  );
  return permissions.map((permission) => ({
    ...permission,
    looks: looks
      .filter(({ permissionId }) => permissionId === permission.id)
      .map(({ operatorId, operation, subject, firstAt, lastAt, count }) => ({
        operator: emails.get(operatorId) ?? operatorId,
        operation,
        subject,
        firstAt,
        lastAt,
        count,
      })),
  }));
}

/** Deletes at most `limit` permissions, with their looks, that ended before an instant; returns how many. */
export async function sweepSupport(db: Db, before: Instant, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('supportPermission')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('supportPermission')
        .select('id')
        .where('expiresAt', '<', before)
        .orderBy('expiresAt')
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
