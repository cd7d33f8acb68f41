import { argon2, createHash, randomBytes, type Argon2Parameters } from 'node:crypto';
import { promisify } from 'node:util';
import { createBoundedQueue, type QueueTurn } from '../bounded-queue.ts';
import { deriveInThread } from './password-thread.ts';
import { equalSecrets } from '../secrets.ts';

const derive = promisify(argon2);

// OWASP's second recommendation for argon2id: 19 MiB, two passes, one lane.
const COST = { memory: 19456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const TAG_BYTES = 32;

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/={1,2}$/, '');

/** Hashes a password to a PHC string: `$argon2id$v=19$m=...,t=...,p=...$salt$tag`. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(SALT_BYTES);
  return phcOf(nonce, await derive('argon2id', parametersOf(password, nonce, COST, TAG_BYTES)));
}

/** A PHC string that no password matches, and whose verification takes as long as any other. */
export const unmatchedHash = (): string => phcOf(randomBytes(SALT_BYTES), randomBytes(TAG_BYTES));

const phcOf = (nonce: Buffer, tag: Buffer): string =>
  `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${unpadded(nonce)}$${unpadded(tag)}`;

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

// There is one queue because the process has one thread for passwords. A hundred passwords take about five seconds.
const verifications = createBoundedQueue({
  runningAtMost: 1,
  waitingAtMost: 100,
  waitingOfOriginAtMost: 20,
  retryAfterSeconds: 5,
});

/**
 * Checks a password against a PHC string of any cost; a string in another format never matches. One check runs at a
 * time. Throws tooManyRequests while too many wait.
 */
export function verifyPassword(phc: string, password: string, turn?: QueueTurn): Promise<boolean> {
  return verifications.run(() => verify(phc, password), turn);
}

async function verify(phc: string, password: string): Promise<boolean> {
  const match = PHC.exec(phc);
  if (!match) return false;
  const [, memory, passes, parallelism, salt = '', tag = ''] = match;
  const expected = Buffer.from(tag, 'base64');
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  return equalSecrets(
    await deriveInThread(
      parametersOf(password, Buffer.from(salt, 'base64'), cost, expected.length),
    ),
    expected,
  );
}

const parametersOf = (
  password: string,
  nonce: Buffer,
  cost: typeof COST,
  tagLength: number,
): Argon2Parameters => ({
  message: password.normalize('NFKC'),
  nonce,
  tagLength,
  ...cost,
});

/** The digest that existing control clients send instead of the password (interface S29). */
export const legacyDigest = (password: string): string =>
  createHash('md5').update(password, 'utf8').digest('hex');
