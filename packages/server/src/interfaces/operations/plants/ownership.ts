import type { Caller } from '../../../identity/accounts/caller.ts';
import { resumeAlarms } from '../../../outbound/alarms/resume.ts';
import { bringBackDevices } from '../../../fleet/devices/bring-back.ts';
import { Failure, refusedNow } from '../../../platform/kernel/failure.ts';
import { isSameMailbox } from '../../../platform/kernel/addresses/mailbox.ts';
import { listAccess, reachOf } from '../../../fleet/plants/access.ts';
import { listArchived, restorePlant } from '../../../fleet/plants/archived.ts';
import { getEnded } from '../../../fleet/plants/ended-access.ts';
import { invite } from '../../../fleet/plants/invitations/invite.ts';
import { zoneOf } from '../../../fleet/plants/position-zone.ts';
import { currencyOf } from '../../../fleet/plants/zone-currency.ts';
import { change } from '../act.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { ownPlants, plantOf } from '../rights/plants.ts';

/** Plants that change hands, and those that are put aside and brought back. */
export function createPlantOwnership(
  deps: OperationDependencies,
): HandlersOf<`plant/${'offer' | 'restore' | 'archived' | 'ended' | 'zone'}`> {
  return {
    'plant/offer': async (caller, { plantId, email, keep }, once) =>
      change(deps, caller, once, plantOf({ id: plantId }), async (trx, act, plant) => {
        const owner = (await listAccess(trx, plantId)).find(({ level }) => level === 'owner');
        if (owner && isSameMailbox(owner.email, email))
          throw refusedNow('email', 'an owner other than the current one');
        return {
          invitationId: await invite(trx, act, {
            plantId,
            fromAccountId: plant.ownerId,
            to: { email },
            kind: 'owner',
            level: keep,
          }),
        };
      }),

    'plant/restore': async (caller, { plantId }, once) =>
      change(deps, caller, once, ownPlants, async (trx, act, ownerId) => {
        const archivedAt = await restorePlant(trx, act, ownerId, plantId);
        const { bound, elsewhere } = await bringBackDevices(
          trx,
          act,
          { id: plantId, ownerId },
          archivedAt,
        );
        await resumeAlarms(trx, act, bound, archivedAt);
        return { bound: bound.length, elsewhere };
      }),

    'plant/archived': async (caller, page) => listArchived(deps.db, managerOf(caller), page),

    async 'plant/ended'(caller, { plantId }) {
      const { accountId } = reachOf(caller, 'read');
      if (accountId === null) throw new Failure('noPermission');
      return getEnded(deps.db, accountId, plantId);
    },

    async 'plant/zone'(_caller, position) {
      const timeZone = zoneOf(position);
      return { timeZone, currency: timeZone && currencyOf(timeZone) };
    },
  };
}

/** The account whose plants a caller manages. Throws noPermission. */
function managerOf(caller: Caller): string {
  const { accountId } = reachOf(caller, 'manage');
  if (accountId === null) throw new Failure('noPermission');
  return accountId;
}
