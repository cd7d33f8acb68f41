import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { IdSource } from '../../platform/kernel/ids.ts';
import { Failure } from '../../platform/kernel/failure.ts';
import { hashSecret } from '../../platform/kernel/secrets.ts';
import type { Db } from '../../platform/storage/database.ts';
import type { Account } from './accounts.ts';
import type { Act } from './audit.ts';
import { isKnownBrowser, rememberBrowser } from './known-browsers.ts';
import { makeChallenge, readChallenge } from './factors/challenges.ts';
import type { FactorSources } from './factors/factor-sources.ts';
import {
  askForPasskey,
  consumePasskey,
  findAnsweringPasskey,
  type PasskeyOptions,
} from './factors/passkeys.ts';
import { admitFactor, consumeFactor, factorRequest } from './factors/second-factor.ts';
import { completeLogIn, FactorNeeded, logIn } from './log-in.ts';
import { admitLogIn } from './log-in-throttle.ts';
import { endSession, insertSession, type Entrance } from './sessions.ts';

export interface SignInDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly factors: FactorSources;
  /** Is called with how each log-in ended: `succeeded`, or the code of the failure. */
  readonly onLogIn?: ((outcome: string) => void) | undefined;
}

/** Where and with which browser somebody logs in. */
export interface RequestPlace {
  readonly entrance: Entrance;
  readonly address: string;
  /** The id in the session cookie, whether or not it belongs to a session: a log-in replaces it. */
  readonly sessionId: string;
  /** The cookie left by an earlier log-in. */
  readonly knownBrowser: string | undefined;
  readonly userAgent: string | undefined;
  /** Digest of the authorization request for which somebody logs in. */
  readonly freshFor: Uint8Array | null;
}

/** The values of the two cookies of somebody who has logged in. */
export interface SignedIn {
  readonly session: string;
  readonly browser: string;
}

async function exchangePassword(
  deps: SignInDeps,
  place: RequestPlace,
  credentials: { readonly email: string; readonly password: string },
): Promise<SignedIn> {
  const { db, clock, ids: newId } = deps;
  const { address, knownBrowser } = place;
  const admitted = await admitLogIn(db, clock.now(), {
    email: credentials.email,
    address,
    browser: knownBrowser,
  });
  if (admitted.delayMs > 0) await pause(admitted.delayMs);
  let signedIn: SignedIn | undefined;
  const begin = async (trx: Db, accountId: string): Promise<void> =>
    void (signedIn = await replaceSession(trx, deps, place, accountId));
  const needed = await logIn(
    db,
    { at: clock.now(), address, newId },
    credentials,
    admitted.turn,
    begin,
  ).catch((error: unknown) => {
    if (error instanceof FactorNeeded) return error;
    throw error;
  });
  await admitted.succeeded();
  if (needed instanceof FactorNeeded) throw await secondStep(deps, place, needed);
  return signedIn!;
}

/** How long somebody may take for the second step. */
const TICKET_MS = 10 * 60_000;

async function secondStep(
  { db, clock, factors }: SignInDeps,
  place: RequestPlace,
  { accountId, methods, passwordHash }: FactorNeeded,
): Promise<Failure> {
  const now = clock.now();
  const subject = ticketSubject(place, accountId, passwordHash);
  const ticket = makeChallenge(
    factors.secretBox,
    { kind: 'second step', subject },
    now + TICKET_MS,
  );
  return new Failure('secondFactorRequired', {
    data: { ticket, ...(await factorRequest(db, factors, now, accountId, methods)) },
  });
}

/** What a ticket is bound to: the account, the browser, the entrance, and the password that was right. */
const ticketSubject = (
  { entrance, sessionId }: RequestPlace,
  accountId: string,
  passwordHash: string,
): string =>
  `${accountId} ${entrance} ${hashSecret(`${sessionId} ${passwordHash}`).toString('base64url')}`;

async function exchangeFactor(
  deps: SignInDeps,
  place: RequestPlace,
  { ticket, secondFactor }: { ticket: string; secondFactor: string },
): Promise<SignedIn> {
  const { db, clock, ids: newId, factors } = deps;
  const { address, knownBrowser } = place;
  const at = clock.now();
  const subject = readChallenge(factors.secretBox, 'second step', ticket, at)?.subject;
  const accountId = subject?.split(' ')[0];
  const account =
    accountId === undefined
      ? undefined
      : await db
          .selectFrom('account')
          .select(['id', 'email', 'passwordHash'])
          .where('id', '=', accountId)
          .executeTakeFirst();
  if (!account || subject !== ticketSubject(place, account.id, account.passwordHash))
    throw new Failure('loginExpired');
  const isKnown =
    knownBrowser !== undefined && (await isKnownBrowser(db, knownBrowser, account.email));
  const counted = await admitFactor(db, at, account.id, secondFactor, {
    known: isKnown ? knownBrowser : undefined,
    address,
  });
  const signedIn = await completeLogIn(
    db,
    { at, address, newId },
    { accountId: account.id, passwordHash: account.passwordHash },
    (trx, act) => consumeFactor(trx, factors, act, account.id, secondFactor),
    (trx) => replaceSession(trx, deps, place, account.id),
  );
  await counted.succeeded();
  return signedIn;
}

