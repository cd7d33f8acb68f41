import type { Act } from '../../accounts/audit.ts';
import type { Db } from '../../storage/database.ts';

/** Ends what was offered about a plant and not answered: the plant is about to change hands, or to end. */
export const endInvitations = (trx: Db, act: Act, plantId: string): Promise<unknown> =>
  trx.updateTable('invitation').set({ state: 'withdrawn', answeredAt: act.at }).where('plantId', '=', plantId).where('state', '=', 'open').execute();
