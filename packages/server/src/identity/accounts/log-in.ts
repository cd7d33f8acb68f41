import { Failure } from '../../platform/kernel/failure.ts';
import type { QueueTurn } from '../../platform/kernel/bounded-queue.ts';
import type { Db } from '../../platform/storage/database.ts';
import { findAccount, findAccountByEmail, type Account } from './accounts.ts';
import { recordAudit, type Act } from './audit.ts';
import { methodsOf, type FactorMethod } from './factors/second-factor.ts';
import { isVerifiedStill, verifyProof, type IdentityProof } from './proof.ts';

/** Who wants to log in; `accountId`: the only account that may. */
export type LogInCredentials = {
  readonly email: string;
  readonly accountId?: string;
} & IdentityProof;

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
  credentials: LogInCredentials,
  turn?: QueueTurn,
  begin?: (trx: Db, accountId: string) => Promise<void>,
): Promise<Account> {
  const known = await findAccountByEmail(db, credentials.email);
  const verified = await verifyProof(db, known?.id, credentials, turn);
  const account = await db.transaction().execute(async (trx) => {
    // Verification is so slow that the account may have been disabled or got another password meanwhile.
    const present =
      verified && known && (await isVerifiedStill(trx, known.id, verified))
        ? await findAccount(trx, known.id)
        : undefined;
    if (!verified || !present || (credentials.accountId ?? present.id) !== present.id) {
      await recordAudit(
        trx,
        { ...act, actor: 'service' },
        { kind: 'logIn.refused', accountId: known?.id ?? null },
      );
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
      const proof =
        passwordHash === undefined
          ? undefined
          : ({ column: 'passwordHash', phc: passwordHash } as const);
      if (!(await isVerifiedStill(trx, accountId, proof))) throw new Failure('wrongFactor');
      const factor = await use(trx, by);
      await recordAudit(trx, by, { kind: 'logIn.succeeded', accountId, data: { factor } });
      await activateWaitingKeys(trx, by, accountId);
      return begin(trx, accountId);
    })
    .catch(async (error: unknown) => {
      if (error instanceof Failure && error.code === 'wrongFactor')
        await recordAudit(
          db,
          { ...act, actor: 'service' },
          { kind: 'logIn.refused', accountId, data: { step: 'second factor' } },
        );
      throw error;
    });
}

/** Activates keys that were waiting for their owner's next log-in. interface S27 */
async function activateWaitingKeys(trx: Db, act: Act, accountId: string): Promise<void> {
  const keys = await trx
    .updateTable('keyPair')
    .set({ pending: 0 })
    .where('accountId', '=', accountId)
    .where('pending', '=', 1)
    .returning('id')
    .execute();
  for (const { id } of keys)
    await recordAudit(trx, act, { kind: 'key.activated', accountId, data: { keyId: id } });
}
