import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../../platform/kernel/failure.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { findAccount } from './accounts.ts';
import { recordAudit, type Act } from './audit.ts';
import type { FactorSources } from './factors/factor-sources.ts';
import {
  admitFactor,
  consumeFactor,
  factorRequest,
  methodsOf,
  type FactorMethod,
  type FactorPlace,
} from './factors/second-factor.ts';
import { admitLogIn } from './log-in-throttle.ts';
import { isVerifiedStill, verifyProof, type Verified } from './proof.ts';
import { livingSessions } from './sessions.ts';

/** How somebody who is already logged in proves once more who it is. */
export interface Identity {
  readonly password: string;
  /** Asked for if the account has second factors. */
  readonly secondFactor?: string | undefined;
}

/**
 * Verifies the password and the second factor of somebody who is already logged in and asks for `operation`. Attempts count like log-ins, so that
 * a stolen session does not help to guess them; wrong ones are recorded in the audit trail. Returns what was verified, for `requireStill`.
 * Throws wrongLogin, secondFactorRequired, wrongFactor, tooManyRequests.
 */
export async function verifyIdentity(
  db: Db,
  sources: FactorSources,
  act: Act,
  accountId: string,
  { password, secondFactor }: Identity,
  operation: string,
): Promise<Verified> {
  const account = await findAccount(db, accountId);
  const admitted = await admitLogIn(db, act.at, {
    email: account?.email ?? '',
    address: act.address ?? '',
    browser: undefined,
  });
  if (admitted.delayMs > 0) await pause(admitted.delayMs);
  const verified = await verifyProof(db, accountId, { password }, { first: true });
  if (!verified) {
    await recordAudit(db, act, {
      kind: 'logIn.refused',
      accountId: account?.id ?? null,
      data: { operation },
    });
    throw new Failure('wrongLogin');
  }
  await admitted.succeeded();
  await proveFactor(db, sources, act, accountId, secondFactor, {
    operation,
    known: 'identity',
    refused: act,
  });
  return verified;
}

interface FactorUse extends Pick<FactorPlace, 'known'> {
  readonly operation: string;
  /** By whom an attempt was made whose factor was wrong. */
  readonly refused: Act;
}

/**
 * Uses a second factor if the account has any, in a transaction of its own; returns whether it has.
 * Throws secondFactorRequired, wrongFactor, tooManyRequests.
 */
export async function proveFactor(
  db: Db,
  sources: FactorSources,
  act: Act,
  accountId: string,
  secondFactor: string | undefined,
  { operation, known, refused }: FactorUse,
): Promise<boolean> {
  const methods = await methodsOf(db, accountId);
  if (methods.length === 0) return false;
  if (secondFactor === undefined)
    throw await factorMissing(db, sources, act.at, accountId, methods);
  const counted = await admitFactor(db, act.at, accountId, secondFactor, {
    known,
    address: act.address,
  });
  await db
    .transaction()
    .execute((trx) => consumeFactor(trx, sources, act, accountId, secondFactor))
    .catch(async (error: unknown) => {
      if (error instanceof Failure)
        await recordAudit(db, refused, {
          kind: 'logIn.refused',
          accountId,
          data: { operation, step: 'second factor' },
        });
      throw error;
    });
  await counted.succeeded();
  return true;
}

/** Refuses an account that has second factors. Throws secondFactorRequired. */
export async function requireNoFactor(
  db: Db,
  sources: FactorSources,
  now: Instant,
  accountId: string,
): Promise<void> {
  const methods = await methodsOf(db, accountId);
  if (methods.length > 0) throw await factorMissing(db, sources, now, accountId, methods);
}

const factorMissing = async (
  db: Db,
  sources: FactorSources,
  now: Instant,
  accountId: string,
  methods: readonly FactorMethod[],
): Promise<Failure> =>
  new Failure('secondFactorRequired', {
    data: { ...(await factorRequest(db, sources, now, accountId, methods)) },
  });

/** Somebody who is logged in; `sessionId`: in which session, if in one. */
export interface Present {
  readonly accountId: string;
  readonly sessionId: string | undefined;
}

/**
 * Verification is slow: refuses a person who got another password, was disabled, or whose session was ended meanwhile. From then on until the transaction
 * ends, nobody replaces the password. `verified`: undefined = no password was asked for. Throws wrongLogin, notAuthenticated.
 */
export async function requireStill(
  trx: Db,
  now: Instant,
  { accountId, sessionId }: Present,
  verified: Verified | undefined,
): Promise<void> {
  if (!(await isVerifiedStill(trx, accountId, verified))) throw new Failure('wrongLogin');
  if (sessionId !== undefined && !(await livingSessions(trx, now, [sessionId])).has(sessionId))
    throw new Failure('notAuthenticated', { message: 'the session has ended' });
}
