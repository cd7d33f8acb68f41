import type { Language, PortalSession } from '@helioport/contract';
import { keepFor } from './kept-answers.ts';
import { onceByLink } from './by-link.ts';
import { ask, dataOf, post } from './post.ts';
import { forgetSupport } from './support.ts';
import { learnTime } from './server-clock.ts';

/** What a page needs to know before anything else. */
export type Session = PortalSession;

/** The person who is signed in. */
export type Account = NonNullable<Session['account']>;

let current: Session | undefined;

/** The CSRF token of the latest session that was read. */
export const csrfToken = (): string => current?.csrf ?? '';

function keep(session: unknown): Session {
  current = session as Session;
  learnTime(current.serverTime);
  keepFor(current.account?.id ?? null);
  if (current.account?.role !== 'operator') forgetSupport();
  return current;
}

/** The session that the server has put into the page; undefined if it did not, and on pages that were kept for times without a connection. */
export function sessionOfPage(): Session | undefined {
  const found: unknown = JSON.parse(document.querySelector('#session')?.textContent ?? 'null');
  return typeof found === 'object' && found !== null ? keep(found) : undefined;
}

export async function readSession(signal?: AbortSignal): Promise<Session> {
  return keep(await dataOf(await ask('/portal/session', signal ? { signal } : {})));
}

/** Signs in; the session is then another one. Throws CallFailure with `I0012` for wrong credentials, `429` for too many attempts. */
export const logIn = async (email: string, password: string): Promise<Session> =>
  keep(await post('/portal/log-in', { email, password }, csrfToken()));

/** Signs in as the demo's owner. */
export const logInToDemo = async (): Promise<Session> =>
  keep(await post('/portal/demo-log-in', {}, csrfToken()));

export const logOut = async (): Promise<Session> =>
  keep(await post('/portal/log-out', {}, csrfToken()));

/** The second step of a log-in, with the ticket of the first. Throws CallFailure with `Z0001` if the ticket has expired, `H0011` for a wrong code. */
export const continueLogIn = async (ticket: string, secondFactor: string): Promise<Session> =>
  keep(await post('/portal/second-step', { ticket, secondFactor }, csrfToken()));

/** What the browser needs to ask for any passkey of this site. */
export const passkeyOptions = async (): Promise<object> =>
  ((await post('/portal/passkey-options', {}, csrfToken())) as { readonly options: object })
    .options;

/** Signs in with the answer of a passkey. Throws CallFailure with `H0011` if it is not accepted. */
export const logInWithPasskey = async (response: string): Promise<Session> =>
  keep(await post('/portal/passkey-log-in', { response }, csrfToken()));

/** Has a link sent with which a forgotten password is replaced, if the address has an account. */
export const askForReset = async (email: string, language: Language): Promise<unknown> =>
  post('/portal/reset-request', { email, language }, csrfToken());

interface Reset {
  /** From the link. */
  readonly token: string;
  readonly newPassword: string;
  readonly endAllAccess: number;
  readonly secondFactor?: string;
}

/** Replaces a forgotten password. Throws CallFailure with `data.field` `token` for a useless link, `password` for a weak one, `H0010` if a second factor is needed. */
export const resetPassword = async (reset: Reset): Promise<unknown> =>
  onceByLink(reset, (idempotencyKey) =>
    post('/portal/reset', reset, csrfToken(), { idempotencyKey }),
  );

/** Has a link sent with which an account is made. */
export const askToSignUp = async (email: string, language: Language): Promise<unknown> =>
  post('/portal/sign-up-request', { email, language }, csrfToken());

interface SignUp {
  /** From the link. */
  readonly token: string;
  readonly name: string;
  readonly password: string;
  readonly timeZone: string;
  readonly language: Language;
}

/** Makes an account and signs in. Throws CallFailure with `data.field` `token` for a useless link, `password` for a weak one, `email` for an address that has an account. */
export const signUp = async (account: SignUp): Promise<Session> =>
  keep(
    await onceByLink(account, (idempotencyKey) =>
      post('/portal/sign-up', account, csrfToken(), { idempotencyKey }),
    ),
  );
