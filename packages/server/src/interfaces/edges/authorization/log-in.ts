import type { FastifyReply } from 'fastify';
import { endSession } from '../../../identity/accounts/sessions.ts';
import {
  continueSignIn,
  passkeySignInOptions,
  signIn,
  signInWithPasskey,
  type RequestPlace,
  type SignedIn,
} from '../../../identity/accounts/sign-in.ts';
import { Failure } from '../../../platform/kernel/failure.ts';
import { OauthRefusal } from '../../../identity/oauth/refusal.ts';
import { redirect } from './authorization-response.ts';
import type { Visit } from './visit.ts';
import { formToken, isFormToken } from './browser.ts';
import type { Form } from './form.ts';
import { sendPage } from './pages/layout.ts';
import { logInPage, type LogInForm } from './pages/log-in.ts';
import { secondStepPage, type SecondStepForm } from './pages/second-step.ts';

const placeOf = ({ request, browser }: Visit): RequestPlace => ({
  entrance: 'oauth',
  address: request.ip,
  sessionId: browser.sessionId,
  knownBrowser: browser.known,
  userAgent: request.headers['user-agent'],
  freshFor: browser.request,
});

/** POST /oauth/log-in: exchanges a password for a session, or for the second step, and returns to the request that required it. */
export async function answerPageLogIn(visit: Visit, form: Form): Promise<FastifyReply> {
  checkToken(visit, 'log-in', form);
  const email = form.get('email') ?? '';
  const password = form.get('password') ?? '';
  return signIn(visit.deps, placeOf(visit), { email, password }).then(
    (cookies) => goOn(visit, cookies),
    (error: unknown) => {
      if (isFailure(error, 'wrongLogin')) return showLogIn(visit, { email, fault: 'wrongLogin' });
      if (isFailure(error, 'tooManyRequests'))
        return showLogIn(visit, { email, fault: 'tooManyLogIns', ...waitOf(error) });
      if (isFailure(error, 'secondFactorRequired'))
        return showSecondStep(visit, { ...(error.data as unknown as SecondStep) });
      throw error;
    },
  );
}

/** POST /oauth/second-step: a code of the app, a recovery code, or the answer of a passkey. */
export async function answerPageSecondStep(visit: Visit, form: Form): Promise<FastifyReply> {
  checkToken(visit, 'second-step', form);
  const ticket = form.get('ticket') ?? '';
  const secondFactor = form.get('passkey') ?? form.get('code') ?? '';
  const again = readStep(form);
  return continueSignIn(visit.deps, placeOf(visit), { ticket, secondFactor }).then(
    (cookies) => goOn(visit, cookies),
    (error: unknown) => {
      if (isFailure(error, 'wrongFactor'))
        return showSecondStep(visit, { ...again, ticket, fault: 'wrong' });
      if (isFailure(error, 'tooManyRequests'))
        return showSecondStep(visit, { ...again, ticket, fault: 'throttled', ...waitOf(error) });
      if (isFailure(error, 'loginExpired')) return showLogIn(visit, {});
      throw error;
    },
  );
}

/** POST /oauth/passkey: logs in without a password. */
export async function answerPasskey(visit: Visit, form: Form): Promise<FastifyReply> {
  checkToken(visit, 'passkey', form);
  return signInWithPasskey(visit.deps, placeOf(visit), form.get('passkey') ?? '').then(
    (cookies) => goOn(visit, cookies),
    (error: unknown) => {
      if (isFailure(error, 'wrongFactor')) return showLogIn(visit, { fault: 'wrongPasskey' });
      if (isFailure(error, 'tooManyRequests'))
        return showLogIn(visit, { fault: 'tooManyLogIns', ...waitOf(error) });
      throw error;
    },
  );
}

type SecondStep = Pick<SecondStepForm, 'ticket' | 'methods' | 'passkey'>;

/** What the page of the second step repeats, after a code that was not accepted. The challenge is still valid, since only accepted answers use it up. */
function readStep(form: Form): Pick<SecondStepForm, 'methods' | 'passkey'> {
  const passkey = form.get('options');
  const known = ['totp', 'passkey', 'recoveryCode'] as const;
  return {
    methods: known.filter((method) => form.all('method').includes(method)),
    ...(passkey !== undefined && { passkey }),
  };
}

function checkToken(
  { browser }: Visit,
  name: 'log-in' | 'second-step' | 'passkey',
  form: Form,
): void {
  if (!isFormToken(browser, name, form.get('token'))) throw new OauthRefusal('pageExpired');
}

const isFailure = (error: unknown, code: Failure['code']): error is Failure =>
  error instanceof Failure && error.code === code;

const waitOf = ({ data }: Failure) => ({ retryAfterSeconds: Number(data?.['retryAfterSeconds']) });

function goOn({ deps, reply, browser }: Visit, cookies: SignedIn): FastifyReply {
  deps.cookies.set(reply, 'session', cookies.session);
  deps.cookies.set(reply, 'browser', cookies.browser);
  // interface O22: the browser can only continue to our own authorize page, with the same query
  return redirect(reply, `authorize?${browser.rawQuery}`);
}

interface Shown {
  readonly retryAfterSeconds?: number;
}

export async function showLogIn(
  visit: Visit,
  { retryAfterSeconds, ...shown }: Pick<LogInForm, 'email' | 'fault'> & Shown,
): Promise<FastifyReply> {
  const { deps, reply, browser, authorization } = visit;
  deps.cookies.set(reply, 'session', browser.sessionId);
  if (retryAfterSeconds !== undefined) reply.header('Retry-After', String(retryAfterSeconds));
  const passkey = deps.factors.passkeys && {
    token: formToken(browser, 'passkey'),
    options: JSON.stringify(await passkeySignInOptions(deps, placeOf(visit))),
  };
  const { resetUrl, signUpUrl } = deps;
  const { application } = authorization;
  const page = logInPage({
    browser,
    application,
    token: formToken(browser, 'log-in'),
    passkey,
    resetUrl,
    signUpUrl,
    ...shown,
  });
  // Showing the form again, with what to correct, is a normal result for a person (ADR 0009).
  return sendPage(reply, shown.fault === 'tooManyLogIns' ? 429 : 200, page, { forms: 'own' });
}

function showSecondStep(
  { reply, browser }: Visit,
  { retryAfterSeconds, passkey, ...shown }: Omit<SecondStepForm, 'browser' | 'token'> & Shown,
): FastifyReply {
  if (retryAfterSeconds !== undefined) reply.header('Retry-After', String(retryAfterSeconds));
  const options =
    passkey === undefined || typeof passkey === 'string' ? passkey : JSON.stringify(passkey);
  const page = secondStepPage({
    browser,
    token: formToken(browser, 'second-step'),
    ...shown,
    passkey: options,
  });
  return sendPage(reply, shown.fault === 'throttled' ? 429 : 200, page, { forms: 'own' });
}

/** POST /oauth/log-out, then back to the log-in page of the same request. */
export async function answerPageLogOut(
  { deps, reply, browser }: Visit,
  form: Form,
): Promise<FastifyReply> {
  if (!isFormToken(browser, 'log-out', form.get('token'))) throw new OauthRefusal('pageExpired');
  if (browser.session) await endSession(deps.db, browser.session.hash);
  return redirect(reply, `authorize?${browser.rawQuery}`);
}
