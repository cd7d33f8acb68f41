import { sql } from 'kysely';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { contains } from '../../platform/storage/text-search.ts';
import type { Account, Role } from './accounts.ts';

export interface AccountSearch {
  readonly search?: string | undefined;
  readonly role?: Role | undefined;
  readonly state?: 'active' | 'disabled' | undefined;
  readonly pageNo: number;
  readonly pageSize: number;
}

/** An account with what protects it and where it is used. */
export interface AccountMatch extends Omit<
  Account,
  'timeZone' | 'language' | 'closedAt' | 'removeAt'
> {
  readonly hasSecondFactor: boolean;
  readonly sessions: number;
  readonly lastAt: Instant | null;
}

/** A page of the accounts that are searched for, by e-mail address, and how many there are in all. */
export async function searchAccounts(
  db: Db,
  now: Instant,
  { search, role, state, pageNo, pageSize }: AccountSearch,
) {
  let found = db.selectFrom('account');
  if (search !== undefined) found = found.where(contains(['email', 'name'], search));
  if (role !== undefined) found = found.where('role', '=', role);
  if (state !== undefined)
    found = found.where('disabledAt', state === 'active' ? 'is' : 'is not', null);
  const { total } = await found
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await found
    .select(['id', 'email', 'name', 'role', 'createdAt', 'disabledAt'])
    .select((eb) => {
      const living = eb
        .selectFrom('session')
        .whereRef('session.accountId', '=', 'account.id')
        .where('session.expiresAt', '>', now);
      const has = (table: 'totp' | 'passkey') =>
        eb
          .selectFrom(table)
          .select(sql<number>`count(*)`.as('amount'))
          .whereRef(`${table}.accountId`, '=', 'account.id');
      return [
        living
          .select(sql<number>`count(*)`.as('amount'))
          .$asScalar()
          .$notNull()
          .as('sessions'),
        living
          .select((one) => one.fn.max<number | null>('session.lastAt').as('lastAt'))
          .$asScalar()
          .as('lastAt'),
        has('totp').where('totp.confirmedAt', 'is not', null).$asScalar().$notNull().as('apps'),
        has('passkey').$asScalar().$notNull().as('passkeys'),
      ];
    })
    .orderBy('email')
    .limit(pageSize)
    .offset((pageNo - 1) * pageSize)
    .execute();
  const records = rows.map(({ apps, passkeys, ...row }): AccountMatch => ({
    ...row,
    hasSecondFactor: apps + passkeys > 0,
  }));
  return { records, total, pageNo, pageSize };
}

/** How many accounts may log in, how many are disabled, and how many have a session at the portal. */
export async function countAccounts(
  db: Db,
  now: Instant,
): Promise<{ active: number; disabled: number; loggedIn: number }> {
  const { all, disabled } = await db
    .selectFrom('account')
    .select((eb) => [
      eb.fn.countAll<number>().as('all'),
      eb.fn.count<number>('disabledAt').as('disabled'),
    ])
    .executeTakeFirstOrThrow();
  const { loggedIn } = await db
    .selectFrom('session')
    .select((eb) => eb.fn.count<number>('accountId').distinct().as('loggedIn'))
    .where('entrance', '=', 'portal')
    .where('expiresAt', '>', now)
    .executeTakeFirstOrThrow();
  return { active: all - disabled, disabled, loggedIn };
}
