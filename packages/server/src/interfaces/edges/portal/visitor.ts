import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  findSession,
  newSessionId,
  touchSession,
  type Session,
} from '../../../identity/accounts/sessions.ts';
import type { Place, SignedIn } from '../../../identity/accounts/sign-in.ts';
import { Failure } from '../../../platform/kernel/failure.ts';
import type { PortalDeps } from './deps.ts';

/** The session of the person who sends a request, if there is one. Being used, it lasts longer. */
export async function sessionOf(
  { db, clock, cookies, observability }: PortalDeps,
  request: FastifyRequest,
): Promise<Session | undefined> {
  const id = cookies.sessionOf(request);
  const session = id === undefined ? undefined : await findSession(db, clock.now(), 'portal', id);
  if (!session) return undefined;
  // Reading must remain possible while the database cannot be written.
  await touchSession(db, clock.now(), 'portal', session).catch((error: Error) =>
    observability.logger.debug(
      { reason: error.message },
      'the use of a session could not be recorded',
    ),
  );
  return session;
}

/** The session of the person who is logged in. Throws notAuthenticated. */
export async function getSession(deps: PortalDeps, request: FastifyRequest): Promise<Session> {
  const session = await sessionOf(deps, request);
  if (!session) throw notLoggedIn();
  return session;
}

/** Accounts with the role operator see no plants. Throws noPermission. */
export function refuseOperators({ role }: Session): void {
  if (role === 'operator')
    throw new Failure('noPermission', { message: 'operators of the service see no plants' });
}

/** The id in the session cookie, whether or not it belongs to a session. Throws notAuthenticated if there is none. */
export function sessionIdOf({ cookies }: PortalDeps, request: FastifyRequest): string {
  const id = cookies.sessionOf(request);
  if (id === undefined) throw notLoggedIn();
  return id;
}

export const notLoggedIn = (): Failure =>
  new Failure('notAuthenticated', { message: 'nobody is logged in, or the session has ended' });

/** The session cookie's id; a browser without one gets one that belongs to no session yet. */
export function ensureSessionId(
  { cookies }: PortalDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): string {
  const present = cookies.sessionOf(request);
  if (present !== undefined) return present;
  const id = newSessionId();
  cookies.set(reply, 'session', id);
  return id;
}

/** Where and with which browser a request comes, for a log-in. */
export const placeOf = (deps: PortalDeps, request: FastifyRequest): Place => ({
  entrance: 'portal',
  address: request.ip,
  sessionId: sessionIdOf(deps, request),
  knownBrowser: deps.cookies.browserOf(request),
  userAgent: request.headers['user-agent'],
  freshFor: null,
});

export function setCookies(
  { cookies }: PortalDeps,
  reply: FastifyReply,
  { session, browser }: SignedIn,
): void {
  cookies.set(reply, 'session', session);
  cookies.set(reply, 'browser', browser);
}
