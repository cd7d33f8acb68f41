import { hashSecret, randomAlphanumeric } from '../kernel/secrets.ts';
import type { Db, Instant } from '../storage/database.ts';
import { prepareQuery, type ParameterOf } from '../storage/prepare.ts';

/** How long a session lasts after the log-in, whether used or not. */
const SESSION_MS = 12 * 3_600_000;

/** The session of somebody who is logged in. */
export interface Session {
  readonly hash: Uint8Array;
  readonly accountId: string;
  readonly email: string;
  /** Digest of the authorization request for which this person logged in; null once that has been decided. */
  readonly freshFor: Uint8Array | null;
}

/** A new value for the session cookie: 256 random bits. A browser has one even before its session begins. */
export const newSessionId = (): string => randomAlphanumeric();

/**
 * Begins a session under a new id, so that an id planted in the browser
 * beforehand is worthless. Returns the id; only its hash is stored. RFC 9700 4.7
 */
export async function insertSession(trx: Db, now: Instant, input: { accountId: string; freshFor: Uint8Array | null }): Promise<string> {
  const id = newSessionId();
  await trx
    .insertInto('session')
    .values({ ...input, hash: hashSecret(id), createdAt: now, expiresAt: now + SESSION_MS })
    .execute();
  return id;
}

const living = prepareQuery((db, p: ParameterOf<{ hash: Uint8Array; now: Instant }>) =>
  db
    .selectFrom('session')
    .innerJoin('account', 'account.id', 'session.accountId')
    .select(['session.hash', 'session.accountId', 'account.email', 'session.freshFor'])
    .where('session.hash', '=', p('hash'))
    .where('session.expiresAt', '>', p('now'))
    .where('account.disabledAt', 'is', null),
);

/** Finds an active session. Undefined if it has ended or its account was disabled. */
export const findSession = async (db: Db, now: Instant, id: string): Promise<Session | undefined> => (await living(db, { hash: hashSecret(id), now }))[0];

/** Records that the authorization request for which somebody logged in has been decided. */
export const settleSession = (trx: Db, hash: Uint8Array): Promise<unknown> =>
  trx.updateTable('session').set({ freshFor: null }).where('hash', '=', hash).execute();

export const endSession = (trx: Db, hash: Uint8Array): Promise<unknown> => trx.deleteFrom('session').where('hash', '=', hash).execute();

/** Ends every session of an account, for example after a change of password. */
export const endSessions = (trx: Db, accountId: string): Promise<unknown> => trx.deleteFrom('session').where('accountId', '=', accountId).execute();
