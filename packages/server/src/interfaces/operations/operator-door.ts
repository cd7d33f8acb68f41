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

const ABSENT: ReadonlySet<ErrorCode> = new Set(['noPermission', 'collectorUnknown']);

/** The parameters that name something, and what. An `id` names what the operation is about. */
const NAMING: Readonly<Record<string, string | undefined>> = {
  plantId: 'plant',
  plantIds: 'plant',
  sn: 'device',
  device: 'device',
  deviceSn: 'device',
  collector: 'collector',
};

/** Somebody who lacks no permission has named something that does not exist. */
function forWhoMayAll(
  failure: Failure,
  operation: string,
  request: Readonly<Record<string, unknown>>,
): Failure {
  const { code, data, message } = failure;
  if (!ABSENT.has(code) || message !== errors[code].message) return failure;
  const about = /^([a-z]+)\//.exec(operation)?.[1] ?? 'plant';
  const named = Object.entries(request)
    .map(([name, value]) => [name === 'id' ? about : NAMING[name], value] as const)
    .filter(([noun, value]) => noun !== undefined && value !== undefined);
  const nouns = code === 'collectorUnknown' ? ['collector'] : named.map(([noun]) => noun);
  const values = named.map(([, value]) => String(value)).join(', ');
  return new Failure(code, {
    ...(data !== null && { data }),
    message: `there is no such ${[...new Set(nouns)].join(' or ') || 'plant or device'}${values && `: ${values}`}`,
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
        throw error instanceof Failure ? forWhoMayAll(error, id, request) : error;
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
