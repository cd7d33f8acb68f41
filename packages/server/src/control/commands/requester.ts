import type { Caller } from '../../identity/accounts/caller.ts';
import type { Act } from '../../identity/accounts/audit.ts';
import { Failure } from '../../platform/kernel/failure.ts';
import type { Command } from './life-cycle.ts';

/** The caller that requested a command, as stored with it. */
export type Requester = Pick<
  Command,
  'actor' | 'door' | 'address' | 'accountId' | 'keyId' | 'grantId' | 'tokenFamily'
>;

/** The service itself, when it restores the settings of a device. */
export const SERVICE: Requester = {
  actor: 'service',
  door: 'service',
  address: null,
  accountId: null,
  keyId: null,
  grantId: null,
  tokenFamily: null,
};

export function requesterOf(caller: Caller, { actor, address }: Act): Requester {
  // An application by itself may control nothing, and the console has no plants.
  if (caller.kind === 'client' || caller.kind === 'console') throw new Failure('noPermission');
  const { accountId } = caller;
  const nobody = { actor, address, accountId, keyId: null, grantId: null, tokenFamily: null };
  if (caller.kind === 'operator') return { ...nobody, door: 'operator' };
  if (caller.kind === 'application')
    return { ...nobody, door: 'oauth', grantId: caller.grantId, tokenFamily: caller.tokenFamily };
  return { ...nobody, door: caller.keyId === null ? 'portal' : 'signed', keyId: caller.keyId };
}
