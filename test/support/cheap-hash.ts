import { argon2Sync, randomBytes } from 'node:crypto';

const COST = { memory: 64, passes: 1, parallelism: 1 };

/** The stored form of a password, for accounts whose password is not what a test is about: checking it takes no time. */
export function cheaplyHashed(password: string): string {
  const nonce = randomBytes(16);
  const tag = argon2Sync('argon2id', {
    message: password.normalize('NFKC'),
    nonce,
    tagLength: 32,
    ...COST,
  });
  const [salt, hash] = [nonce, tag].map((bytes) => bytes.toString('base64').replace(/=+$/, ''));
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${salt}$${hash}`;
}
