import { HOUR_MS } from '@helioport/contract/durations';
import type { Language } from '@helioport/contract';
import { Failure } from '../../platform/kernel/failure.ts';
import { hashSecret, randomAlphanumeric } from '../../platform/kernel/secrets.ts';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import type { AccountTable, Db, Instant, SessionTable } from '../../platform/storage/database.ts';
import { prepareQuery, type ParameterOf } from '../../platform/storage/prepare.ts';
import { keepNewest } from '../../platform/storage/bounds/within.ts';
import { forKeyShare } from '../../platform/storage/lock.ts';
import { recordAudit, type Act } from './audit.ts';
import { isVerifiedStill } from './proof.ts';

/** A listener at which people log in. A session of one is worth nothing at the other. */
export type Entrance = SessionTable['entrance'];

/** How long a session lasts after the log-in, and without being used. */
const LASTING: Readonly<
  Record<Entrance, { readonly atMostMs: number; readonly unusedMs: number }>
> = {
  // For one consent after another, not for a day's work.
  oauth: { atMostMs: 12 * HOUR_MS, unusedMs: 12 * HOUR_MS },
  portal: { atMostMs: 30 * 24 * HOUR_MS, unusedMs: 7 * 24 * HOUR_MS },
};

/** The session of somebody who is logged in. */
export interface Session {
  readonly hash: Uint8Array;
  readonly id: string;
  readonly accountId: string;
  readonly email: string;
  readonly name: string;
  readonly role: AccountTable['role'];
  readonly timeZone: string;
  readonly language: Language | null;
  readonly createdAt: Instant;
  readonly lastAt: Instant;
  /** Digest of the authorization request for which this person logged in; null once that has been decided. */
  readonly freshFor: Uint8Array | null;
}

/** What a session begins with. */
export interface NewSession {
  readonly accountId: string;
  readonly entrance: Entrance;
  readonly freshFor: Uint8Array | null;
  readonly userAgent: string | null;
}

/** A new value for the session cookie: 256 random bits. A browser has one even before its session begins. */
export const newSessionId = (): string => randomAlphanumeric();

/** Names of browsers are cut here: they are shown to people. */
const USER_AGENT_CHARACTERS = 300;

/**
 * Begins a session under a new id, so that an id planted in the browser
 * beforehand is worthless. Returns the id; only its hash is stored. RFC 9700 4.7
 */
export async function insertSession(
  trx: Db,
  { at, address, newId }: Omit<Act, 'actor'>,
  { userAgent, ...input }: NewSession,
): Promise<string> {
  const id = newSessionId();
  const expiresAt = at + LASTING[input.entrance].unusedMs;
  const place = { address, userAgent: userAgent?.slice(0, USER_AGENT_CHARACTERS) ?? null };
  await trx
    .insertInto('session')
    .values({
      ...input,
      ...place,
      hash: hashSecret(id),
      id: newId(),
      createdAt: at,
      lastAt: at,
      expiresAt,
    })
    .execute();
  const { accountId, entrance } = input;
  await keepNewest(trx, 'sessions', { accountId, entrance });
  return id;
}

const living = prepareQuery(
  (db, p: ParameterOf<{ hash: Uint8Array; entrance: Entrance; now: Instant }>) =>
    db
      .selectFrom('session')
      .innerJoin('account', 'account.id', 'session.accountId')
      .select([
        'session.hash',
        'session.id',
        'session.accountId',
        'session.createdAt',
        'session.lastAt',
        'session.freshFor',
      ])
      .select([
        'account.email',
        'account.name',
        'account.role',
        'account.timeZone',
        'account.language',
      ])
      .where('session.hash', '=', p('hash'))
      .where('session.entrance', '=', p('entrance'))
      .where('session.expiresAt', '>', p('now'))
      .where('account.disabledAt', 'is', null),
);

/** Finds an active session. Undefined if it has ended, belongs to another entrance, or its account was disabled. */
export const findSession = async (
  db: Db,
  now: Instant,
  entrance: Entrance,
  id: string,
): Promise<Session | undefined> => (await living(db, { hash: hashSecret(id), entrance, now }))[0];

