import type { AuditKind, CompanyMember, CompanyRole } from '@helioport/contract';
import { sql, type Selectable } from 'kysely';
import { recordAudits, type Act, type AuditData } from '../../../identity/accounts/audit.ts';
import { Failure, refusedNow } from '../../../platform/kernel/failure.ts';
import { Overtaken } from '../../../platform/storage/away.ts';
import type { CompanyMemberTable, Db } from '../../../platform/storage/database.ts';
import { withinBounds } from '../../../platform/storage/bounds/within.ts';
import { lockPlants, waitForLockOfAll } from '../lock.ts';

/** Somebody’s place in a company. */
export type Membership = Selectable<CompanyMemberTable>;

/** The company to which an account belongs; undefined = none. */
export const findMembership = (db: Db, accountId: string): Promise<Membership | undefined> =>
  db.selectFrom('companyMember').selectAll().where('accountId', '=', accountId).executeTakeFirst();

/** The membership of an account. Throws noPermission if it belongs to no company. */
export async function getMembership(db: Db, accountId: string): Promise<Membership> {
  const membership = await findMembership(db, accountId);
  if (!membership) throw new Failure('noPermission', { message: 'no company' });
  return membership;
}

/** The company that an account manages, locked until the transaction ends. Throws noPermission. */
export async function lockManaged(trx: Db, accountId: string): Promise<Membership> {
  const { companyId } = await getMembership(trx, accountId);
  await lockCompany(trx, companyId);
  // It may have lost the role while we waited.
  const membership = await findMembership(trx, accountId);
  if (membership?.companyId !== companyId || membership.role !== 'manager')
    throw new Failure('noPermission', { message: 'only for managers of the company' });
  return membership;
}

/** Locks a company until the transaction ends: an update that changes nothing. Plants are locked before, never after. Throws noPermission. */
export async function lockCompany(trx: Db, companyId: string): Promise<string> {
  const company = await trx
    .updateTable('company')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('id', '=', companyId)
    .returning('name')
    .executeTakeFirst();
  if (!company) throw new Failure('noPermission');
  return company.name;
}

/**
 * Locks a company with all its plants until the transaction ends, so that those of others can be changed meanwhile; returns its name. If it gets a plant at
 * that moment, the transaction starts over. Throws noPermission.
 */
export async function lockWithPlants(trx: Db, companyId: string): Promise<string> {
  const plantsOf = async (): Promise<string[]> =>
    (
      await trx
        .selectFrom('companyPlant')
        .select('plantId')
        .where('companyId', '=', companyId)
        .execute()
    ).map(({ plantId }) => plantId);
  // A writer that closes an account, or makes it one that sees no plants, has locked all of them; a company may have none.
  await waitForLockOfAll(trx);
  const known = await plantsOf();
  await lockPlants(trx, known);
  const name = await lockCompany(trx, companyId);
  const locked = new Set(known);
  if ((await plantsOf()).some((id) => !locked.has(id)))
    throw new Overtaken('the company has got another plant');
  return name;
}

/** Founds a company with an account as its manager; returns its id. Throws invalidValue if the account belongs to one. */
export async function foundCompany(
  trx: Db,
  act: Act,
  accountId: string,
  name: string,
): Promise<string> {
  const companyId = act.newId();
  await trx
    .insertInto('company')
    .values({ id: companyId, name: nameOf(name), createdAt: act.at })
    .execute();
  await addMember(trx, act, { accountId, companyId, role: 'manager' }, 'name');
  await recordCompany(trx, act, 'company.founded', [accountId], { companyId, name: nameOf(name) });
  return companyId;
}

export async function renameCompany(
  trx: Db,
  act: Act,
  { companyId, accountId }: Membership,
  name: string,
): Promise<void> {
  await trx
    .updateTable('company')
    .set({ name: nameOf(name) })
    .where('id', '=', companyId)
    .execute();
  await recordCompany(trx, act, 'company.renamed', [accountId], { companyId, name: nameOf(name) });
}

