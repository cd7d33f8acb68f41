import { oauthErrors } from '@helioport/contract';
import type { FastifyReply } from 'fastify';
import { responseUri } from '../../../identity/oauth/redirect-uri.ts';
import type { OauthRefusal } from '../../../identity/oauth/refusal.ts';
import type { ReadAuthorizationRequest } from './authorization-request.ts';
import type { AuthorizationDeps } from './deps.ts';
import { encodeBytes, encodeText } from './form.ts';

interface Answering {
  readonly deps: AuthorizationDeps;
  readonly reply: FastifyReply;
  readonly authorization: ReadAuthorizationRequest;
}

/** Sends the browser back with a code, since the owner has approved the request. interface O10 */
export const redirectWithCode = (answering: Answering, code: string): FastifyReply =>
  respond(answering, [['code', code]]);

/**
 * Sends the browser back with an error: the owner denied the request, or there is another refusal that the application may see.
 * interface O18, RFC 6749 4.1.2.1
 */
export function redirectWithError(
  answering: Answering,
  { reason, message }: OauthRefusal,
): FastifyReply {
  return respond(answering, [
    ['error', oauthErrors[reason].error],
    ['error_description', encodeText(message)],
  ]);
}

function respond(
  { deps, reply, authorization }: Answering,
  outcome: [name: string, encodedValue: string][],
): FastifyReply {
  const { application, state } = authorization;
  const parameters: [string, string][] = [
    ...outcome,
    // interface O10, O12: `state` is returned unchanged, and only if it was sent
    ...(state === undefined ? [] : [['state', encodeBytes(state)] as [string, string]]),
    // RFC 9207, interface O23
    ...(deps.issuerParameter ? [['iss', encodeText(deps.oauthUrl)] as [string, string]] : []),
  ];
  return redirect(reply, responseUri(application.redirectUri, parameters));
}

/** Redirects with 303, so that the browser fetches the address with GET and never posts the form there. RFC 9700 4.12, interface O21 */
export const redirect = (reply: FastifyReply, address: string): FastifyReply =>
  reply
    .code(303)
    .header('Location', address)
    .header('Cache-Control', 'no-store')
    .header('Referrer-Policy', 'no-referrer')
    .send();
