import {
  errors,
  operations as declarations,
  type ErrorCode,
  type OperationIdBy,
  type OutputOfOperation,
  type WireRequest,
} from '@helioport/contract';
import { getAccountByEmail } from '../../identity/accounts/accounts.ts';
import type { OperatorCaller } from '../../identity/accounts/caller.ts';
import { Failure } from '../../platform/kernel/failure.ts';
import { inTransaction } from '../../platform/storage/transactions/transaction.ts';
import type { OperationDependencies } from './dependencies.ts';
import { createOperations } from './index.ts';
import { inputOf } from './input.ts';

type OperatorOperation = OperationIdBy<'operator'>;

/** A request whose undefined parameters count as not sent. */
type Sent<R> = { readonly [K in keyof R]: R[K] | undefined };

/**
 * The entry point of the operator's commands. It has no listener and asks for no credentials, since a person who can open the database may do anything.
 */
export interface OperatorDoor {
  /** Carries out an operation. Parameters have wire names and are read as at every door; the output uses our own names. Throws Failure. */
  call<Id extends OperatorOperation>(
    id: Id,
    request: Sent<WireRequest<Id>>,
  ): Promise<OutputOfOperation<Id>>;
  /** The operator’s door, limited to the plants and data of one user. Throws accountUnknown. */
  forUser(email: string): Promise<OperatorDoor>;
  /** Carries out several operations completely or not at all. */
  together<T>(work: (door: OperatorDoor) => Promise<T>): Promise<T>;
}

/** What does not exist, in the words for somebody who lacks no permission. */
const ABSENT: Partial<Record<ErrorCode, string>> = {
  noPermission: 'there is no such plant or device',
  collectorUnknown: 'there is no such collector',
};
/** The parameters that name something. */
const NAMING = /^(id|.*Id|sn|collector|device|plant|serialNumbers)$/;

function forWhoMayAll(failure: Failure, request: Readonly<Record<string, unknown>>): Failure {
  const absent = ABSENT[failure.code];
  if (absent === undefined || failure.message !== errors[failure.code].message) return failure;
  const named = Object.entries(request)
    .filter(([name, value]) => NAMING.test(name) && value !== undefined)
    .map(([, value]) => String(value));
  return new Failure(failure.code, {
    ...(failure.data !== null && { data: failure.data }),
    message: named.length > 0 ? `${absent}: ${named.join(', ')}` : absent,
    cause: failure,
  });
}

const OPERATOR: OperatorCaller = { kind: 'operator', accountId: null, plantIds: null };

export function createOperatorDoor(
  sources: OperationDependencies,
  caller = OPERATOR,
): OperatorDoor {
  const handlers = createOperations(sources);
  return {
    call: async (id, request) => {
      const handler = handlers[id] as unknown as (
        caller: OperatorCaller,
        input: object,
      ) => Promise<never>;
      return handler(caller, inputOf(declarations[id], request)).catch((error: unknown) => {
        throw error instanceof Failure ? forWhoMayAll(error, request) : error;
      });
    },
    forUser: async (email) =>
      createOperatorDoor(sources, {
        ...OPERATOR,
        accountId: (await getAccountByEmail(sources.db, email)).id,
      }),
    together: (work) =>
      inTransaction(sources.db, (trx) => work(createOperatorDoor({ ...sources, db: trx }, caller))),
  };
}
