import type { Act } from '../../../identity/accounts/audit.ts';
import type { Db } from '../../../platform/storage/database.ts';

/** Ends the open invitations of a plant that is about to change hands or be archived. */
export const endInvitations = (trx: Db, act: Act, plantId: string): Promise<unknown> =>
  trx
    .updateTable('invitation')
    .set({ state: 'withdrawn', answeredAt: act.at })
    .where('plantId', '=', plantId)
    .where('state', '=', 'open')
    .execute();
