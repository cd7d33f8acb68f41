import { hasDoor, operations, type Door, type OperationId } from '@helioport/contract';
import type { Caller } from '../../identity/accounts/caller.ts';
import { Failure } from '../../platform/kernel/failure.ts';

/** The door through which a caller came in. */
function doorOf(caller: Caller): Door {
  if (caller.kind === 'operator') return 'operator';
  if (caller.kind === 'application') return 'oauth';
  if (caller.kind === 'client' || caller.kind === 'console') return caller.kind;
  if (caller.supporterId !== undefined) return 'support';
  return caller.keyId === null ? 'portal' : 'signed';
}

type AnyHandler = (caller: Caller, ...rest: unknown[]) => Promise<unknown>;

/** Makes handlers refuse callers from doors that the operation does not list, even if a listener has mounted the operation. */
export function atTheirDoors<H extends object>(handlers: H): H {
  const guarded = Object.entries(handlers).map(([id, handler]) => {
    const operation = operations[id as OperationId];
    const handle: AnyHandler = async (caller, ...rest) => {
      if (!hasDoor(operation, doorOf(caller))) throw new Failure('noPermission');
      return (handler as AnyHandler)(caller, ...rest);
    };
    return [id, handle];
  });
  return Object.fromEntries(guarded) as H;
}
