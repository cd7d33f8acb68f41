import {
  JSON_MEDIA,
  pathsOf,
  successText,
  type Door,
  type Operation,
  type OperationId,
} from '@helioport/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../../identity/accounts/caller.ts';
import type { Once } from '../../../identity/accounts/once.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { Failure } from '../../../platform/kernel/failure.ts';
import type { OpenBuckets } from '../../../platform/kernel/token-buckets.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { inputOf } from '../../operations/input.ts';
import { exchangeEndOf } from './exchange-end.ts';
import { readingSamples, waitingUntil } from '../../operations/account-turns.ts';
import { JSON_TYPE } from './errors.ts';
import { parseJsonObject } from './json.ts';
import { observedHandler, type Observability } from './observability.ts';

/** An operation of the contract, with any parameters and output. */
export type AnyOperation = Operation;

/** The function that carries out an operation. Writes also receive `once`. */
export type RouteHandler = (caller: Caller, input: never, once?: Once) => Promise<unknown>;

/** The caller, as identified by the listener's door. */
export interface Admission {
  readonly caller: Caller;
  readonly once?: Once;
  /** Called with what a write is answered with, before it is. */
  readonly answered?: (data: string) => Promise<void>;
}

/** The dependencies of every interface that offers operations. */
export interface MountedOffer {
  readonly db: Db;
  readonly clock: Clock;
  /** All operations of the contract. */
  readonly operations: readonly AnyOperation[];
  /** Handlers by id of their operation. */
  readonly handlers: Readonly<Record<string, RouteHandler>>;
  readonly observability: Observability;
  readonly isUnavailable: (error: unknown) => boolean;
  /** Where requests are counted for limits. */
  readonly buckets: OpenBuckets;
}

export interface MountOptions extends Pick<MountedOffer, 'operations' | 'handlers'> {
  /** Operations without this door are not served by this listener at all. */
  readonly door: Door;
  /** Checks a request before its body is read. Throws Failure. */
  readonly screen?: (request: FastifyRequest) => void;
  /** Identifies the caller; the body has been read but not parsed. Throws Failure. */
  readonly admit: (
    request: FastifyRequest,
    reply: FastifyReply,
    operation: AnyOperation,
    path: string,
  ) => Promise<Admission>;
}

/** Creates the routes of all operations on a listener. Throws if declarations and handlers do not match, so that the server does not start. */
export function mountOperations(server: FastifyInstance, options: MountOptions): void {
  const declared = new Set(options.operations.map(({ id }) => id));
  const stray = Object.keys(options.handlers).filter((id) => !declared.has(id));
  if (stray.length > 0) throw new Error(`nothing declares ${stray.join(', ')}`);
  for (const operation of options.operations) {
    const handler = options.handlers[operation.id];
    if (!handler) throw new Error(`no handler for ${operation.id}`);
    for (const path of pathsOf(operation, options.door))
      mount(server, options, operation, handler, path);
  }
}

function mount(
  server: FastifyInstance,
  { admit, screen }: MountOptions,
  operation: AnyOperation,
  handler: RouteHandler,
  path: string,
): void {
  const { id, response } = operation;
  const text = wireTextOf(operation);

  const onRequest = (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    observedHandler(reply).operationId = id;
    exactPath(request, path);
    screen?.(request);
    readableMedia(request);
    done();
  };

  const beside = response.beside as ((output: unknown) => Record<string, string>) | undefined;

  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { caller, once, answered } = await admit(request, reply, operation, path);
    const input = inputOf(operation, parseJsonObject(request.body as Buffer | undefined));
    const asking = readingSamples.has(operation.id as OperationId)
      ? waitingUntil(caller, exchangeEndOf(reply.raw))
      : caller;
    const output = await handler(asking, input as never, once);
    const data = text(output);
    await answered?.(data);
    observedHandler(reply).outcome = '0';
    return reply.header('Content-Type', JSON_TYPE).send(successText(data, beside?.(output)));
  };

  server.route({
    method: 'POST',
    url: path,
    config: { limit: 'caller' },
    onRequest,
    handler: answer,
  });
}

/** Writes the output of an operation's handler as JSON, as it is sent. */
export function wireTextOf({ response }: AnyOperation): (output: unknown) => string {
  const project = response.project as (output: unknown) => unknown;
  return (
    (response.text as ((output: unknown) => string) | undefined) ??
    ((output) => JSON.stringify(project(output) ?? null))
  );
}

// The router decodes percent escapes before it compares, but the path called must be exactly the one that was signed.
function exactPath({ raw }: FastifyRequest, path: string): void {
  const url = raw.url!;
  if (url !== path && url.split('?', 1)[0] !== path) throw new Failure('notFound');
}

function readableMedia({ headers }: FastifyRequest): void {
  if (!JSON_MEDIA.test(headers['content-type'] ?? '')) throw new Failure('unsupportedMediaType');
  if (headers['content-encoding'] !== undefined)
    throw new Failure('unsupportedMediaType', { message: 'Content-Encoding is not supported' });
}
