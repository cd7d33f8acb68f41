import type { Generated } from 'kysely';
import type { Bytes, Instant } from '../columns.ts';

/** An e-mail that was not sent yet. */
export interface MailTable {
  id: string;
  /** null = somebody without an account. */
  accountId: string | null;
  address: string;
  /** The letter, sealed with the id as context. */
  letter: Bytes;
  createdAt: Instant;
  /** Not sent after this time. */
  expiresAt: Instant;
  /** Why the last attempt failed. */
  fault: Generated<string | null>;
}
