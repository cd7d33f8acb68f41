import { pbkdf2Sync, randomBytes } from 'node:crypto';

// As mosquitto_passwd writes them. More iterations would only slow the broker down, since tokens are random.
const ITERATIONS = 101;
const SALT_BYTES = 12;
const HASH_BYTES = 64;

/** The hash of a password in the format of Mosquitto’s password files: PBKDF2 over SHA-512. */
export function brokerHash(password: string): string {
  const salt = randomBytes(SALT_BYTES);
  const hash = pbkdf2Sync(password, salt, ITERATIONS, HASH_BYTES, 'sha512');
  return `$7$${ITERATIONS}$${salt.toString('base64')}$${hash.toString('base64')}`;
}
