import { oauthErrors } from '@helioport/contract';
import type { FastifyReply } from 'fastify';
import { responseUri } from '../../oauth/redirect-uri.ts';
import type { OauthRefusal } from '../../oauth/refusal.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import type { AuthorizationDeps } from './deps.ts';
import { encodeBytes, encodeText } from './form.ts';

interface Answering {
  readonly deps: AuthorizationDeps;
  readonly reply: FastifyReply;
  readonly authorization: AuthorizationRequest;
}

/** The owner approved. interface O10 */
export const redirectWithCode = (answering: Answering, code: string): FastifyReply => respond(answering, [['code', code]]);

/** The owner denied, or another refusal that may be sent to the application. interface O18, RFC 6749 4.1.2.1 */
export function redirectWithError(answering: Answering, { reason }: OauthRefusal): FastifyReply {
  const { error, description } = oauthErrors[reason];
  return respond(answering, [
    ['error', error],
    ['error_description', encodeText(description)],
  ]);
}

function respond({ deps, reply, authorization }: Answering, outcome: [name: string, encodedValue: string][]): FastifyReply {
  const { application, state } = authorization;
  const parameters: [string, string][] = [
    ...outcome,
    // interface O10, O12: unchanged, and only when it was sent
    ...(state === undefined ? [] : [['state', encodeBytes(state)] as [string, string]]),
    // RFC 9207, interface O23
    ...(deps.issuerParameter ? [['iss', encodeText(deps.oauthUrl)] as [string, string]] : []),
  ];
  return redirect(reply, responseUri(application.redirectUri, parameters));
}

/** 303: the address is fetched with GET, never with what was posted here. RFC 9700 4.12, interface O21 */
export const redirect = (reply: FastifyReply, address: string): FastifyReply =>
  reply.code(303).header('Location', address).header('Cache-Control', 'no-store').header('Referrer-Policy', 'no-referrer').send();
