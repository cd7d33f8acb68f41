import { getPlant, listAccess, listAccessOfOwner, reachOf } from '../../../fleet/plants/access.ts';
import { invite } from '../../../fleet/plants/invitations/invite.ts';
import { sharePlant, unsharePlant } from '../../../fleet/plants/shares.ts';
import { invalidValue, refusedNow } from '../../../platform/kernel/failure.ts';
import { isSameMailbox } from '../../../platform/kernel/addresses/mailbox.ts';
import { change } from '../act.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { plantOf, rightOfShare } from '../rights/plants.ts';

/** Shares of plants. A share that an owner gives starts with an invitation; one that the operator gives takes effect at once. */
export function createShareOperations(
  deps: OperationDependencies,
): HandlersOf<'share/list' | 'share/give' | 'share/withdraw'> {
  const { db } = deps;
  return {
    async 'share/list'(caller, { plantId }) {
      if (plantId === undefined) {
        const { accountId } = reachOf(caller, 'manage');
        // The operator of the service has no plants.
        if (accountId === null) throw invalidValue('plantId', 'the id of a plant');
        return listAccessOfOwner(db, accountId);
      }
      await getPlant(db, caller, plantId, 'manage');
      return listAccess(db, plantId);
    },

    'share/give': async (caller, { plantId, email, level = 'read' }, once) =>
      change(deps, caller, once, plantOf({ id: plantId }), async (trx, act, plant) => {
        const known = (await listAccess(trx, plantId)).find(
          ({ email: one, level: own }) => isSameMailbox(one, email) && own !== null,
        );
        if (known?.level === 'owner') throw refusedNow('email', 'somebody other than the owner');
        // Somebody who has accepted a share need not accept a change of its level.
        if (caller.kind === 'operator' || known) {
          await sharePlant(trx, act, plantId, known?.email ?? email, level);
          return { invitationId: null };
        }
        return {
          invitationId: await invite(trx, act, {
            plantId,
            fromAccountId: plant.ownerId,
            to: { email },
            kind: 'share',
            level,
          }),
        };
      }),

    'share/withdraw': async (caller, { plantId, email }, once) =>
      change(deps, caller, once, rightOfShare(plantId, email), (trx, act) =>
        unsharePlant(trx, act, plantId, email),
      ),
  };
}
