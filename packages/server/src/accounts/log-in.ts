import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../kernel/failure.ts';
import type { Turn } from '../kernel/bounded-queue.ts';
import { hashPassword, verifyPassword } from '../kernel/password.ts';
import { randomAlphanumeric } from '../kernel/secrets.ts';
import type { Db } from '../storage/database.ts';
import { engineOf } from '../storage/engine.ts';
import { findAccount, findAccountByEmail, type Account } from './accounts.ts';
import { recordAudit, type Act } from './audit.ts';
import type { FactorSources } from './factors/factor-sources.ts';
import { admitFactor, consumeFactor, factorRequest, methodsOf, type FactorMethod } from './factors/second-factor.ts';
import { admitLogIn } from './log-in-throttle.ts';

/** What a person typed, or the digest that existing control clients send instead (interface S29). */
export type Proof = { readonly password: string } | { readonly digest: string };

/** Who wants to log in; `accountId`: the only account that may. */
export type Credentials = { readonly email: string; readonly accountId?: string } & Proof;

/** The password was right, but the account has second factors: until one of them was used, there is no session, and no key becomes active. */
export class FactorNeeded extends Error {
  override readonly name = 'FactorNeeded';
  readonly accountId: string;
  readonly methods: readonly FactorMethod[];
  /** Of the password that was right. */
  readonly passwordHash: string;

  constructor(accountId: string, methods: readonly FactorMethod[], passwordHash: string) {
    super('a second factor is needed');
    this.accountId = accountId;
    this.methods = methods;
    this.passwordHash = passwordHash;
  }
}

/**
 * Verifies a log-in and activates the keys that waited for it. Throttling is left to the calling function, and sessions to `begin`, which runs in the
 * same transaction; the actor of the audit events is the account itself.
 * Throws wrongLogin: one answer for an unknown address, a wrong password, a disabled account and one that may not; FactorNeeded.
 */
export async function logIn(
  db: Db,
  act: Omit<Act, 'actor'>,
  credentials: Credentials,
  turn?: Turn,
  begin?: (trx: Db, accountId: string) => Promise<void>,
): Promise<Account> {
  const known = await findAccountByEmail(db, credentials.email);
  const verified = await verifyProof(db, known?.id, credentials, turn);
  const account = await db.transaction().execute(async (trx) => {
    // Verification is so slow that the account may have been disabled or got another password meanwhile.
    const present = verified && known && (await isVerifiedStill(trx, known.id, verified)) ? await findAccount(trx, known.id) : undefined;
    if (!verified || !present || (credentials.accountId ?? present.id) !== present.id) {
      await recordAudit(trx, { ...act, actor: 'service' }, { kind: 'logIn.refused', accountId: known?.id ?? null });
      return undefined;
    }
    const by: Act = { ...act, actor: `account:${present.id}` };
    // Programs log in with a digest. They get neither a session nor an active key for it, so no second factor is asked for (ADR 0036).
    const methods = 'password' in credentials ? await methodsOf(trx, present.id) : [];
    if (methods.length > 0) return new FactorNeeded(present.id, methods, verified.phc);
    await recordAudit(trx, by, { kind: 'logIn.succeeded', accountId: present.id });
    if ('password' in credentials) await activateWaitingKeys(trx, by, present.id);
    await begin?.(trx, present.id);
    return present;
  });
  if (!account) throw new Failure('wrongLogin');
  if (account instanceof FactorNeeded) throw account;
  return account;
}

/** Whose log-in is completed; `passwordHash`: of the password that was right before, if one was asked for. */
interface LogInBegun {
  readonly accountId: string;
  readonly passwordHash?: string;
}

/**
 * Completes a log-in with a factor other than the password, which `use` consumes, and activates the keys that waited for it; `begin` begins the
 * session in the same transaction. Throws wrongFactor, also if the account was disabled or got another password meanwhile.
 */
