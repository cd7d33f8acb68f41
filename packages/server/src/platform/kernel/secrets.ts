import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hash,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { systemClock } from './clock.ts';

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** A random string of `[A-Za-z0-9]`; 43 characters hold 256 bits. */
export function randomAlphanumeric(length = 43): string {
  let text = '';
  while (text.length < length) {
    // 248 = 4 x 62: larger bytes would favour the first letters of the alphabet.
    for (const byte of randomBytes(length))
      if (byte < 248 && text.length < length) text += ALPHANUMERIC[byte % 62];
  }
  return text;
}

// Without those that look alike on paper. 32, so that no letter is favoured.
const READABLE = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** A random text of capitals and digits that people can copy from paper. */
export const randomReadable = (length: number): string =>
  Array.from(randomBytes(length), (byte) => READABLE[byte % READABLE.length]).join('');

/** A random lower-case hexadecimal string of twice `bytes` characters. */
export const randomHex = (bytes: number): string => randomBytes(bytes).toString('hex');

/** SHA-256 of a machine secret: such secrets have at least 160 random bits, so no slow hash is needed. */
export const hashSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer');

/** Compares secrets in constant time; use no other comparison. Secrets of different lengths are unequal, not an error. */
export function equalSecrets(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

const VERSION = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts secrets that must be recoverable, such as KeySecrets. */
export interface SecretBox {
  /** `context` is bound to the ciphertext, so that a row copied to another place cannot be opened there. */
  seal(plain: string, context: string): Buffer;
  /** Throws if the key, the context or the bytes differ from those of `seal`. */
  open(sealed: Uint8Array, context: string): string;
}

/** AES-256-GCM; the first byte is the version of the format. */
export function createSecretBox(masterKey: Uint8Array): SecretBox {
  // If the key were passed as bytes, it would be prepared again for each use, which takes four times as long as the rest.
  const key = createSecretKey(masterKey);
  return {
    seal(plain, context) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(VERSION), iv, cipher.getAuthTag(), body]);
    },
    open(sealed, context) {
      if (sealed[0] !== VERSION)
        throw new Error(`unknown version ${sealed[0]} of an encrypted secret`);
      const iv = sealed.subarray(1, 1 + IV_BYTES);
      const tag = sealed.subarray(1 + IV_BYTES, 1 + IV_BYTES + TAG_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(context)).setAuthTag(tag);
      return (
        decipher.update(sealed.subarray(1 + IV_BYTES + TAG_BYTES), undefined, 'utf8') +
        decipher.final('utf8')
      );
    },
  };
}

/** Several keys, of which the first encrypts and any decrypts, while one replaces the other. */
export interface KeyRing extends SecretBox {
  /** The key that encrypts. */
  readonly current: Uint8Array;
  /** Encrypts with this key from now on. */
  adopt(masterKey: Uint8Array): void;
  /** Says when the present key has replaced the others, epoch ms: from then on, they open less and less. Infinity: they still open everything. */
  replaced(at: number): void;
}

/** What a link in an e-mail is bound to, which people may follow long after it was sent. */
export const LINK_IN_MAIL = 'news:stop';

/** How long a replaced key opens links in e-mails. */
export const LINKS_OPEN_MS = 30 * 86_400_000;

/** How long a replaced key opens everything: what browsers and forms hold lives for minutes. */
const REST_OPENS_MS = 15 * 60_000;

/** @param masterKeys one at least, the newest first */
export function createKeyRing(masterKeys: readonly Uint8Array[], now = systemClock.now): KeyRing {
  const ring = masterKeys.map((key) => ({ key, box: createSecretBox(key) }));
  let replacedAt = Infinity;
  return {
    get current() {
      return ring[0]!.key;
    },
    adopt(key) {
      if (equalSecrets(key, ring[0]!.key)) return;
      ring.unshift({ key, box: createSecretBox(key) });
      replacedAt = Infinity;
    },
    replaced: (at) => void (replacedAt = at),
    seal: (plain, context) => ring[0]!.box.seal(plain, context),
    open(sealed, context) {
      const lasts = context === LINK_IN_MAIL ? LINKS_OPEN_MS : REST_OPENS_MS;
      const keys = now() < replacedAt + lasts ? ring : ring.slice(0, 1);
      for (const { box } of keys.slice(0, -1)) {
        try {
          return box.open(sealed, context);
        } catch {
          // Another key may have encrypted it.
        }
      }
      return keys.at(-1)!.box.open(sealed, context);
    },
  };
}
