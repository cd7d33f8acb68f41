import { findAccount } from '../../../identity/accounts/accounts.ts';
import { oneSubjectOf } from '../../../identity/accounts/subject.ts';
import {
  acceptInvitation,
  declineInvitation,
  withdrawInvitation,
} from '../../../fleet/plants/invitations/answers.ts';
import { revokeTokensIn } from '../../../fleet/collectors/tokens.ts';
import { listOffers } from '../../../fleet/plants/companies/invitations.ts';
import { countOpen, listInvitations } from '../../../fleet/plants/invitations/list.ts';
import { change } from '../act.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { endFormerControl } from '../plants/changed-hands.ts';
import { answererOf, rightOfSender } from '../rights/plants.ts';

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
      change(deps, caller, once, answererOf(id), async (trx, act, answerer) => {
        const { plantId, changedHands } = await acceptInvitation(trx, act, id, answerer, {
          forCompany,
          withoutSender,
        });
        if (changedHands) await endFormerControl(trx, act, plantId);
        if (withoutSender) await revokeTokensIn(trx, act, plantId);
      }),

    'invitation/decline': async (caller, { id }, once) =>
      change(deps, caller, once, answererOf(id), (trx, act, answerer) =>
        declineInvitation(trx, act, id, answerer),
      ),

    'invitation/withdraw': async (caller, { id }, once) =>
      change(deps, caller, once, rightOfSender(id), async (trx, act, sender) => {
        await withdrawInvitation(trx, act, id, sender);
      }),
  };
}