const nameOf = (name: string): string => name.trim();

/** Adds somebody to a company. Throws invalidValue for `field` if they belong to one already, and for somebody too many. */
export async function addMember(
  trx: Db,
  act: Act,
  member: Omit<Membership, 'createdAt'>,
  field: string,
): Promise<void> {
  await withinBounds(trx, 'companyMembers', { companyId: member.companyId }, act);
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('companyMember')
    .values({ ...member, createdAt: act.at })
    .onConflict((conflict) => conflict.column('accountId').doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n)
    throw refusedNow(
      field,
      'somebody who belongs to no company: an account belongs to one at most',
    );
}

/** Who belongs to a company, the longest-standing first. */
export const listMembers = (db: Db, companyId: string): Promise<CompanyMember[]> =>
  db
    .selectFrom('companyMember')
    .innerJoin('account', 'account.id', 'companyMember.accountId')
    .select([
      'account.id as accountId',
      'account.email',
      'account.name',
      'companyMember.role',
      'companyMember.createdAt',
    ])
    .where('companyMember.companyId', '=', companyId)
    .orderBy('companyMember.createdAt')
    .orderBy('account.id')
    .execute();

/** A company as the operator sees it. */
export interface KnownCompany {
  readonly id: string;
  readonly name: string;
  readonly people: number;
  readonly plants: number;
  /** One of its managers. */
  readonly manager: string | null;
  readonly createdAt: number;
}

/** All companies, oldest first. */
export const listCompanies = (db: Db): Promise<KnownCompany[]> =>
  db
    .selectFrom('company as c')
    .select(['c.id', 'c.name', 'c.createdAt'])
    .select((eb) => [
      eb
        .selectFrom('companyMember as m')
        .select(sql<number>`count(*)`.as('n'))
        .whereRef('m.companyId', '=', 'c.id')
        .$asScalar()
        .$notNull()
        .as('people'),
      eb
        .selectFrom('companyPlant as p')
        .select(sql<number>`count(*)`.as('n'))
        .whereRef('p.companyId', '=', 'c.id')
        .$asScalar()
        .$notNull()
        .as('plants'),
      eb
        .selectFrom('companyMember as m')
        .innerJoin('account as a', 'a.id', 'm.accountId')
        .select(sql<string>`min(a.email)`.as('email'))
        .whereRef('m.companyId', '=', 'c.id')
        .where('m.role', '=', 'manager')
        .$asScalar()
        .as('manager'),
    ])
    .orderBy('c.id')
    .execute();

type CompanyEvent = Extract<AuditKind, `company.${string}`>;

/** Records what happened in a company in the audit trail of everybody concerned, once each. */
export const recordCompany = (
  trx: Db,
  act: Act,
  kind: CompanyEvent,
  accountIds: readonly string[],
  data: AuditData,
): Promise<void> =>
  recordAudits(
    trx,
    act,
    [...new Set(accountIds)].map((accountId) => ({ kind, accountId, data })),
  );

/** Changes what a member may do in the company. Throws invalidValue if no manager would be left. */
export async function changeCompanyRole(
  trx: Db,
  act: Act,
  { companyId, accountId, role: before }: Membership,
  role: CompanyRole,
): Promise<void> {
  if (role === before) return;
  if (before === 'manager') await requireOtherManager(trx, companyId, accountId);
  await trx.updateTable('companyMember').set({ role }).where('accountId', '=', accountId).execute();
  await recordCompany(trx, act, 'company.roleChanged', [accountId], { companyId, role });
}

/** Refuses what would leave a company without a manager, also one of a single person, whom others may join. Throws invalidValue. */
export async function requireOtherManager(
  trx: Db,
  companyId: string,
  accountId: string,
): Promise<void> {
  const others = (await listMembers(trx, companyId)).filter((one) => one.accountId !== accountId);
  if (!others.some(({ role }) => role === 'manager'))
    throw refusedNow(
      'email',
      'somebody who is not the last manager: make another member a manager first',
    );
}
