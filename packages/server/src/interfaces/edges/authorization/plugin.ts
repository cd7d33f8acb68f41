import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { OauthRefusal } from '../../../identity/oauth/refusal.ts';
import { failureHandler } from '../http/errors.ts';
import { observedHandler } from '../http/observability.ts';
import { requireTls } from '../http/transport.ts';
import { answerAuthorize } from './authorize.ts';
import { redirect } from './authorization-response.ts';
import { queryOf } from './browser.ts';
import { clientHandler, type ClientEndpoint } from './client-request.ts';
import { answerConsent } from './consent.ts';
import type { AuthorizationDeps } from './deps.ts';
import { answerIntrospect, INTROSPECT_PARAMETERS } from './introspect.ts';
import {
  answerPageLogIn,
  answerPageLogOut,
  answerPasskey,
  answerPageSecondStep,
} from './log-in.ts';
import { metadata, metadataPaths } from './metadata.ts';
import { answerFailure, answerJson, withJson } from './refusal-answers.ts';
import { SCRIPT_NAME, sendScript } from './pages/layout.ts';
import { answerRevoke, REVOKE_PARAMETERS } from './revoke.ts';
import { answerToken, TOKEN_PARAMETERS } from './token.ts';
import { visitHandler } from './visit-handler.ts';

/** Larger than any of our forms, even with a thousand plants ticked. */
const BODY_LIMIT_BYTES = 128 * 1024;

const clientEndpoints: readonly ClientEndpoint[] = [
  { name: 'token', parameters: TOKEN_PARAMETERS, answer: answerToken },
  { name: 'revoke', parameters: REVOKE_PARAMETERS, answer: answerRevoke },
  { name: 'introspect', parameters: INTROSPECT_PARAMETERS, answer: answerIntrospect },
];

/** The forms of the pages, and their handlers. */
const forms = {
  'log-in': answerPageLogIn,
  'second-step': answerPageSecondStep,
  passkey: answerPasskey,
  consent: answerConsent,
  'log-out': answerPageLogOut,
};

/** The authorization server's routes. */
export const authorizationEdge =
  (deps: AuthorizationDeps) =>
  async (server: FastifyInstance): Promise<void> => {
    const { oauthUrl, issuerParameter } = deps;
    const options = { bodyLimit: BODY_LIMIT_BYTES };
    const ofNetwork = { config: { limit: 'network' } } as const;
    const unlimited = { config: { limit: { not: 'a few bytes from memory' } } } as const;
    server.addHook('onRequest', (request, reply, done) => {
      observedHandler(reply).operationId = request.routeOptions.url!.slice(1);
      done();
    });
    server.addHook(
      'onRequest',
      requireTls(oauthUrl, () => new OauthRefusal('transportInsecure')),
    );
    server.setErrorHandler(jsonErrors(deps));

    server.get(`/oauth/${SCRIPT_NAME}`, unlimited, async (_request, reply) => sendScript(reply));
    // Issues a code where the owner has approved before, which HEAD never does. interface O1
    server.get(
      '/oauth/authorize',
      { ...ofNetwork, exposeHeadRoute: false },
      visitHandler(deps, answerAuthorize),
    );
    for (const [name, answer] of Object.entries(forms)) {
      // Nobody is signed in before logging in, and most log-ins that are refused come from strangers, so the session is not looked up.
      server.post(
        `/oauth/${name}`,
        { ...options, ...ofNetwork },
        visitHandler(deps, answer, { signedIn: name === 'consent' || name === 'log-out' }),
      );
      // Somebody has reopened the address of a submitted form.
      server.get(`/oauth/${name}`, unlimited, async (request, reply) =>
        redirect(reply, `authorize?${queryOf(request)}`),
      );
    }
    for (const endpoint of clientEndpoints)
      server.post(
        `/oauth/${endpoint.name}`,
        { ...options, config: { limit: 'caller' } },
        clientHandler(deps, endpoint),
      );
    for (const path of metadataPaths(oauthUrl))
      server.get(path, unlimited, async (_request, reply) =>
        withJson(reply, metadata(oauthUrl, issuerParameter)),
      );
  };

function jsonErrors({ metrics, observability, isUnavailable }: AuthorizationDeps) {
  const onFailure = failureHandler({
    listener: 'oauth',
    observability,
    isUnavailable,
    renderFailure: (failure, _request, reply) => void answerFailure(reply, failure),
  });
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    if (!(error instanceof OauthRefusal)) return onFailure(error, request, reply);
    observedHandler(reply).outcome = error.reason;
    // The label is the route as declared: strangers must not create further labels by percent-encoding the path.
    metrics.refused(request.routeOptions.url!.slice('/oauth/'.length), error.reason);
    void answerJson(reply, error);
  };
}
