import type { Act } from '../../../identity/accounts/audit.ts';
import { endUnallowed } from '../../../control/commands/cancel.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { endInPlants } from '../../../control/strategies/end.ts';

/** Ends what was under way in a plant on the word of its former owner, or of people whose access has ended with theirs: strategies and commands. The plant and its devices must be locked. */
export async function endFormerControl(trx: Db, act: Act, plantId: string): Promise<void> {
  await endInPlants(trx, act, [plantId], 'the plant has another owner');
  await endUnallowed(trx, act, plantId, 'cancelled');
}
