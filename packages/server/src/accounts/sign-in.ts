import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../kernel/clock.ts';
import type { IdSource } from '../kernel/ids.ts';
import { hashSecret } from '../kernel/secrets.ts';
import type { Db } from '../storage/database.ts';
import type { Account } from './accounts.ts';
import { rememberBrowser } from './known-browsers.ts';
import { logIn } from './log-in.ts';
import { admitLogIn } from './log-in-throttle.ts';
import { endSession, insertSession, type Entrance } from './sessions.ts';

interface SignInDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: IdSource;
}

/** Where and with which browser somebody logs in. */
export interface Place {
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

/**
 * Exchanges a password for a session, at any entrance: attempts are throttled, and delayed where strangers guess.
 * Throws wrongLogin, tooManyRequests.
 */
export async function signIn(deps: SignInDeps, place: Place, credentials: { readonly email: string; readonly password: string }): Promise<SignedIn> {
  const { db, clock, ids: newId } = deps;
  const { address, knownBrowser } = place;
  const admitted = await admitLogIn(db, clock.now(), { email: credentials.email, address, browser: knownBrowser });
  if (admitted.delayMs > 0) await pause(admitted.delayMs);
  const account = await logIn(db, { at: clock.now(), address, newId }, credentials, admitted.turn);
  await admitted.succeeded();
  return beginSession(deps, place, account);
}

/** Begins the session of somebody whose identity is known, under a new id, and remembers the browser. interface O22 */
export async function beginSession({ db, clock, ids: newId }: SignInDeps, place: Place, { id: accountId }: Pick<Account, 'id'>): Promise<SignedIn> {
  const { entrance, address, sessionId, knownBrowser, userAgent = null, freshFor } = place;
  const at = clock.now();
  return db.transaction().execute(async (trx) => {
    await endSession(trx, hashSecret(sessionId));
    return {
      session: await insertSession(trx, { at, address, newId }, { accountId, entrance, freshFor, userAgent }),
      browser: await rememberBrowser(trx, at, accountId, knownBrowser),
    };
  });
}
