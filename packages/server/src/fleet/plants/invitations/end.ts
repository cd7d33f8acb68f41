import type { Act } from '../../../identity/accounts/audit.ts';
import type { Db } from '../../../platform/storage/database.ts';

/** Ends the open invitations of a locked plant that is about to change hands or be archived. */
export const endInvitations = (
  trx: Db,
  act: Act,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<unknown> =>
  trx
    .updateTable('invitation')
    .set({ state: 'withdrawn', answeredAt: act.at, plantName: name })
    .where('plantId', '=', id)
    .where('state', '=', 'open')
    .execute();