export async function completeLogIn<T>(
  db: Db,
  act: Omit<Act, 'actor'>,
  { accountId, passwordHash }: LogInBegun,
  use: (trx: Db, act: Act) => Promise<FactorMethod>,
  begin: (trx: Db, accountId: string) => Promise<T>,
): Promise<T> {
  const by: Act = { ...act, actor: `account:${accountId}` };
  return db
    .transaction()
    .execute(async (trx) => {
      const proof = passwordHash === undefined ? undefined : ({ column: 'passwordHash', phc: passwordHash } as const);
      if (!(await isVerifiedStill(trx, accountId, proof))) throw new Failure('wrongFactor');
      const factor = await use(trx, by);
      await recordAudit(trx, by, { kind: 'logIn.succeeded', accountId, data: { factor } });
      await activateWaitingKeys(trx, by, accountId);
      return begin(trx, accountId);
    })
    .catch(async (error: unknown) => {
      if (error instanceof Failure && error.code === 'wrongFactor')
        await recordAudit(db, { ...act, actor: 'service' }, { kind: 'logIn.refused', accountId, data: { step: 'second factor' } });
      throw error;
    });
}

/** How somebody who is already logged in proves once more who it is. */
export interface Identity {
  readonly password: string;
  /** Asked for if the account has second factors. */
  readonly secondFactor?: string | undefined;
}

/**
 * Verifies the password and the second factor of somebody who is already logged in and asks for `operation`. Attempts count like log-ins, so that
 * a stolen session does not help to guess them; wrong ones are recorded in the audit trail. Returns what was verified, for `isVerifiedStill`.
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
  const admitted = await admitLogIn(db, act.at, { email: account?.email ?? '', address: act.address ?? '', browser: undefined });
  if (admitted.delayMs > 0) await pause(admitted.delayMs);
  const verified = await verifyProof(db, accountId, { password }, { first: true });
  if (!verified) {
    await recordAudit(db, act, { kind: 'logIn.refused', accountId: account?.id ?? null, data: { operation } });
    throw new Failure('wrongLogin');
  }
  await admitted.succeeded();
  const methods = await methodsOf(db, accountId);
  if (methods.length === 0) return verified;
  if (secondFactor === undefined) throw new Failure('secondFactorRequired', { data: { ...(await factorRequest(db, sources, act.at, accountId, methods)) } });
  const counted = await admitFactor(db, act.at, accountId, secondFactor, { known: 'identity' });
  await db
    .transaction()
    .execute((trx) => consumeFactor(trx, sources, act, accountId, secondFactor))
    .catch(async (error: unknown) => {
      if (error instanceof Failure) await recordAudit(db, act, { kind: 'logIn.refused', accountId, data: { operation, step: 'second factor' } });
      throw error;
    });
  await counted.succeeded();
  return verified;
}

/** The hash that a proof was verified against. */
interface Verified {
  readonly column: 'passwordHash' | 'legacyHash';
  readonly phc: string;
}

/**
 * Whether an account is not disabled and has the same password as when it was verified. From then on until the transaction ends nobody replaces it:
 * what it begins is there for whoever does so afterwards to end.
 */
export async function isVerifiedStill(trx: Db, accountId: string, verified: Verified | undefined): Promise<boolean> {
  const active = trx.selectFrom('account').select('id').where('id', '=', accountId).where('disabledAt', 'is', null);
  const same = verified ? active.where(verified.column, '=', verified.phc) : active;
  return (await (engineOf(trx) === 'postgres' ? same.forNoKeyUpdate() : same).executeTakeFirst()) !== undefined;
}

// The hash to verify against if the account does not exist, so that the refusal takes as long as that of a wrong password.
let decoy: Promise<string> | undefined;

async function verifyProof(db: Db, accountId: string | undefined, proof: Proof, turn?: Turn): Promise<Verified | undefined> {
  decoy ??= hashPassword(randomAlphanumeric());
  const nobody = await decoy;
  const [column, secret] = 'password' in proof ? (['passwordHash', proof.password] as const) : (['legacyHash', proof.digest.toLowerCase()] as const);
  const row = await db
    .selectFrom('account')
    .select(`${column} as phc`)
    .where('id', '=', accountId ?? '')
    .executeTakeFirst();
  const phc = row?.phc ?? nobody;
  return (await verifyPassword(phc, secret, turn)) && phc !== nobody ? { column, phc } : undefined;
}

/** Activates keys that were waiting for their owner's next log-in. interface S27 */
async function activateWaitingKeys(trx: Db, act: Act, accountId: string): Promise<void> {
  const keys = await trx.updateTable('keyPair').set({ pending: 0 }).where('accountId', '=', accountId).where('pending', '=', 1).returning('id').execute();
  for (const { id } of keys) await recordAudit(trx, act, { kind: 'key.activated', accountId, data: { keyId: id } });
}
