import { oauthErrors, type ErrorCode, type OauthErrorName } from '@helioport/contract';
import type { FastifyReply } from 'fastify';
import type { Failure } from '../../../platform/kernel/failure.ts';
import { OauthRefusal } from '../../../identity/oauth/refusal.ts';
import { failureHeaders } from '../http/errors.ts';

const REASONS: Partial<Record<ErrorCode, OauthErrorName>> = {
  notFound: 'notFound',
  methodNotAllowed: 'methodNotAllowed',
  tooLarge: 'bodyTooLarge',
  unsupportedMediaType: 'notForm',
  expectationFailed: 'expectationFailed',
  malformedRequest: 'bodyUnreadable',
  unavailable: 'unavailable',
  tooManyRequests: 'tooManyRequests',
};

/** The name of an HTTP layer's failure in the registry of OAuth errors. */
export const reasonOf = ({ code }: Failure): OauthErrorName => REASONS[code] ?? 'internal';

/** Answers with an error as JSON and the status of its registry entry; 401 requires WWW-Authenticate. RFC 6749 5.2 */
export function answerJson(reply: FastifyReply, refusal: OauthRefusal): FastifyReply {
  const { error, status, description } = oauthErrors[refusal.reason];
  if (status === 401) reply.header('WWW-Authenticate', 'Basic realm="Helioport", charset="UTF-8"');
  if (refusal.retryAfterSeconds !== undefined)
    reply.header('Retry-After', String(refusal.retryAfterSeconds));
  return withJson(reply.code(status), { error, error_description: description });
}

/** Answers with a failure of the HTTP layer, in the same form. */
export const answerFailure = (reply: FastifyReply, failure: Failure): FastifyReply =>
  answerJson(failureHeaders(failure, reply), new OauthRefusal(reasonOf(failure)));

/** Sends JSON that must not be cached: tokens, and statements about them. RFC 6749 5.1, interface O48 */
export const withJson = (reply: FastifyReply, body: string | object): FastifyReply =>
  reply
    .header('Content-Type', 'application/json;charset=UTF-8')
    .header('Cache-Control', 'no-store')
    .header('Pragma', 'no-cache')
    .send(typeof body === 'string' ? body : JSON.stringify(body));
