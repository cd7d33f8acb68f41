import { operations, type Operation, type OperationId } from '@helioport/contract';
import type { UserCaller } from '../../identity/accounts/caller.ts';
import type { Operations } from './index.ts';
import { inputOf } from './input.ts';

/** Asks operations as an account would in the portal: resolves to our own records, also for operations that existing clients are answered in another form. For the service’s own work on behalf of the account. */
export const askAs =
  (handlers: Operations) =>
  (accountId: string) =>
  async (id: OperationId, body: Record<string, unknown>): Promise<unknown> => {
    const caller: UserCaller = {
      kind: 'user',
      accountId,
      keyId: null,
      canControl: true,
      plantIds: null,
    };
    const operation = operations[id] as unknown as Operation<never, unknown>;
    const output = await handlers[id](caller, inputOf(operation, body) as never);
    return operation.own ? operation.response.project(output) : output;
  };
