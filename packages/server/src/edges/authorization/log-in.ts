import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { logIn } from '../../accounts/log-in.ts';
import { admitLogIn } from '../../accounts/log-in-throttle.ts';
import { rememberBrowser } from '../../accounts/known-browsers.ts';
import { endSession, insertSession } from '../../accounts/sessions.ts';
import { Failure } from '../../kernel/failure.ts';
import { hashSecret } from '../../kernel/secrets.ts';
import { OauthRefusal } from '../../oauth/refusal.ts';
import { redirect } from './authorization-response.ts';
import { showLogIn, type Visit } from './authorize.ts';
import { isFormToken } from './browser.ts';
import { actOf } from './deps.ts';
import type { Form } from './form.ts';

/** POST /oauth/log-in: exchanges a password for a session and returns to the request that required it. */
export async function answerLogIn(visit: Visit, form: Form): Promise<FastifyReply> {
  const { deps, request, browser } = visit;
  if (!isFormToken(browser, 'log-in', form.get('token'))) throw new OauthRefusal('pageExpired');
  const email = form.get('email') ?? '';
  const password = form.get('password') ?? '';
  try {
    const admitted = await admitLogIn(deps.db, deps.clock.now(), { email, address: request.ip, browser: browser.known });
    if (admitted.delayMs > 0) await pause(admitted.delayMs);
    const { at, address, newId } = actOf(deps, request, 'service');
    const account = await logIn(deps.db, { at, address, newId }, { email, password }, admitted.turn);
    await admitted.succeeded();
    return await begin(visit, account.id);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === 'wrongLogin') return showLogIn(visit, { email, fault: 'wrongLogin' });
    if (error.code === 'tooManyRequests')
      return showLogIn(visit, { email, fault: 'tooManyLogIns', retryAfterSeconds: Number(error.data?.['retryAfterSeconds']) });
    throw error;
  }
}

// interface O22: a log-in gets a new session id, and the browser can only continue to our own authorize page, with the same query
async function begin({ deps, reply, browser }: Visit, accountId: string): Promise<FastifyReply> {
  const now = deps.clock.now();
  const cookies = await deps.db.transaction().execute(async (trx) => {
    await endSession(trx, hashSecret(browser.sessionId));
    return {
      session: await insertSession(trx, now, { accountId, freshFor: browser.request }),
      browser: await rememberBrowser(trx, now, accountId, browser.known),
    };
  });
  deps.cookies.set(reply, 'session', cookies.session);
  deps.cookies.set(reply, 'browser', cookies.browser);
  return redirect(reply, `authorize?${browser.rawQuery}`);
}

/** POST /oauth/log-out, then back to the log-in page of the same request. */
export async function answerLogOut({ deps, reply, browser }: Visit, form: Form): Promise<FastifyReply> {
  if (!isFormToken(browser, 'log-out', form.get('token'))) throw new OauthRefusal('pageExpired');
  if (browser.session) await endSession(deps.db, browser.session.hash);
  return redirect(reply, `authorize?${browser.rawQuery}`);
}
