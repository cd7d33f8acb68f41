import type { CompanyMember } from '@helioport/contract';
import { findAccount } from '../../../identity/accounts/accounts.ts';
import type { Act } from '../../../identity/accounts/audit.ts';
import { Failure } from '../../../platform/kernel/failure.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { countIn, countOut } from '../fleet/counters.ts';
import { grantByCompany, withdrawByCompany } from './access.ts';
import {
  addMember,
  findMembership,
  listMembers,
  lockCompany,
  recordCompany,
  requireOtherManager,
  type Membership,
} from './companies.ts';

/** Lets somebody into a company, who then sees its plants. The company must be locked with its plants. Throws noPermission, invalidValue. */
export async function joinCompany(
  trx: Db,
  act: Act,
  member: Omit<Membership, 'createdAt'>,
  invitedBy: string,
): Promise<void> {
  const { accountId, companyId, role } = member;
  const account = await findAccount(trx, accountId);
  if (!account || account.disabledAt !== null || account.role === 'operator')
    throw new Failure('noPermission');
  await addMember(trx, act, member, 'id');
  await grantByCompany(trx, { companyId, accountId }, act.at);
  await countIn(trx, { companyId, accountId });
  await recordCompany(trx, act, 'company.joined', [accountId, invitedBy], {
    companyId,
    accountId,
    role,
  });
}

/**
 * Ends a membership: what the account may by its company ends from the next request on. Plants that it gave to the company stay there. The
 * company must be locked with its plants. `by` is in whose audit trail it appears, too. Throws invalidValue for the last manager of others.
 */
export async function leaveCompany(
  trx: Db,
  act: Act,
  { accountId, companyId, role: own }: Membership,
  by: readonly string[] = [],
): Promise<void> {
  const others = (await listMembers(trx, companyId)).filter((one) => one.accountId !== accountId);
  if (others.length === 0) return dissolveCompany(trx, act, companyId);
  if (own === 'manager') await requireOtherManager(trx, companyId, accountId);
  const heir = await ensureManager(trx, act, companyId, others);
  await endInstalling(trx, companyId, [accountId], heir.accountId);
  await endMemberships(trx, act, { companyId, accountId });
  await trx
    .insertInto('companyFormer')
    .values({ companyId, accountId, leftAt: act.at })
    .onConflict((conflict) =>
      conflict.columns(['companyId', 'accountId']).doUpdateSet({ leftAt: act.at }),
    )
    .execute();
  await recordCompany(trx, act, 'company.left', [accountId, ...by], { companyId, accountId });
}

/** Dissolves a company: what its members may by it ends. It must be locked with its plants. */
export async function dissolveCompany(trx: Db, act: Act, companyId: string): Promise<void> {
  const name = await lockCompany(trx, companyId);
  const people = (await listMembers(trx, companyId)).map(({ accountId }) => accountId);
  await endInstalling(trx, companyId, people, null);
  await endMemberships(trx, act, { companyId });
  for (const table of ['companyPlant', 'companyInvitation', 'companyFormer'] as const)
    await trx.deleteFrom(table).where('companyId', '=', companyId).execute();
  await trx.deleteFrom('company').where('id', '=', companyId).execute();
  await recordCompany(trx, act, 'company.dissolved', people, { companyId, name });
}

/**
 * Ends the membership of an account that is being closed. If it is the last manager of others, the longest-standing of them takes over. All plants must
 * be locked.
 */
export async function endMembershipOf(trx: Db, act: Act, accountId: string): Promise<void> {
  const membership = await findMembership(trx, accountId);
  if (!membership) return;
  const { companyId } = membership;
  await lockCompany(trx, companyId);
  const others = (await listMembers(trx, companyId)).filter((one) => one.accountId !== accountId);
  if (others.length > 0) await ensureManager(trx, act, companyId, others);
  await leaveCompany(trx, act, membership);
}

/** A manager among members, the longest-standing first; that one becomes it if none is. */
async function ensureManager(
  trx: Db,
  act: Act,
  companyId: string,
  members: readonly CompanyMember[],
): Promise<CompanyMember> {
  const manager = members.find(({ role }) => role === 'manager');
  if (manager) return manager;
  const heir = members[0]!;
  const { accountId } = heir;
  await trx
    .updateTable('companyMember')
    .set({ role: 'manager' })
    .where('accountId', '=', accountId)
    .execute();
  await recordCompany(trx, act, 'company.roleChanged', [accountId], { companyId, role: 'manager' });
  return heir;
}

async function endMemberships(
  trx: Db,
  act: Act,
  scope: { companyId: string; accountId?: string },
): Promise<void> {
  const { companyId, accountId } = scope;
  await countOut(trx, scope);
  await withdrawByCompany(trx, act, scope);
  await trx
    .deleteFrom('companyMember')
    .where('companyId', '=', companyId)
    .$if(accountId !== undefined, (query) => query.where('accountId', '=', accountId!))
    .execute();
}

/** Names another installer, or none, where some members were for the company. */
const endInstalling = (
  trx: Db,
  companyId: string,
  people: readonly string[],
  installerId: string | null,
): Promise<unknown> =>
  trx
    .updateTable('plant')
    .set({ installerId })
    .where('installerId', 'in', people)
    .where(
      'id',
      'in',
      trx
        .selectFrom('companyPlant')
        .select('plantId')
        .where('companyId', '=', companyId)
        .where('isInstaller', '=', 1),
    )
    .execute();
