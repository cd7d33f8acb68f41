import { findAccountByEmail } from '../../../identity/accounts/accounts.ts';
import type { Caller } from '../../../identity/accounts/caller.ts';
import { getNamedAccount, oneSubjectOf, namedAccount } from '../../../identity/accounts/subject.ts';
import { Failure } from '../../../platform/kernel/failure.ts';
import { isSameMailbox } from '../../../platform/kernel/addresses/mailbox.ts';
import {
  changeCompanyRole,
  findMembership,
  foundCompany,
  getMembership,
  listCompanies,
  lockCompany,
  lockManaged,
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
import { logoOf, setLogo } from '../../../fleet/plants/companies/logo.ts';
import { viewCompany } from '../../../fleet/plants/companies/view.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { change } from '../act.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import {
  invited,
  manager,
  managerOrOperator,
  membershipOf,
  ownAccount as heldAccount,
  sharedWith,
} from '../rights/accounts.ts';

type CompanyOperation =
  `company/${'show' | 'found' | 'rename' | 'logo' | 'invite' | 'accept' | 'decline' | 'withdraw' | 'role' | 'remove' | 'dissolve' | 'give' | 'end' | 'plants' | 'list'}`;

/** Companies: founded and managed by the people in them; the operator may do for them what they cannot do any more. */
export function createCompanyOperations(deps: OperationDependencies): HandlersOf<CompanyOperation> {
  const { db, clock } = deps;
  return {
    'company/show': async (caller, { email }) =>
      viewCompany(db, clock.now(), await oneSubjectOf(db, caller, email)),

    'company/found': async (caller, { name }, once) =>
      change(deps, caller, once, heldAccount, async (trx, act, account) => ({
        id: await foundCompany(trx, act, account.id, name),
      })),

    'company/rename': async (caller, { name }, once) =>
      change(deps, caller, once, manager, (trx, act, own) => renameCompany(trx, act, own, name)),

    async 'company/logo'(caller, { image }, once) {
      const logo = image === undefined ? null : logoOf(image);
      return change(deps, caller, once, manager, (trx, act, own) => setLogo(trx, act, own, logo));
    },

    'company/invite': async (caller, { email, role = 'member' }, once) =>
      change(deps, caller, once, manager, async (trx, act, own) => ({
        invitationId: await inviteToCompany(trx, act, own, email, role),
      })),

    'company/accept': async (caller, { id }, once) =>
      change(deps, caller, once, invited, (trx, act, account) =>
        acceptCompany(trx, act, account, id),
      ),

    'company/decline': async (caller, { id }, once) =>
      change(deps, caller, once, invited, (trx, act, account) =>
        declineCompany(trx, act, account, id),
      ),

    'company/withdraw': async (caller, { id }, once) =>
      change(deps, caller, once, manager, (trx, act, own) =>
        withdrawFromCompany(trx, act, own, id),
      ),

    'company/role': async (caller, { email, role }, once) =>
      change(deps, caller, once, managerOrOperator, async (trx, act, own) => {
        if (!own) await lockCompany(trx, (await colleagueOf(trx, caller, null, email)).companyId);
        await changeCompanyRole(trx, act, await colleagueOf(trx, caller, own, email), role);
      }),

    'company/remove': async (caller, { email }, once) =>
      change(deps, caller, once, membershipOf(leaverOf(email)), async (trx, act, membership) => {
        if (caller.kind === 'operator') return leaveCompany(trx, act, membership);
        const own = await namedAccount(trx, caller);
        if (isSameMailbox(own.email, email)) return leaveCompany(trx, act, membership);
        const by = await lockManaged(trx, own.id);
        return leaveCompany(trx, act, await colleagueOf(trx, caller, by, email), [by.accountId]);
      }),

    'company/dissolve': async (caller, { email }, once) =>
      change(
        deps,
        caller,
        once,
        membershipOf((trx, by) => oneSubjectOf(trx, by, email)),
        async (trx, act, { companyId, accountId }) => {
          if (caller.kind !== 'operator') await lockManaged(trx, accountId);
          await dissolveCompany(trx, act, companyId);
        },
      ),

    'company/give': async (caller, { plantIds, level }, once) =>
      change(deps, caller, once, invited, async (trx, act, account) => {
        const { companyId, accountId } = await getMembership(trx, account.id);
        return givePlants(trx, act, { companyId, accountId, level, plantIds });
      }),

    'company/end': async (caller, { plantId, companyId }, once) =>
      change(deps, caller, once, sharedWith(plantId, companyId), async (trx, act, plant) => {
        if (!(await unshareCompany(trx, act, plant, companyId))) throw new Failure('noPermission');
      }),

    'company/plants': async (caller, page) =>
      listCompanyPlants(
        db,
        (await getMembership(db, (await namedAccount(db, caller)).id)).companyId,
        page,
      ),
    'company/list': () => listCompanies(db),
  };
}

/** Whose membership a removal begins with: of the operator's, the person who is named; else one's own. */
const leaverOf =
  (email: string) =>
  async (trx: Db, caller: Caller): Promise<string> =>
    (caller.kind === 'operator'
      ? await getNamedAccount(trx, caller, email)
      : await namedAccount(trx, caller)
    ).id;

/** Somebody in the company of a manager; for the operator (`by` null), in any. Throws noPermission, also for an address without an account. */
async function colleagueOf(
  trx: Db,
  caller: Caller,
  by: Membership | null,
  email: string,
): Promise<Membership> {
  if (!by) return getMembership(trx, (await getNamedAccount(trx, caller, email)).id);
  const account = await findAccountByEmail(trx, email);
  const membership = account && (await findMembership(trx, account.id));
  if (membership?.companyId !== by.companyId) throw new Failure('noPermission');
  return membership;
}
