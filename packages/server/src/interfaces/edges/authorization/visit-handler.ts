import { oauthErrors } from '@helioport/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SessionOver } from '../../../identity/accounts/sessions.ts';
import { OauthRefusal } from '../../../identity/oauth/refusal.ts';
import { toFailure } from '../http/errors.ts';
import { redirect, redirectWithError } from './authorization-response.ts';
import { checkRequest, draftOf, mayRedirect, type Draft } from './authorization-request.ts';
import type { Visit } from './visit.ts';
import { queryOf, readBrowser } from './browser.ts';
import type { AuthorizationDeps } from './deps.ts';
import { readForm, type Form } from './form.ts';
import { errorPage } from './pages/error.ts';
import { languageOf } from './pages/languages.ts';
import { sendPage } from './pages/layout.ts';

type Answer = (visit: Visit, form: Form) => Promise<FastifyReply>;

/** A route's handler for a person's browser: reads the cookies, checks the authorization request and answers; decides where a refusal is shown. */
export const visitHandler =
  (deps: AuthorizationDeps, answer: Answer, { signedIn = true } = {}) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const rawQuery = queryOf(request);
    const draft = draftOf(rawQuery);
    try {
      const browser = await readBrowser(deps, request, signedIn);
      const authorization = await checkRequest(draft, deps);
      // A page is a ticket, and a decision more: a person who is signed in is counted, whatever the network.
      if (browser.session)
        await deps.rateLimit.count(
          reply,
          browser.session.accountId,
          request.routeOptions.url!.slice(1),
        );
      return await answer(
        { deps, request, reply, browser, authorization },
        readForm(((request.body as Buffer | undefined) ?? '').toString('latin1')),
      );
    } catch (error) {
      // It has ended since it was read: the person logs in once more, for the same request.
      if (error instanceof SessionOver) return redirect(reply, `authorize?${rawQuery}`);
      const refusal = error instanceof OauthRefusal ? error : fault(deps, request, error, draft);
      await note(deps, request, refusal, draft);
      return mayRedirect(refusal, draft)
        ? redirectWithError({ deps, reply, authorization: draft }, refusal)
        : showError(request, reply, refusal);
    }
  };

// An application that waits for an authorization response gets one, even if the server failed. RFC 6749 4.1.2.1
function fault(
  { observability, isUnavailable }: AuthorizationDeps,
  { id }: FastifyRequest,
  error: unknown,
  { redirectUriKnown }: Draft,
): OauthRefusal {
  const failure = toFailure(error, id, isUnavailable);
  const { code } = failure;
  if (code === 'tooManyRequests')
    return new OauthRefusal('tooManyRequests', {
      retryAfterSeconds: Number(failure.data?.['retryAfterSeconds']),
    });
  observability.failed(error, { requestId: id, listener: 'oauth', operation: 'oauth/authorize' });
  if (code === 'unavailable')
    return new OauthRefusal(redirectUriKnown ? 'temporarilyUnavailable' : 'unavailable');
  return new OauthRefusal(redirectUriKnown ? 'serverError' : 'internal');
}

// Only refusals that the application can fix are recorded for the operator.
async function note(
  { refusalCounts, metrics }: AuthorizationDeps,
  { id }: FastifyRequest,
  { reason }: OauthRefusal,
  { application }: Draft,
): Promise<void> {
  metrics.refused('authorize', reason);
  const { error } = oauthErrors[reason];
  if (
    !application ||
    reason === 'pageExpired' ||
    ['access_denied', 'server_error', 'temporarily_unavailable'].includes(error)
  )
    return;
  await refusalCounts.count({
    applicationId: application.id,
    endpoint: 'authorize',
    reason,
    requestId: id,
  });
}

/** Shows a refusal that only the person in front of the browser may see. */
function showError(
  request: FastifyRequest,
  reply: FastifyReply,
  { reason, retryAfterSeconds }: OauthRefusal,
): FastifyReply {
  if (retryAfterSeconds !== undefined) reply.header('Retry-After', String(retryAfterSeconds));
  const rawQuery = queryOf(request);
  const language = languageOf(rawQuery, request.headers['accept-language']);
  const page = errorPage({
    language,
    rawQuery,
    reason,
    requestId: request.id,
    again: reason === 'pageExpired',
  });
  return sendPage(reply, oauthErrors[reason].status, page, { forms: 'own' });
}
