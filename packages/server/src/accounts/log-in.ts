import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../kernel/failure.ts';
import type { Turn } from '../kernel/bounded-queue.ts';
import { hashPassword, verifyPassword } from '../kernel/password.ts';
import { randomAlphanumeric } from '../kernel/secrets.ts';
import type { Db } from '../storage/database.ts';
import { findAccount, findAccountByEmail, type Account } from './accounts.ts';
import { recordAudit, type Act } from './audit.ts';
import { admitLogIn } from './log-in-throttle.ts';

/** What a person typed, or the digest that existing control clients send instead (interface S29). */
export type Proof = { readonly password: string } | { readonly digest: string };

/** Who wants to log in; `accountId`: the only account that may. */
export type Credentials = { readonly email: string; readonly accountId?: string } & Proof;

/**
 * Verifies a log-in and activates the keys that waited for it. Sessions and throttling
 * are left to the calling function; the actor of the audit events is the account itself.
 * Throws wrongLogin: one answer for an unknown address, a wrong password, a disabled account and one that may not.
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
    await recordAudit(trx, by, { kind: 'logIn.succeeded', accountId: present.id });
    // Programs log in with a digest, but only a person's log-in may activate a waiting key.
    if ('password' in credentials) await activateWaitingKeys(trx, by, present.id);
    return present;
  });
  if (!account) throw new Failure('wrongLogin');
  return account;
}

/**
 * Verifies the password of somebody who is already logged in and asks for `operation`. Attempts count like log-ins, so that a stolen
 * session does not help to guess the password; wrong passwords are recorded in the audit trail. Throws wrongLogin, tooManyRequests.
 */
export async function verifyIdentity(db: Db, act: Act, accountId: string, password: string, operation: string): Promise<void> {
  const account = await findAccount(db, accountId);
  const admitted = await admitLogIn(db, act.at, { email: account?.email ?? '', address: act.address ?? '', browser: undefined });
  if (admitted.delayMs > 0) await pause(admitted.delayMs);
  if (!(await verifyProof(db, accountId, { password }, { first: true }))) {
    await recordAudit(db, act, { kind: 'logIn.refused', accountId: account?.id ?? null, data: { operation } });
    throw new Failure('wrongLogin');
  }
  await admitted.succeeded();
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
