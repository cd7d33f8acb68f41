import { portalLogIn, type OperationInput, type PortalSession } from '@helioport/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findAccountByEmail } from '../../../identity/accounts/accounts.ts';
import { admitAttempt, type Allowance } from '../../../identity/accounts/factors/code-throttle.ts';
import { networksOf } from '../../../platform/kernel/addresses/networks.ts';
import {
  endSession,
  findSession,
  newSessionId,
  type Session,
} from '../../../identity/accounts/sessions.ts';
import { beginVisit, signIn } from '../../../identity/accounts/sign-in.ts';
import { supportOf } from '../../../identity/accounts/support.ts';
import { Failure } from '../../../platform/kernel/failure.ts';
import { hashSecret } from '../../../platform/kernel/secrets.ts';
import { VERSION } from '../../../platform/kernel/version.ts';
import { inputOf } from '../../operations/input.ts';
import type { PortalDeps } from './deps.ts';
import { pageToken } from './own-pages.ts';
import { ensureSessionId, placeOf, sessionIdOf, sessionOf, setCookies } from './visitor.ts';

/** Answers a request of the portal's own pages with the envelope's `data`. */
export type Endpoint = (
  deps: PortalDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  body: Readonly<Record<string, unknown>>,
) => Promise<unknown>;

/** GET /portal/session. */
export const answerSession: Endpoint = async (deps, request, reply) =>
  shown(deps, ensureSessionId(deps, request, reply), await sessionOf(deps, request));

/**
 * The session of the person who opens a page, for the page itself; undefined if that cannot be known. A link on another site comes without the cookie: the person who
 * follows it may well be logged in, so the cookie must stay.
 */
export async function sessionForPage(
  deps: PortalDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<PortalSession | undefined> {
  const { 'sec-fetch-site': site, 'sec-fetch-dest': destination } = request.headers;
  const isStranger = destination === 'document' && (site === 'none' || site === 'same-origin');
  if (deps.cookies.sessionOf(request) === undefined && !isStranger) return undefined;
  try {
    return (await answerSession(deps, request, reply, {})) as PortalSession;
  } catch (error) {
    // The page can say that the server does not answer; without a page, nothing could.
    deps.observability.logger.debug(
      { reason: (error as Error).message },
      'a page was sent without its session',
    );
    return undefined;
  }
}

/** POST /portal/log-in: exchanges a password for a session. Throws wrongLogin, tooManyRequests. */
export const answerLogIn: Endpoint = async (deps, request, reply, body) => {
  const credentials = inputOf(portalLogIn, body) as OperationInput<typeof portalLogIn>;
  const cookies = await signIn(deps, placeOf(deps, request), credentials);
  setCookies(deps, reply, cookies);
  return afterLogIn(deps, cookies.session);
};

/** How many sessions of the demo a network begins, one entry per tier of kernel/addresses/networks.ts: each is a row. */
const VISITS: readonly Allowance[] = [
  { atOnce: 30, intervalMs: 10_000 },
  { atOnce: 120, intervalMs: 2_000 },
  { atOnce: 480, intervalMs: 500 },
];

/** POST /portal/demo-log-in: lets everybody look around as the demo's owner. Throws notFound where there is no demo, tooManyRequests. */
export const answerDemoLogIn: Endpoint = async (deps, request, reply) => {
  const email = await deps.demoOwner?.();
  const owner = email === undefined ? undefined : await findAccountByEmail(deps.db, email);
  if (!owner || owner.disabledAt !== null)
    throw new Failure('notFound', { message: 'there is no demo here' });
  for (const [tier, network] of networksOf(request.ip).entries())
    await admitAttempt(deps.db, deps.clock.now(), VISITS[tier]!, 'demo', network);
  const id = await beginVisit(deps, placeOf(deps, request), owner);
  deps.cookies.set(reply, 'session', id);
  return afterLogIn(deps, id);
};

/** POST /portal/log-out: ends the session. The browser gets another id, which belongs to no session. */
export const answerLogOut: Endpoint = async (deps, request, reply) => {
  await endSession(deps.db, hashSecret(sessionIdOf(deps, request)));
  const id = newSessionId();
  deps.cookies.set(reply, 'session', id);
  return shown(deps, id, undefined);
};

export const afterLogIn = async (deps: PortalDeps, id: string): Promise<PortalSession> =>
  shown(deps, id, await findSession(deps.db, deps.clock.now(), 'portal', id));

const shownAccount = ({
  accountId: id,
  email,
  name,
  role,
  timeZone,
  language,
}: Session): PortalSession['account'] => ({
  id,
  email,
  name,
  role,
  timeZone,
  language,
});

async function shown(
  {
    db,
    clock,
    demoOwner,
    mailAvailable,
    signUpAllowed,
    map,
    userApiUrl,
    oauthUrl,
    gatewayUrl,
  }: PortalDeps,
  id: string,
  session: Session | undefined,
): Promise<PortalSession> {
  const support = session && (await supportOf(db, clock.now(), session.accountId));
  return {
    account: session ? shownAccount(session) : null,
    support: support ? { id: support.id, expiresAt: support.expiresAt } : null,
    csrf: pageToken(id),
    demo: (await demoOwner?.()) !== undefined,
    mail: mailAvailable,
    signUp: signUpAllowed,
    serverTime: clock.now(),
    version: VERSION,
    userApiUrl,
    gatewayUrl,
    oauthUrl,
    map,
  };
}