/** Those of some sessions, by id, that have not ended. */
export async function livingSessions(
  db: Db,
  now: Instant,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('session')
    .innerJoin('account', 'account.id', 'session.accountId')
    .select('session.id')
    .where(anyOf(db, 'session.id', listParameter(db, ids)))
    .where('session.expiresAt', '>', now)
    .where('account.disabledAt', 'is', null)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

const TOUCH_INTERVAL_MS = 5 * 60_000;

/** Records that a session is used, at most every few minutes, which makes it last longer. */
export async function touchSession(
  db: Db,
  now: Instant,
  entrance: Entrance,
  { hash, createdAt, lastAt }: Session,
): Promise<void> {
  if (now - lastAt < TOUCH_INTERVAL_MS) return;
  const { atMostMs, unusedMs } = LASTING[entrance];
  await db
    .updateTable('session')
    .set({ lastAt: now, expiresAt: Math.min(createdAt + atMostMs, now + unusedMs) })
    .where('hash', '=', hash)
    .where('lastAt', '<=', now - TOUCH_INTERVAL_MS)
    .execute();
}

declare const held: unique symbol;

/** A session of which nobody has ended anything since a transaction began to hold it. */
export type HeldSession = Session & { readonly [held]: true };

/** Thrown by `holdSession`. */
export class SessionOver extends Error {
  override readonly name = 'SessionOver';
}

/**
 * Reads once more what a session rests on, for what it begins: its account first, which is locked, then the session itself. A writer that changes the password,
 * disables the account or ends the session waits until the transaction ends, and finds what was begun. Throws SessionOver if somebody was faster.
 */
export async function holdSession(trx: Db, now: Instant, session: Session): Promise<HeldSession> {
  const { hash, accountId } = session;
  const found = trx
    .selectFrom('session')
    .select('id')
    .where('hash', '=', hash)
    .where('expiresAt', '>', now);
  const isHeld =
    (await isVerifiedStill(trx, accountId, undefined)) &&
    (await forKeyShare(trx, found).executeTakeFirst()) !== undefined;
  if (!isHeld) throw new SessionOver('the session has ended');
  return session as HeldSession;
}

/** Records that the authorization request for which somebody logged in has been decided. */
export const settleSession = (trx: Db, { hash }: HeldSession): Promise<unknown> =>
  trx.updateTable('session').set({ freshFor: null }).where('hash', '=', hash).execute();

export const endSession = (trx: Db, hash: Uint8Array): Promise<unknown> =>
  trx.deleteFrom('session').where('hash', '=', hash).execute();

/** Ends every session of an account, for example after a change of password. */
export const endSessions = (trx: Db, accountId: string): Promise<unknown> =>
  trx.deleteFrom('session').where('accountId', '=', accountId).execute();

/** A session as shown to its account. */
export interface ListedSession {
  readonly id: string;
  readonly entrance: Entrance;
  readonly createdAt: Instant;
  readonly lastAt: Instant;
  readonly expiresAt: Instant;
  readonly address: string | null;
  readonly userAgent: string | null;
}

/** The active sessions of an account, newest first. */
export const listSessions = (db: Db, now: Instant, accountId: string): Promise<ListedSession[]> =>
  db
    .selectFrom('session')
    .select(['id', 'entrance', 'createdAt', 'lastAt', 'expiresAt', 'address', 'userAgent'])
    .where('accountId', '=', accountId)
    .where('expiresAt', '>', now)
    .orderBy('id', 'desc')
    .execute();

/** Ends a session by its id; `accountId`: of this account alone, null = of any. Throws noPermission if there is none. */
export async function endSessionOf(
  trx: Db,
  act: Act,
  id: string,
  accountId: string | null,
): Promise<void> {
  const sessions = trx.deleteFrom('session').where('id', '=', id);
  const ended = await (accountId === null ? sessions : sessions.where('accountId', '=', accountId))
    .returning('accountId')
    .executeTakeFirst();
  if (!ended) throw new Failure('noPermission', { message: 'no such session' });
  await recordAudit(trx, act, {
    kind: 'session.ended',
    accountId: ended.accountId,
    data: { sessionId: id },
  });
}

/** Ends the sessions of an account except one; returns how many. */
export async function endOtherSessions(
  trx: Db,
  act: Act,
  accountId: string,
  keptId: string | undefined,
): Promise<number> {
  const sessions = trx.deleteFrom('session').where('accountId', '=', accountId);
  const ended = await (keptId === undefined ? sessions : sessions.where('id', '!=', keptId))
    .returning('id')
    .execute();
  if (ended.length > 0)
    await recordAudit(trx, act, {
      kind: 'session.ended',
      accountId,
      data: { sessionIds: ended.map(({ id }) => id) },
    });
  return ended.length;
}