const browserOf = ({ entrance, sessionId }: RequestPlace): string =>
  `${entrance} ${hashSecret(sessionId).toString('base64url')}`;

/** What a browser needs to log in with a passkey alone. Throws noPermission where passkeys are impossible. */
export const passkeySignInOptions = (
  { db, clock, factors }: SignInDeps,
  place: RequestPlace,
): Promise<PasskeyOptions> =>
  askForPasskey(db, factors, clock.now(), { browser: browserOf(place) });

async function exchangePasskey(
  deps: SignInDeps,
  place: RequestPlace,
  response: string,
): Promise<SignedIn> {
  const { db, clock, ids: newId, factors } = deps;
  const named = await findAnsweringPasskey(db, response);
  if (!named) throw new Failure('wrongFactor');
  const { accountId, email } = named;
  const { address, knownBrowser } = place;
  const admitted = await admitLogIn(db, clock.now(), { email, address, browser: knownBrowser });
  if (admitted.delayMs > 0) await pause(admitted.delayMs);
  const use = async (trx: Db, act: Act): Promise<'passkey'> => {
    await consumePasskey(trx, factors, act.at, { accountId, browser: browserOf(place) }, response);
    return 'passkey';
  };
  const signedIn = await completeLogIn(
    db,
    { at: clock.now(), address, newId },
    { accountId },
    use,
    (trx) => replaceSession(trx, deps, place, accountId),
  );
  await admitted.succeeded();
  return signedIn;
}

/** Begins the session of somebody whose identity is known, under a new id, and remembers the browser. interface O22 */
export const beginSession = (
  deps: SignInDeps,
  place: RequestPlace,
  { id }: Pick<Account, 'id'>,
): Promise<SignedIn> =>
  deps.db.transaction().execute((trx) => replaceSession(trx, deps, place, id));

/** Begins the session of somebody who has shown no password; the browser does not become one that is known. Returns the value of the session's cookie. */
export const beginVisit = (
  deps: SignInDeps,
  place: RequestPlace,
  { id }: Pick<Account, 'id'>,
): Promise<string> => deps.db.transaction().execute((trx) => newSession(trx, deps, place, id));

async function replaceSession(
  trx: Db,
  deps: SignInDeps,
  place: RequestPlace,
  accountId: string,
): Promise<SignedIn> {
  return {
    session: await newSession(trx, deps, place, accountId),
    browser: await rememberBrowser(trx, deps.clock.now(), accountId, place.knownBrowser),
  };
}

async function newSession(
  trx: Db,
  { clock, ids: newId }: SignInDeps,
  place: RequestPlace,
  accountId: string,
): Promise<string> {
  const { entrance, address, sessionId, userAgent = null, freshFor } = place;
  await endSession(trx, hashSecret(sessionId));
  return insertSession(
    trx,
    { at: clock.now(), address, newId },
    { accountId, entrance, freshFor, userAgent },
  );
}

/**
 * Exchanges a password for a session, at any entrance: attempts are throttled, and delayed where strangers guess.
 * Throws wrongLogin, tooManyRequests; secondFactorRequired with a ticket for `continueSignIn`, if the account has second factors.
 */
export const signIn = telling(exchangePassword);

/** The second step of a log-in. Throws loginExpired for a ticket of another browser, or of a former password; wrongFactor, tooManyRequests. */
export const continueSignIn = telling(exchangeFactor);

/**
 * Logs in with a passkey alone, which counts as two factors: the authenticator has verified its user. Nothing can be guessed, but each wrong answer is a
 * row of the audit trail, so attempts are throttled like those with a password. An answer that names no passkey writes nothing.
 * Throws wrongFactor, tooManyRequests.
 */
export const signInWithPasskey = telling(exchangePasskey);

/** A way to log in that tells how each log-in ended. */
function telling<Given extends unknown[]>(
  logInBy: (deps: SignInDeps, ...given: Given) => Promise<SignedIn>,
): (deps: SignInDeps, ...given: Given) => Promise<SignedIn> {
  return async (deps, ...given) => {
    let outcome = 'unavailable';
    try {
      const signedIn = await logInBy(deps, ...given);
      outcome = 'succeeded';
      return signedIn;
    } catch (error) {
      if (error instanceof Failure) outcome = error.code;
      throw error;
    } finally {
      deps.onLogIn?.(outcome);
    }
  };
}
