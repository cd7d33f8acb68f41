import { pbkdf2Sync, randomBytes } from 'node:crypto';

// What mosquitto_passwd writes. More iterations would only slow the broker down: a token has 256 random bits.
const ITERATIONS = 101;
const SALT_BYTES = 12;
const HASH_BYTES = 64;

/** What an external broker checks a password with, in the form of Mosquitto’s password files: PBKDF2 over SHA-512. */
export function brokerHash(password: string): string {
  const salt = randomBytes(SALT_BYTES);
  const hash = pbkdf2Sync(password, salt, ITERATIONS, HASH_BYTES, 'sha512');
  return `$7$${ITERATIONS}$${salt.toString('base64')}$${hash.toString('base64')}`;
}
