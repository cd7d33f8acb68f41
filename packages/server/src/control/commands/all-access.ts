import { endRequests } from '../../identity/accounts/accounts.ts';
import type { Act } from '../../identity/accounts/audit.ts';
import { disableKeyPair, listKeyPairs } from '../../identity/accounts/key-pairs.ts';
import { listGrants, revokeGrant } from '../../identity/oauth/grants.ts';
import type { Db } from '../../platform/storage/database.ts';
import { armTasks } from '../../platform/work/arm.ts';
import { COMMAND_TIME } from './open-commands.ts';

/**
 * Disables every key pair and ends every authorization of an account, from the next request on, and whatever was asked for with its access before
 * and still waits for its device. For use after a password has leaked.
 */
export async function endAllAccess(trx: Db, act: Act, accountId: string): Promise<void> {
  await endRequests(trx, act, accountId);
  for (const { keyId, disabledAt } of await listKeyPairs(trx, accountId))
    if (disabledAt === null) await disableKeyPair(trx, act, keyId, accountId);
  for (const { id, revokedAt } of await listGrants(trx, accountId))
    if (revokedAt === null) await revokeGrant(trx, act, id, accountId);
  // Nothing of it is handed over from now on (rights.ts). The lane of each device says so, under the lock of the device.
  const waiting = await trx
    .selectFrom('command')
    .select('deviceId')
    .where('accountId', '=', accountId)
    .where('endedAt', 'is', null)
    .distinct()
    .orderBy('deviceId')
    .execute();
  await armTasks(
    trx,
    COMMAND_TIME,
    waiting.map(({ deviceId }) => deviceId),
    act.at,
  );
}
