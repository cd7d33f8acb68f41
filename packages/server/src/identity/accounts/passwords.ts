import { invalidValue } from '../../platform/kernel/failure.ts';
import { lazily } from '../../platform/kernel/lazily.ts';
import {
  hashPassword,
  legacyDigest,
  unmatchedHash,
} from '../../platform/kernel/passwords/password.ts';

/** The stored verifiers of a password, as argon2id PHC strings. `legacyHash` exists only if control clients may log in with a digest. */
export interface Verifiers {
  readonly passwordHash: string;
  readonly legacyHash: string | null;
}

const CHARACTERS_AT_LEAST = 10;
const CHARACTERS_AT_MOST = 1024;

/**
 * The verifiers of a new password. Deliberately slow: call it before the transaction.
 * Throws invalidValue for a password that is too short, too long, or on the list of common passwords.
 */
export async function makeVerifiers(password: string, legacyLogin: boolean): Promise<Verifiers> {
  await checkPassword(password);
  const [passwordHash, legacyHash] = await Promise.all([
    hashPassword(password),
    legacyLogin ? hashPassword(legacyDigest(password)) : null,
  ]);
  return { passwordHash, legacyHash };
}

/** The verifiers of an account that has no password yet. */
export const noPassword = (legacyLogin: boolean): Verifiers => ({
  passwordHash: unmatchedHash(),
  legacyHash: legacyLogin ? unmatchedHash() : null,
});

/** Throws invalidValue for a password that `makeVerifiers` would refuse. */
export async function checkPassword(password: string): Promise<void> {
  const length = [...password].length;
  if (length < CHARACTERS_AT_LEAST || length > CHARACTERS_AT_MOST)
    throw invalidValue('password', `${CHARACTERS_AT_LEAST} to ${CHARACTERS_AT_MOST} characters`);
  if ((await commonPasswords()).has(password.toLowerCase()))
    throw invalidValue('password', 'a password that is not among the most common ones');
}

// Loaded only when a password is set, which servers rarely do.
const commonPasswords = lazily(async (): Promise<ReadonlySet<string>> => {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(
    dictionary['passwords-common'].filter((password) => password.length >= CHARACTERS_AT_LEAST),
  );
});
