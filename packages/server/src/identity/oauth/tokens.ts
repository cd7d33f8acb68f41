import { crc32 } from 'node:zlib';
import { hashSecret, randomAlphanumeric } from '../../platform/kernel/secrets.ts';

// Prefixes let secret scanners recognize tokens that have leaked; `_` is legal in a Bearer header (RFC 6750 2.1).
const PREFIXES = { access: 'hpa_', refresh: 'hpr_', code: 'hpc_' } as const;

type Kind = keyof typeof PREFIXES;

// 30 characters of [A-Za-z0-9] hold 178 bits.
const PART_LENGTH = 30;
const CHECK_LENGTH = 6;
const PARTS: Record<Kind, number> = { access: 1, refresh: 2, code: 1 };

const checkOf = (text: string): string =>
  crc32(text).toString(36).padStart(7, '0').slice(-CHECK_LENGTH);

/** A new random secret, shown once; only its hash is stored. */
export interface Minted {
  readonly text: string;
  readonly hash: Buffer;
}

function mint(kind: Kind, body: string): Minted {
  const text = PREFIXES[kind] + body + checkOf(body);
  return { text, hash: hashSecret(text) };
}

export const mintCode = (): Minted => mint('code', randomAlphanumeric(PART_LENGTH));
export const mintAccessToken = (): Minted => mint('access', randomAlphanumeric(PART_LENGTH));

/**
 * A refresh token has two secret parts: one that all refresh tokens of its family
 * share, so that even a spent one leads to the family, and one of its own.
 */
export function mintRefreshToken(
  family: string = randomAlphanumeric(PART_LENGTH),
): Minted & { readonly familyHash: Buffer } {
  return {
    ...mint('refresh', family + randomAlphanumeric(PART_LENGTH)),
    familyHash: hashSecret(family),
  };
}

/** A token or code as a client presented it; its prefix tells the kind. */
export type Presented =
  | { readonly kind: 'access'; readonly hash: Buffer }
  | { readonly kind: 'code'; readonly hash: Buffer }
  | {
      readonly kind: 'refresh';
      readonly hash: Buffer;
      readonly family: string;
      readonly familyHash: Buffer;
    };

/** Parses a token or code. Undefined if its prefix, length or checksum is wrong, so that junk never reaches the database. */
export function readAccessToken(text: string): Presented | undefined {
  const kind = (Object.keys(PREFIXES) as Kind[]).find((candidate) =>
    text.startsWith(PREFIXES[candidate]),
  );
  if (!kind) return undefined;
  const body = text.slice(PREFIXES[kind].length, -CHECK_LENGTH);
  if (
    body.length !== PARTS[kind] * PART_LENGTH ||
    !/^[A-Za-z0-9]+$/.test(body) ||
    !text.endsWith(checkOf(body))
  )
    return undefined;
  const hash = hashSecret(text);
  if (kind !== 'refresh') return { kind, hash };
  const family = body.slice(0, PART_LENGTH);
  return { kind, hash, family, familyHash: hashSecret(family) };
}
