import type { Generated } from 'kysely';
import type { Bytes, Instant, Json } from '../columns.ts';

/** The authenticator app of an account. */
export interface TotpTable {
  accountId: string;
  /** Sealed with the account as context. */
  secret: Bytes;
  createdAt: Instant;
  /** null until a code has shown that the app has the secret; it is not asked for before. */
  confirmedAt: Generated<Instant | null>;
  /** The time step of the last code that was used. */
  lastStep: Generated<number>;
}

/** A code for somebody who has lost the other factors; deleted when it is used. */
export interface RecoveryCodeTable {
  hash: Bytes;
  accountId: string;
}

export interface PasskeyTable {
  id: string;
  accountId: string;
  credentialId: Bytes;
  /** COSE. */
  publicKey: Bytes;
  /** How often the authenticator has signed, if it counts; 0 = it does not. */
  counter: number;
  /** JSON array: how browsers reach the authenticator. */
  transports: Json;
  name: string;
  createdAt: Instant;
  lastUsedAt: Generated<Instant | null>;
}
