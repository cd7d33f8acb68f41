import type { Language } from '@helioport/contract';
import type { FastifyRequest } from 'fastify';
import { findSession, newSessionId, type Session } from '../../../identity/accounts/sessions.ts';
import { hashSecret } from '../../../platform/kernel/secrets.ts';
import { csrfToken, isCsrfToken } from '../http/csrf.ts';
import type { AuthorizationDeps } from './deps.ts';
import { languageOf } from './pages/languages.ts';

/** The browser behind an authorization request: its cookies, its language, and the query that every form carries along. */
export interface Browser {
  /** The query as sent. Forms and links repeat it, so that nothing about the request is kept before somebody is signed in. */
  readonly rawQuery: string;
  /** Digest of the query without the page's language. */
  readonly request: Buffer;
  readonly language: Language;
  readonly session: Session | undefined;
  /** The session's id, or an id that belongs to no session yet. */
  readonly sessionId: string;
  /** Value of the cookie that an earlier log-in left in this browser. */
  readonly known: string | undefined;
}

/** The query as sent, without the question mark. */
export const queryOf = ({ raw }: FastifyRequest): string => {
  const question = raw.url!.indexOf('?');
  return question < 0 ? '' : raw.url!.slice(question + 1);
};

/** Reads the facts about the browser from a request. Without `signedIn`, the session is not looked up, and `session` stays undefined. */
export async function readBrowser(
  { db, clock, cookies }: AuthorizationDeps,
  request: FastifyRequest,
  signedIn: boolean,
): Promise<Browser> {
  const rawQuery = queryOf(request);
  const sessionId = cookies.sessionOf(request);
  const session =
    sessionId === undefined || !signedIn
      ? undefined
      : await findSession(db, clock.now(), 'oauth', sessionId);
  return {
    rawQuery,
    request: hashSecret(
      rawQuery
        .split('&')
        .filter((pair) => !pair.startsWith('ui_locales='))
        .join('&'),
    ),
    language: languageOf(rawQuery, request.headers['accept-language'], session?.language),
    session,
    sessionId: sessionId ?? newSessionId(),
    known: cookies.browserOf(request),
  };
}

/** The forms of the pages that need no consent ticket. */
type FormName = 'log-in' | 'second-step' | 'passkey' | 'log-out';

const useOf = ({ sessionId, request }: Pick<Browser, 'sessionId' | 'request'>, form: FormName) => ({
  sessionId,
  form,
  context: request,
});

/** A form's CSRF token, valid only for this form of this request. interface O20 */
export const formToken = (
  browser: Pick<Browser, 'sessionId' | 'request'>,
  form: FormName,
): string => csrfToken(useOf(browser, form));

export const isFormToken = (browser: Browser, form: FormName, sent: string | undefined): boolean =>
  isCsrfToken(useOf(browser, form), sent);
