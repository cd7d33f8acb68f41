import type { Caller } from '../accounts/caller.ts';
import type { Act } from '../accounts/audit.ts';
import { Failure } from '../kernel/failure.ts';
import type { Command } from './life-cycle.ts';

/** Who asked for a command, as stored with it. */
export type Asker = Pick<Command, 'actor' | 'door' | 'address' | 'accountId' | 'keyId' | 'grantId' | 'tokenFamily'>;

/** The service itself, when it gives a device its settings back. */
export const SERVICE: Asker = { actor: 'service', door: 'service', address: null, accountId: null, keyId: null, grantId: null, tokenFamily: null };

export function askerOf(caller: Caller, { actor, address }: Act): Asker {
  // An application by itself may control nothing.
  if (caller.kind === 'client') throw new Failure('noPermission');
  const { accountId } = caller;
  const nobody = { actor, address, accountId, keyId: null, grantId: null, tokenFamily: null };
  if (caller.kind === 'operator') return { ...nobody, door: 'operator' };
  if (caller.kind === 'application') return { ...nobody, door: 'oauth', grantId: caller.grantId, tokenFamily: caller.tokenFamily };
  return { ...nobody, door: caller.keyId === null ? 'portal' : 'signed', keyId: caller.keyId };
}
