import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../kernel/failure.ts';
import type { Turn } from '../kernel/bounded-queue.ts';
import { hashPassword, verifyPassword } from '../kernel/password.ts';
import { randomAlphanumeric } from '../kernel/secrets.ts';
import type { Db } from '../storage/database.ts';
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

  constructor(accountId: string, methods: readonly FactorMethod[]) {
    super('a second factor is needed');
    this.accountId = accountId;
    this.methods = methods;
  }
}

/**
 * Verifies a log-in and activates the keys that waited for it. Sessions and throttling
 * are left to the calling function; the actor of the audit events is the account itself.
 * Throws wrongLogin: one answer for an unknown address, a wrong password, a disabled account and one that may not; FactorNeeded.
 */
export async function logIn(db: Db, act: Omit<Act, 'actor'>, credentials: Credentials, turn?: Turn): Promise<Account> {
  const known = await findAccountByEmail(db, credentials.email);
  const verified = await verifyProof(db, known?.id, credentials, turn);
  const account = await db.transaction().execute(async (trx) => {
    // The account is read again, because verification is so slow that it may have been disabled meanwhile.
    const present = verified && known ? await findAccount(trx, known.id) : undefined;
    if (!present || present.disabledAt !== null || (credentials.accountId ?? present.id) !== present.id) {
      await recordAudit(trx, { ...act, actor: 'service' }, { kind: 'logIn.refused', accountId: known?.id ?? null });
      return undefined;
    }
    const by: Act = { ...act, actor: `account:${present.id}` };
    // Programs log in with a digest. They get neither a session nor an active key for it, so no second factor is asked for (ADR 0036).
    const methods = 'password' in credentials ? await methodsOf(trx, present.id) : [];
    if (methods.length > 0) return new FactorNeeded(present.id, methods);
    await recordAudit(trx, by, { kind: 'logIn.succeeded', accountId: present.id });
    if ('password' in credentials) await activateWaitingKeys(trx, by, present.id);
    return present;
  });
  if (!account) throw new Failure('wrongLogin');
  if (account instanceof FactorNeeded) throw account;
  return account;
}

/**
 * Completes a log-in with a factor other than the password, which `use` consumes in the same transaction, and activates the keys that waited for
 * it. Throws wrongFactor, also if the account was disabled meanwhile.
 */
export async function completeLogIn(db: Db, act: Omit<Act, 'actor'>, accountId: string, use: (trx: Db, act: Act) => Promise<FactorMethod>): Promise<void> {
  const by: Act = { ...act, actor: `account:${accountId}` };
  await db
    .transaction()
    .execute(async (trx) => {
      const account = await findAccount(trx, accountId);
      if (!account || account.disabledAt !== null) throw new Failure('wrongFactor');
      const factor = await use(trx, by);
      await recordAudit(trx, by, { kind: 'logIn.succeeded', accountId, data: { factor } });
      await activateWaitingKeys(trx, by, accountId);
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
 * a stolen session does not help to guess them; wrong ones are recorded in the audit trail.
 * Throws wrongLogin, secondFactorRequired, wrongFactor, tooManyRequests.
 */
export async function verifyIdentity(
  db: Db,
  sources: FactorSources,
  act: Act,
  accountId: string,
  { password, secondFactor }: Identity,
  operation: string,
): Promise<void> {
  const account = await findAccount(db, accountId);
  const admitted = await admitLogIn(db, act.at, { email: account?.email ?? '', address: act.address ?? '', browser: undefined });
  if (admitted.delayMs > 0) await pause(admitted.delayMs);
  if (!(await verifyProof(db, accountId, { password }, { first: true }))) {
    await recordAudit(db, act, { kind: 'logIn.refused', accountId: account?.id ?? null, data: { operation } });
    throw new Failure('wrongLogin');
  }
  await admitted.succeeded();
  const methods = await methodsOf(db, accountId);
  if (methods.length === 0) return;
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
}

// The hash to verify against if the account does not exist, so that the refusal takes as long as that of a wrong password.
let decoy: Promise<string> | undefined;

async function verifyProof(db: Db, accountId: string | undefined, proof: Proof, turn?: Turn): Promise<boolean> {
  decoy ??= hashPassword(randomAlphanumeric());
  const nobody = await decoy;
  const [column, secret] = 'password' in proof ? (['passwordHash', proof.password] as const) : (['legacyHash', proof.digest.toLowerCase()] as const);
  const row = await db
    .selectFrom('account')
    .select(`${column} as phc`)
    .where('id', '=', accountId ?? '')
    .executeTakeFirst();
  const phc = row?.phc ?? nobody;
  return (await verifyPassword(phc, secret, turn)) && phc !== nobody;
}

/** Activates keys that were waiting for their owner's next log-in. interface S27 */
async function activateWaitingKeys(trx: Db, act: Act, accountId: string): Promise<void> {
  const keys = await trx.updateTable('keyPair').set({ pending: 0 }).where('accountId', '=', accountId).where('pending', '=', 1).returning('id').execute();
  for (const { id } of keys) await recordAudit(trx, act, { kind: 'key.activated', accountId, data: { keyId: id } });
}
