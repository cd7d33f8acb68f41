import type { Act } from '../accounts/audit.ts';
import { disableKeyPair, listKeyPairs } from '../accounts/key-pairs.ts';
import type { Db } from '../../platform/storage/database.ts';
import { listGrants, revokeGrant } from './grants.ts';

/** Disables every key pair and ends every authorization of an account, from the next request on. For use after a password has leaked. */
export async function endAllAccess(trx: Db, act: Act, accountId: string): Promise<void> {
  for (const { keyId, disabledAt } of await listKeyPairs(trx, accountId))
    if (disabledAt === null) await disableKeyPair(trx, act, keyId, accountId);
  for (const { id, revokedAt } of await listGrants(trx, accountId))
    if (revokedAt === null) await revokeGrant(trx, act, id, accountId);
}
