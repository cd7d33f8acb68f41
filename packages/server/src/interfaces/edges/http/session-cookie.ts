import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Entrance } from '../../../identity/accounts/sessions.ts';

/** `session` is that of somebody who is logged in; `browser` stays, and shows that somebody has signed in with it before. */
type CookieKind = 'session' | 'browser';

export interface Cookies {
  /** The session's id, if it is well-formed. */
  sessionOf(request: FastifyRequest): string | undefined;
  browserOf(request: FastifyRequest): string | undefined;
  set(reply: FastifyReply, cookie: CookieKind, value: string): void;
}

const YEAR_SECONDS = 31_536_000;

/** How the cookies of an entrance are sent. Authorization requests come from other sites; to the portal only its own pages send anything. */
const TERMS: Readonly<
  Record<Entrance, { readonly sameSite: 'Lax' | 'Strict'; readonly sessionSeconds: number | null }>
> = {
  // null = until the browser is closed
  oauth: { sameSite: 'Lax', sessionSeconds: null },
  portal: { sameSite: 'Strict', sessionSeconds: 30 * 86_400 },
};

/**
 * The cookies of one listener. Browsers share cookies between ports, so each listener has names of its own; with TLS the name
 * itself binds the cookie to its host and to https. interface O22
 */
export function createCookies(entrance: Entrance, publicUrl: string): Cookies {
  const isSecure = publicUrl.startsWith('https:');
  const nameOf = (cookie: CookieKind): string =>
    `${isSecure ? '__Host-' : ''}helioport_${entrance}_${cookie}`;
  const valueOf = ({ headers }: FastifyRequest, cookie: CookieKind): string | undefined =>
    readCookies(headers.cookie ?? '').get(nameOf(cookie));
  return {
    sessionOf(request) {
      const sent = valueOf(request, 'session');
      return sent !== undefined && /^[A-Za-z0-9]{43}$/.test(sent) ? sent : undefined;
    },
    browserOf: (request) => valueOf(request, 'browser'),
    set(reply, cookie, value) {
      const { sameSite, sessionSeconds } = TERMS[entrance];
      const seconds = cookie === 'browser' ? YEAR_SECONDS : sessionSeconds;
      const age = seconds === null ? '' : `; Max-Age=${seconds}`;
      reply.header(
        'Set-Cookie',
        `${nameOf(cookie)}=${value}; Path=/; HttpOnly; SameSite=${sameSite}${age}${isSecure ? '; Secure' : ''}`,
      );
    },
  };
}

function readCookies(header: string): Map<string, string> {
  const pairs = header.split(';').map((pair) => pair.trim().split('='));
  return new Map(pairs.filter((pair) => pair.length === 2).map(([name, value]) => [name!, value!]));
}
