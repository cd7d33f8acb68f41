import { operations, type OperationId, type OperationIdBy, type WireData, type WireRequest } from '@helioport/contract';
import { createCaller, type CallOptions } from './caller.ts';
import { systemClock, timerPause, type Clock, type Pause } from './clock.ts';
import { listPages, type Page } from './pages.ts';
import { signRequest } from './signer.ts';

export interface ClientOptions {
  /** Address of the user-level interface, for example `https://solar.example:8080`. */
  baseUrl: string;
  keyId: string;
  keySecret: string;
  /** Attempts after the first one, where a repetition does no harm; 3 when left out. */
  retries?: number;
  clock?: Clock;
  pause?: Pause;
  fetch?: typeof fetch;
}

/** Calls, typed from the contract: of those operations that the interface offers. */
export interface Client<Offered extends OperationId = OperationIdBy<'signed'>> {
  /** The envelope's data; rejects with HelioportError. */
  call<Id extends Offered>(operation: Id, request?: WireRequest<Id>, options?: CallOptions): Promise<WireData<Id>>;
  /** The pages of a list operation, from `request.pageNo` or the first. */
  pages<Id extends Offered>(operation: Id, request?: WireRequest<Id>, options?: CallOptions): AsyncGenerator<Page<RecordOf<WireData<Id>>>, void, undefined>;
  /** The records of all pages of a list operation. */
  all<Id extends Offered>(operation: Id, request?: WireRequest<Id>, options?: CallOptions): AsyncGenerator<RecordOf<WireData<Id>>, void, undefined>;
}

/** The record of a list operation, whichever container it answers with. */
export type RecordOf<Data> = Data extends { page: { records: readonly (infer Item)[] } }
  ? Item
  : Data extends { records: readonly (infer Item)[] }
    ? Item
    : never;

/** A client that signs each call with a key pair. Throws TypeError where the address is none, or the key pair is empty. For servers: browsers do not let a page set the Date header. */
export function createClient({
  baseUrl,
  keyId,
  keySecret,
  retries = 3,
  clock = systemClock,
  pause = timerPause,
  fetch = globalThis.fetch,
}: ClientOptions): Client {
  if (keyId === '' || keySecret === '') throw new TypeError('a key pair is needed: keyId and keySecret must not be empty');
  const send = createCaller({
    baseUrl,
    retries,
    clock,
    pause,
    fetch,
    authorize: (request) => signRequest({ ...request, keyId, keySecret }),
  });
  return clientOf((operation, request, options) => {
    const { write } = operations[operation];
    return send({ operation, path: `/v1/api/${operation}`, write, request, ...options });
  });
}

/** The client's conveniences over a way to make one call. */
export function clientOf<Offered extends OperationId>(send: (operation: Offered, request: object, options: CallOptions) => Promise<unknown>): Client<Offered> {
  const client: Client<Offered> = {
    call: (operation, request, options = {}) => send(operation, request ?? {}, options) as never,
    pages: (operation, request, options = {}) => {
      const { pageNo = 1 } = (request ?? {}) as { pageNo?: unknown };
      return listPages((page) => send(operation, { ...request, pageNo: page }, options), Number(pageNo));
    },
    async *all(operation, request, options) {
      for await (const page of client.pages(operation, request, options)) yield* page.records;
    },
  };
  return client;
}
