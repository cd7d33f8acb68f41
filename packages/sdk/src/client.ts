import {
  operations,
  type OperationId,
  type OperationIdBy,
  type WireData,
  type WireRequest,
} from '@helioport/contract';
import { createCaller, type CallOptions } from './caller.ts';
import { systemClock, timerPause, type Clock, type Pause } from './clock.ts';
import { control, type Controlled, type ControlRequest, type SendControl } from './control.ts';
import { listPages, type Page } from './pages.ts';
import { signRequest } from './signer.ts';

export interface ClientOptions {
  /** Address of the user-level interface, for example `https://solar.example:8080`. */
  baseUrl: string;
  keyId: string;
  keySecret: string;
  /** Maximum number of further attempts, where repeating does no harm; default 3. */
  retries?: number;
  clock?: Clock;
  pause?: Pause;
  fetch?: typeof fetch;
  /** The Content-Type that is sent and signed; default: that of the specification. */
  contentType?: string;
}

/** Calls of the operations that the interface offers, typed from the contract. */
export interface Client<Offered extends OperationId = OperationIdBy<'signed'>> {
  /** Resolves to the envelope's data, or rejects with HelioportError. */
  call<Id extends Offered>(
    operation: Id,
    request?: WireRequest<Id>,
    options?: CallOptions,
  ): Promise<WireData<Id>>;
  /** The pages of a list operation, starting with `request.pageNo` or the first. */
  pages<Id extends Offered>(
    operation: Id,
    request?: WireRequest<Id>,
    options?: CallOptions,
  ): AsyncGenerator<Page<RecordOf<WireData<Id>>>, void, undefined>;
  /** The records of a list operation, from all pages. */
  all<Id extends Offered>(
    operation: Id,
    request?: WireRequest<Id>,
    options?: CallOptions,
  ): AsyncGenerator<RecordOf<WireData<Id>>, void, undefined>;
  /** Sets a parameter of an inverter, and waits until the device was read back; rejects with HelioportError if it does not have the value. */
  control(request: ControlRequest, options?: CallOptions): Promise<Controlled>;
}

/** The type of a list operation's records, whatever container they come in. */
export type RecordOf<Data> = Data extends { page: { records: readonly (infer Item)[] } }
  ? Item
  : Data extends { records: readonly (infer Item)[] }
    ? Item
    : never;

/** A client that signs each call with a key pair. Throws TypeError if the address is not a URL, or the key pair is empty. Only for servers: browsers do not let a page set the Date header. */
export function createClient({
  baseUrl,
  keyId,
  keySecret,
  retries = 3,
  clock = systemClock,
  pause = timerPause,
  fetch = globalThis.fetch,
  contentType,
}: ClientOptions): Client {
  if (keyId === '' || keySecret === '')
    throw new TypeError('a key pair is needed: keyId and keySecret must not be empty');
  const send = createCaller({
    baseUrl,
    retries,
    clock,
    pause,
    fetch,
    authorize: (request) => signRequest({ ...request, keyId, keySecret, contentType }),
  });
  return clientOf((operation, request, options) => {
    const { write } = operations[operation];
    return send({ operation, path: `/v1/api/${operation}`, write, request, ...options });
  }, pause);
}

/** Builds a client on a function that makes one call. */
export function clientOf<Offered extends OperationId>(
  send: (operation: Offered, request: object, options: CallOptions) => Promise<unknown>,
  pause: Pause,
): Client<Offered> {
  const client: Client<Offered> = {
    call: (operation, request, options = {}) => send(operation, request ?? {}, options) as never,
    pages: (operation, request, options = {}) => {
      const { pageNo = 1 } = (request ?? {}) as { pageNo?: unknown };
      return listPages(
        (page) => send(operation, { ...request, pageNo: page }, options),
        Number(pageNo),
      );
    },
    async *all(operation, request, options) {
      for await (const page of client.pages(operation, request, options)) yield* page.records;
    },
    control: (request, options = {}) => control(send as SendControl, pause, request, options),
  };
  return client;
}
