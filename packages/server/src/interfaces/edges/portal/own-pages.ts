import type { FastifyRequest } from 'fastify';
import { Failure } from '../../../platform/kernel/failure.ts';
import { csrfToken, isCsrfToken } from '../http/csrf.ts';

/** The header in which a page of the portal proves that it could read GET /portal/session. */
const CSRF_HEADER = 'x-helioport-csrf';

const useOf = (sessionId: string) => ({ sessionId, form: 'portal', context: NOTHING });
const NOTHING = new Uint8Array();

/** The CSRF token of a session, or of a browser that has none yet. It ends with the session's id, which changes at each log-in. */
export const pageToken = (sessionId: string): string => csrfToken(useOf(sessionId));

/** The CSRF token that a request shows in its header. */
export const sentToken = (request: FastifyRequest): string | undefined =>
  request.raw.headersDistinct[CSRF_HEADER]?.[0];

/** Refuses a request without the CSRF token of its cookie. Throws foreignPage. */
export function checkPageToken(sessionId: string, sent: string | undefined): void {
  if (!isCsrfToken(useOf(sessionId), sent)) throw new Failure('foreignPage');
}

/**
 * Refuses what a page of another site makes a browser send; programs send neither header. An origin is ours if it is the public address, or the
 * host that the request names, over the same scheme: people open the portal by other names too. Where the public address is https, no page that came
 * over http is ours, since anybody on the way may have written it. Throws foreignPage.
 */
export function refuseOtherSites(portalUrl: string): (request: FastifyRequest) => void {
  const { origin: own, protocol } = new URL(portalUrl);
  return (request) => {
    const { 'sec-fetch-site': site, origin } = request.headers;
    // `none`: somebody entered the address by hand.
    const isForeign =
      site !== undefined &&
      site !== 'same-origin' &&
      !(site === 'none' && request.method === 'GET');
    const scheme = protocol === 'https:' ? protocol : `${request.protocol}:`;
    const isOurs = origin === undefined || origin === own || isAt(origin, scheme, request.host);
    if (isForeign || !isOurs) throw new Failure('foreignPage');
  };
}

function isAt(origin: string, scheme: string, host: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, host: named } = new URL(origin);
  return protocol === scheme && named === host;
}
