import type { Turn } from '../../platform/kernel/bounded-queue.ts';
import { lazily } from '../../platform/kernel/lazily.ts';
import { hashPassword, verifyPassword } from '../../platform/kernel/passwords/password.ts';
import { randomAlphanumeric } from '../../platform/kernel/secrets.ts';
import type { Db } from '../../platform/storage/database.ts';
import { forChange } from '../../platform/storage/lock.ts';

/** What a person typed, or the digest that existing control clients send instead (interface S29). */
export type Proof = { readonly password: string } | { readonly digest: string };

/** The hash that a proof was verified against. */
export interface Verified {
  readonly column: 'passwordHash' | 'legacyHash';
  readonly phc: string;
}

/**
 * Whether an account is not disabled and has the same password as when it was verified. From then on until the transaction ends nobody replaces it:
 * what it begins is there for the person who does so afterwards to end.
 */
export async function isVerifiedStill(
  trx: Db,
  accountId: string,
  verified: Verified | undefined,
): Promise<boolean> {
  const active = trx
    .selectFrom('account')
    .select('id')
    .where('id', '=', accountId)
    .where('disabledAt', 'is', null);
  const same = verified ? active.where(verified.column, '=', verified.phc) : active;
  return (await forChange(trx, same).executeTakeFirst()) !== undefined;
}

// The hash to verify against if the account does not exist, so that the refusal takes as long as that of a wrong password.
const decoy = lazily(() => hashPassword(randomAlphanumeric()));

/** Verifies what somebody typed against the account's hash; undefined = it is wrong, or there is no such account. */
export async function verifyProof(
  db: Db,
  accountId: string | undefined,
  proof: Proof,
  turn?: Turn,
): Promise<Verified | undefined> {
  const nobody = await decoy();
  const [column, secret] =
    'password' in proof
      ? (['passwordHash', proof.password] as const)
      : (['legacyHash', proof.digest.toLowerCase()] as const);
  const row = await db
    .selectFrom('account')
    .select(`${column} as phc`)
    .where('id', '=', accountId ?? '')
    .executeTakeFirst();
  const phc = row?.phc ?? nobody;
  return (await verifyPassword(phc, secret, turn)) && phc !== nobody ? { column, phc } : undefined;
}
