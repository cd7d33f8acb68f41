import { errorEnvelope, errors } from '@helioport/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../../platform/kernel/failure.ts';
import { OUTDATED, type Outdated } from '../../../platform/kernel/surroundings/outdated.ts';
import { observedHandler, type Observability } from './observability.ts';

/** Turns a refusal into an answer, in the form of the listener. */
export type RenderFailure = (
  failure: Failure,
  request: FastifyRequest,
  reply: FastifyReply,
) => void;

export const JSON_TYPE = 'application/json;charset=UTF-8';

/** Seconds after which a caller may try again while the database is unavailable. */
const AWAY_SECONDS = 5;

interface EnvelopeOptions {
  /** WWW-Authenticate of a refusal with status 401 or 403; undefined = none. */
  wwwAuthenticate?: (failure: Failure, request: FastifyRequest) => string | undefined;
}

/** The JSON envelope with the registry's status. `data.allow` and `data.retryAfterSeconds` become headers too. */
export const envelopeRenderer =
  ({ wwwAuthenticate }: EnvelopeOptions = {}): RenderFailure =>
  (failure, request, reply) => {
    const { status } = errors[failure.code];
    const wanted =
      status === 401 || status === 403 ? wwwAuthenticate?.(failure, request) : undefined;
    if (wanted !== undefined) reply.header('WWW-Authenticate', wanted);
    void failureHeaders(failure, reply)
      .code(status)
      .header('Content-Type', JSON_TYPE)
      .send(JSON.stringify(errorEnvelope(failure.code, failure.message, failure.data)));
  };

/** The headers derived from a refusal's data. They do not depend on the form of its body. */
export function failureHeaders({ data }: Failure, reply: FastifyReply): FastifyReply {
  if (typeof data?.['allow'] === 'string') reply.header('Allow', data['allow']);
  if (typeof data?.['retryAfterSeconds'] === 'number')
    reply.header('Retry-After', String(data['retryAfterSeconds']));
  return reply;
}

interface FailureHandlerOptions {
  listener: string;
  observability: Observability;
  isUnavailable: (error: unknown) => boolean;
  renderFailure: RenderFailure;
}

/** The error handler of a listener, or of a part of it that renders refusals in a form of its own. */
export const failureHandler =
  ({ listener, observability, isUnavailable, renderFailure }: FailureHandlerOptions) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const failure = toFailure(error, request.id, isUnavailable);
    const { code, status } = errors[failure.code];
    if (status >= 500)
      observability.failed(error, {
        requestId: request.id,
        listener,
        operation: observedHandler(reply).operationId,
        detail: failure.detail,
      });
    observedHandler(reply).outcome = code;
    // Otherwise the framework would close the connection, and a sender still busy with its body would see a reset instead of the answer.
    if (failure.code === 'tooLarge') reply.removeHeader('connection');
    renderFailure(failure, request, reply);
  };

/** Turns anything that was thrown into a refusal. Only a Failure's own message is public. */
export function toFailure(
  error: unknown,
  requestId: string,
  isUnavailable: (error: unknown) => boolean,
): Failure {
  if (error instanceof Failure) return error;
  const { statusCode, code } =
    error instanceof Error ? (error as { statusCode?: number; code?: string }) : {};
  if (code === 'FST_ERR_BAD_URL') return new Failure('notFound');
  if (statusCode === 413) return new Failure('tooLarge');
  if (statusCode === 415) return new Failure('unsupportedMediaType');
  // Thrown by the framework while it was reading the request: the peer closed the connection, or Content-Length was wrong.
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new Failure('malformedRequest', { cause: error });
  if (isUnavailable(error))
    return new Failure('unavailable', { data: { retryAfterSeconds: AWAY_SECONDS }, cause: error });
  return new Failure('internal', { data: { requestId }, cause: error });
}

/** How long installing a version takes, at least. */
const AGAIN_SECONDS = 30;

/** What a caller is told by an instance that is older than its database. */
export const outdatedFailure = (): Failure =>
  new Failure('unavailable', {
    message: OUTDATED,
    data: { retryAfterSeconds: AGAIN_SECONDS },
  });

/** Whether a request was refused because this instance is older than its database. */
export const isOutdated = (error: unknown): boolean =>
  error instanceof Failure && error.message === OUTDATED;

/** Answers of which a client concludes that it need not try again. */
const FINAL = new Set([400, 401, 403, 500]);

/**
 * Has a listener answer 503 when the database turns out to be newer than this version, except to those who ask for its health. A refusal is sent only
 * after another look: a credential that is not found may be one that this version looks for in the wrong place.
 */
export function refuseOutdated(server: FastifyInstance, schema: Outdated): void {
  server.addHook('onRequest', (request, _reply, done) => {
    if (schema.isNewer && !/^\/(healthz|readyz)(\?|$)/.test(request.raw.url ?? '')) {
      throw outdatedFailure();
    }
    done();
  });
  server.addHook('onSend', async (request, reply, payload) => {
    if (!FINAL.has(reply.statusCode) || !(await schema.confirm())) return payload;
    const { code, message, data } = outdatedFailure();
    for (const name of ['content-length', 'www-authenticate', 'location']) reply.removeHeader(name);
    reply.code(errors[code].status).header('Content-Type', JSON_TYPE);
    reply.header('Retry-After', String(AGAIN_SECONDS));
    return JSON.stringify(
      request.raw.url?.startsWith('/oauth/')
        ? { error: 'temporarily_unavailable', error_description: message }
        : errorEnvelope(code, message, data),
    );
  });
}
