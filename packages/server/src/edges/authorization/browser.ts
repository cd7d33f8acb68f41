import { createHmac } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findSession, newSessionId, type Session } from '../../accounts/sessions.ts';
import { equalSecrets, hashSecret } from '../../kernel/secrets.ts';
import type { AuthorizationDeps } from './deps.ts';
import { languageOf, type Language } from './pages/languages.ts';

/** The browser in front of an authorization request: its cookies, its language, the query that every form carries along. */
export interface Browser {
  /** As sent; forms and links repeat it, so that nothing about the request is kept before somebody is signed in. */
  readonly rawQuery: string;
  /** Digest of the query, the page's language aside. */
  readonly request: Buffer;
  readonly language: Language;
  readonly session: Session | undefined;
  /** The session's id, or one that no session stands behind. */
  readonly sessionId: string;
  /** Left by an earlier log-in. */
  readonly known: string | undefined;
}

const YEAR_SECONDS = 31_536_000;

/** As sent, without the question mark. */
export const queryOf = ({ raw }: FastifyRequest): string => {
  const question = raw.url!.indexOf('?');
  return question < 0 ? '' : raw.url!.slice(question + 1);
};

export async function readBrowser({ db, clock, oauthUrl }: AuthorizationDeps, request: FastifyRequest): Promise<Browser> {
  const cookies = readCookies(request.headers.cookie ?? '');
  const { session: sessionName, browser: browserName } = cookieNames(oauthUrl);
  const rawQuery = queryOf(request);
  const sent = cookies.get(sessionName);
  const sessionId = sent !== undefined && /^[A-Za-z0-9]{43}$/.test(sent) ? sent : undefined;
  return {
    rawQuery,
    request: hashSecret(
      rawQuery
        .split('&')
        .filter((pair) => !pair.startsWith('ui_locales='))
        .join('&'),
    ),
    language: languageOf(rawQuery, request.headers['accept-language']),
    session: sessionId === undefined ? undefined : await findSession(db, clock.now(), sessionId),
    sessionId: sessionId ?? newSessionId(),
    known: cookies.get(browserName),
  };
}

/** interface O22. With TLS the name itself binds the cookie to this host and to https. */
function cookieNames(oauthUrl: string): { session: string; browser: string } {
  const prefix = oauthUrl.startsWith('https:') ? '__Host-' : '';
  return { session: `${prefix}helioport_session`, browser: `${prefix}helioport_browser` };
}

export function setCookie(reply: FastifyReply, oauthUrl: string, cookie: 'session' | 'browser', value: string): void {
  const secure = oauthUrl.startsWith('https:') ? '; Secure' : '';
  const age = cookie === 'browser' ? `; Max-Age=${YEAR_SECONDS}` : '';
  reply.header('Set-Cookie', `${cookieNames(oauthUrl)[cookie]}=${value}; Path=/; HttpOnly; SameSite=Lax${age}${secure}`);
}

function readCookies(header: string): Map<string, string> {
  const pairs = header.split(';').map((pair) => pair.trim().split('='));
  return new Map(pairs.filter((pair) => pair.length === 2).map(([name, value]) => [name!, value!]));
}

/** A form's token: only who has the cookie can make it, and it fits this form of this request alone. interface O20 */
export const formToken = ({ sessionId, request }: Pick<Browser, 'sessionId' | 'request'>, form: 'log-in' | 'log-out'): string =>
  createHmac('sha256', sessionId).update(form).update(request).digest('base64url');

export const isFormToken = (browser: Browser, form: 'log-in' | 'log-out', sent: string | undefined): boolean =>
  sent !== undefined && equalSecrets(Buffer.from(formToken(browser, form)), Buffer.from(sent));
