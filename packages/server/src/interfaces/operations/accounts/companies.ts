import { findAccountByEmail, normalizeEmail } from '../../../identity/accounts/accounts.ts';
import type { Caller } from '../../../identity/accounts/caller.ts';
import { getNamedAccount, oneSubjectOf, ownAccount } from '../../../identity/accounts/subject.ts';
import { Failure } from '../../../platform/kernel/failure.ts';
import { reachOf } from '../../../fleet/plants/access.ts';
import {
  changeCompanyRole,
  findMembership,
  foundCompany,
  getMembership,
  listCompanies,
  lockCompany,
  lockManaged,
  lockWithPlants,
  renameCompany,
  type Membership,
} from '../../../fleet/plants/companies/companies.ts';
import {
  acceptCompany,
  declineCompany,
  inviteToCompany,
  withdrawFromCompany,
} from '../../../fleet/plants/companies/invitations.ts';
import { dissolveCompany, leaveCompany } from '../../../fleet/plants/companies/members.ts';
import { givePlants } from '../../../fleet/plants/companies/giving.ts';
import { listCompanyPlants, unshareCompany } from '../../../fleet/plants/companies/plants.ts';
import { viewCompany } from '../../../fleet/plants/companies/view.ts';
import { lockPlant } from '../../../fleet/plants/lock.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { change } from '../act.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';

type CompanyOperation =
  `company/${'show' | 'found' | 'rename' | 'invite' | 'accept' | 'decline' | 'withdraw' | 'role' | 'remove' | 'dissolve' | 'give' | 'end' | 'plants' | 'list'}`;

/** Companies: founded and managed by the people in them; the operator may do for them what they cannot do any more. */
export function createCompanyOperations(deps: OperationDependencies): HandlersOf<CompanyOperation> {
  const { db, clock } = deps;
  return {
    'company/show': async (caller, { email }) =>
      viewCompany(db, clock.now(), await oneSubjectOf(db, caller, email)),

    'company/found': async (caller, { name }, once) =>
      change(deps, caller, once, async (trx, act) => ({
        id: await foundCompany(trx, act, (await ownAccount(trx, caller)).id, name),
      })),

    'company/rename': async (caller, { name }, once) =>
      change(deps, caller, once, async (trx, act) =>
        renameCompany(trx, act, await managedBy(trx, caller), name),
      ),

    'company/invite': async (caller, { email, role = 'member' }, once) =>
      change(deps, caller, once, async (trx, act) => ({
        invitationId: await inviteToCompany(
          trx,
          act,
          await managedBy(trx, caller),
          normalizeEmail(email),
          role,
        ),
      })),

    'company/accept': async (caller, { id }, once) =>
      change(deps, caller, once, async (trx, act) =>
        acceptCompany(trx, act, await ownAccount(trx, caller), id),
      ),

    'company/decline': async (caller, { id }, once) =>
      change(deps, caller, once, async (trx, act) =>
        declineCompany(trx, act, await ownAccount(trx, caller), id),
      ),

    'company/withdraw': async (caller, { id }, once) =>
      change(deps, caller, once, async (trx, act) =>
        withdrawFromCompany(trx, act, await managedBy(trx, caller), id),
      ),

    'company/role': async (caller, { email, role }, once) =>
      change(deps, caller, once, async (trx, act) => {
        const manager = caller.kind === 'operator' ? null : await managedBy(trx, caller);
        const member = await colleagueOf(trx, caller, manager, email);
        if (!manager) await lockCompany(trx, member.companyId);
        await changeCompanyRole(trx, act, member, role);
      }),

    'company/remove': async (caller, { email }, once) =>
      change(deps, caller, once, async (trx, act) => {
        if (caller.kind === 'operator')
          return leaveCompany(
            trx,
            act,
            await lockedWith(trx, await colleagueOf(trx, caller, null, email)),
          );
        const own = await ownAccount(trx, caller);
        const membership = await lockedWith(trx, await getMembership(trx, own.id));
        if (own.email === normalizeEmail(email)) return leaveCompany(trx, act, membership);
        const manager = await managedBy(trx, caller);
        return leaveCompany(trx, act, await colleagueOf(trx, caller, manager, email), [
          manager.accountId,
        ]);
      }),

    'company/dissolve': async (caller, { email }, once) =>
      change(deps, caller, once, async (trx, act) => {
        const accountId = await oneSubjectOf(trx, caller, email);
        const { companyId } = await lockedWith(trx, await getMembership(trx, accountId));
        if (caller.kind !== 'operator') await lockManaged(trx, accountId);
        await dissolveCompany(trx, act, companyId);
      }),

    'company/give': async (caller, { plantIds, level }, once) =>
      change(deps, caller, once, async (trx, act) => {
        const { companyId, accountId } = await getMembership(
          trx,
          (await ownAccount(trx, caller)).id,
        );
        return givePlants(trx, act, { companyId, accountId, level, plantIds });
      }),

    'company/end': async (caller, { plantId, companyId }, once) =>
      change(deps, caller, once, async (trx, act) => {
        const plant = await lockPlant(trx, plantId);
        if (
          !(await mayEnd(trx, caller, plant.ownerId, companyId)) ||
          !(await unshareCompany(trx, act, plant, companyId))
        )
          throw new Failure('noPermission');
      }),

    'company/plants': async (caller, page) =>
      listCompanyPlants(
        db,
        (await getMembership(db, (await ownAccount(db, caller)).id)).companyId,
        page,
      ),
    'company/list': () => listCompanies(db),
  };
}

const managedBy = async (trx: Db, caller: Caller): Promise<Membership> =>
  lockManaged(trx, (await ownAccount(trx, caller)).id);

/** A membership whose company is locked with its plants. Throws noPermission if it has ended meanwhile. */
async function lockedWith(trx: Db, { accountId, companyId }: Membership): Promise<Membership> {
  await lockWithPlants(trx, companyId);
  const membership = await findMembership(trx, accountId);
  if (membership?.companyId !== companyId)
    throw new Failure('noPermission', { message: 'no company' });
  return membership;
}

/** Somebody in the company of a manager; for the operator (`manager` null), in any. Throws noPermission, also for an address without an account. */
async function colleagueOf(
  trx: Db,
  caller: Caller,
  manager: Membership | null,
  email: string,
): Promise<Membership> {
  if (!manager) return getMembership(trx, (await getNamedAccount(trx, caller, email)).id);
  const account = await findAccountByEmail(trx, email);
  const membership = account && (await findMembership(trx, account.id));
  if (membership?.companyId !== manager.companyId) throw new Failure('noPermission');
  return membership;
}

async function mayEnd(
  trx: Db,
  caller: Caller,
  ownerId: string,
  companyId: string,
): Promise<boolean> {
  const { accountId } = reachOf(caller, 'manage');
  if (accountId === null || accountId === ownerId) return true;
  const membership = await findMembership(trx, accountId);
  return membership?.companyId === companyId && membership.role === 'manager';
}
