import type { FastifyReply } from 'fastify';
import { endSession } from '../../accounts/sessions.ts';
import { signIn } from '../../accounts/sign-in.ts';
import { Failure } from '../../kernel/failure.ts';
import { OauthRefusal } from '../../oauth/refusal.ts';
import { redirect } from './authorization-response.ts';
import { showLogIn, type Visit } from './authorize.ts';
import { isFormToken } from './browser.ts';
import type { Form } from './form.ts';

/** POST /oauth/log-in: exchanges a password for a session and returns to the request that required it. */
export async function answerLogIn(visit: Visit, form: Form): Promise<FastifyReply> {
  const { deps, request, reply, browser } = visit;
  if (!isFormToken(browser, 'log-in', form.get('token'))) throw new OauthRefusal('pageExpired');
  const email = form.get('email') ?? '';
  const password = form.get('password') ?? '';
  const place = {
    entrance: 'oauth',
    address: request.ip,
    sessionId: browser.sessionId,
    knownBrowser: browser.known,
    userAgent: request.headers['user-agent'],
    freshFor: browser.request,
  } as const;
  try {
    const cookies = await signIn(deps, place, { email, password });
    deps.cookies.set(reply, 'session', cookies.session);
    deps.cookies.set(reply, 'browser', cookies.browser);
    // interface O22: the browser can only continue to our own authorize page, with the same query
    return redirect(reply, `authorize?${browser.rawQuery}`);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === 'wrongLogin') return showLogIn(visit, { email, fault: 'wrongLogin' });
    if (error.code === 'tooManyRequests')
      return showLogIn(visit, { email, fault: 'tooManyLogIns', retryAfterSeconds: Number(error.data?.['retryAfterSeconds']) });
    throw error;
  }
}

/** POST /oauth/log-out, then back to the log-in page of the same request. */
export async function answerLogOut({ deps, reply, browser }: Visit, form: Form): Promise<FastifyReply> {
  if (!isFormToken(browser, 'log-out', form.get('token'))) throw new OauthRefusal('pageExpired');
  if (browser.session) await endSession(deps.db, browser.session.hash);
  return redirect(reply, `authorize?${browser.rawQuery}`);
}
