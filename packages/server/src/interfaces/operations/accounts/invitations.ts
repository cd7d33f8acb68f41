import { findAccount } from '../../../identity/accounts/accounts.ts';
import type { Caller } from '../../../identity/accounts/caller.ts';
import { oneSubjectOf, subjectOf } from '../../../identity/accounts/subject.ts';
import { Failure } from '../../../platform/kernel/failure.ts';
import { getPlant, reachOf } from '../../../fleet/plants/access.ts';
import {
  acceptInvitation,
  declineInvitation,
  withdrawInvitation,
  type Answerer,
} from '../../../fleet/plants/invitations/answers.ts';
import { listOffers } from '../../../fleet/plants/companies/invitations.ts';
import { countOpen, listInvitations } from '../../../fleet/plants/invitations/list.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { change } from '../act.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { endFormerControl } from '../plants/changed-hands.ts';

type InvitationOperation = `invitation/${'list' | 'open' | 'accept' | 'decline' | 'withdraw'}`;

/** Invitations: listed by both sides, answered by the invitee, withdrawn by the sender; the operator may act for either. */
export function createInvitationOperations(
  deps: OperationDependencies,
): HandlersOf<InvitationOperation> {
  const { db, clock } = deps;
  return {
    async 'invitation/list'(caller, { email, pageNo, pageSize }) {
      const account = (await findAccount(db, await oneSubjectOf(db, caller, email)))!;
      return listInvitations(db, clock.now(), account, caller.plantIds, { pageNo, pageSize });
    },

    async 'invitation/open'(caller) {
      const account = (await findAccount(db, await oneSubjectOf(db, caller, undefined)))!;
      const [plants, companies] = [
        await countOpen(db, clock.now(), account),
        await listOffers(db, clock.now(), account.email),
      ];
      return { plants, companies: companies.length };
    },

    'invitation/accept': async (caller, { id, forCompany = false, withoutSender = false }, once) =>
      change(deps, caller, once, async (trx, act) => {
        const { plantId, changedHands } = await acceptInvitation(
          trx,
          act,
          id,
          await answererOf(trx, caller),
          { forCompany, withoutSender },
        );
        if (changedHands) await endFormerControl(trx, act, plantId);
      }),

    'invitation/decline': async (caller, { id }, once) =>
      change(deps, caller, once, async (trx, act) =>
        declineInvitation(trx, act, id, await answererOf(trx, caller)),
      ),

    'invitation/withdraw': async (caller, { id }, once) =>
      change(deps, caller, once, async (trx, act) => {
        reachOf(caller, 'manage');
        const { plantId } = await withdrawInvitation(
          trx,
          act,
          id,
          await subjectOf(trx, caller, undefined),
        );
        // A key that is restricted to other plants may not withdraw the invitation.
        if (caller.plantIds !== null) await getPlant(trx, caller, plantId, 'manage');
      }),
  };
}

/**
 * The party that answers an invitation. A key that is restricted to some plants, or to reading, may neither accept nor decline: it would not see the
 * result.
 */
async function answererOf(trx: Db, caller: Caller): Promise<Answerer> {
  if (reachOf(caller, 'manage').plantIds !== null) throw new Failure('noPermission');
  const id = await subjectOf(trx, caller, undefined);
  return id === null ? 'operator' : (await findAccount(trx, id))!;
}
