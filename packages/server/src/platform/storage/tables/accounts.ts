import type { Language } from '@helioport/contract';
import type { ColumnType, Generated } from 'kysely';
import type { Bytes, Flag, Instant, Json } from '../columns.ts';

export interface AccountTable {
  id: string;
  email: string;
  name: string;
  role: 'owner' | 'installer' | 'developer' | 'operator';
  passwordHash: string;
  /** argon2id over the md5 hex of the password, for the log-in of existing control clients. */
  legacyHash: string | null;
  timeZone: string;
  /** Of pages and messages; null = none was chosen. */
  language: Generated<Language | null>;
  createdAt: Instant;
  disabledAt: Instant | null;
  closedAt: Generated<Instant | null>;
  /** When the personal data of a closed account will be removed; null = it was, or the account is not closed. */
  removeAt: Generated<Instant | null>;
  /** What it asked for until then and still waits to be done is not done any more; null = all is. */
  requestsEndedAt: Generated<Instant | null>;
}

export interface KeyPairTable {
  id: string;
  accountId: string;
  label: string;
  secret: Bytes;
  canControl: Flag;
  /** JSON array of plant ids; null = every plant the account may see. */
  plantIds: Json | null;
  /** JSON array of CIDRs; null = any address. */
  cidrs: Json | null;
  /** 1 until the owner's next log-in activates the key. */
  pending: Flag;
  createdAt: Instant;
  expiresAt: Instant | null;
  disabledAt: Instant | null;
  lastUsedAt: Instant | null;
  lastUsedAddress: string | null;
  lastUsedPath: string | null;
}

export interface AuditEventTable {
  id: string;
  at: Instant;
  kind: string;
  /** The account that the event concerns and that may read it. */
  accountId: string | null;
  /** Who did it: `account:<id>`, `key:<id>`, `application:<id>`, `operator`, `service`. */
  actor: string;
  address: string | null;
  data: Json;
}

export interface SessionTable {
  hash: Bytes;
  /** Names the session to its account. */
  id: string;
  accountId: string;
  /** The listener at which somebody logged in. */
  entrance: 'oauth' | 'portal';
  createdAt: Instant;
  /** When it was last used, to a few minutes. */
  lastAt: Instant;
  expiresAt: Instant;
  /** From where and with which browser somebody logged in. */
  address: string | null;
  userAgent: string | null;
  /** Digest of the authorization request for which somebody logged in; its consent page is shown even if as much was granted before. */
  freshFor: Bytes | null;
}

export interface LogInAttemptTable {
  key: Bytes;
  /** When all attempts counted here are forgotten. */
  endsAt: Instant;
}

export interface KnownBrowserTable {
  hash: Bytes;
  accountId: string;
  lastAt: Instant;
}

/** What a link in an e-mail proves. */
export interface MailTokenTable {
  purpose: 'reset' | 'signUp';
  email: string;
  hash: Bytes;
  expiresAt: Instant;
}

/** A request for such a link. */
export interface MailTokenRequestTable {
  id: string;
  purpose: MailTokenTable['purpose'];
  email: string;
  /** Of the page from which it came. */
  language: Language;
  /** The network address from which it came. */
  address: string;
  createdAt: Instant;
}

/** What is left to do of an account that was closed, or whose data is being removed. */
export interface AccountClosingTable {
  accountId: string;
  /** What is newer stays. */
  at: Instant;
  actor: string;
  address: string | null;
  /** Where to go on; shape `Place` of closing/step.ts. */
  place: Json;
}

export interface OnceMarkTable {
  holder: string;
  digest: Bytes;
  expiresAt: Instant;
  /** The answer to a write of the portal, encrypted; null = none was kept. */
  answer: ColumnType<Uint8Array | null, Uint8Array | null | undefined, Uint8Array | null>;
}

/** An owner's permission that operators look at the owner's plants. */
export interface SupportPermissionTable {
  id: string;
  accountId: string;
  createdAt: Instant;
  expiresAt: Instant;
  endedAt: Instant | null;
  endedBy: 'owner' | 'operator' | null;
}

/** Something that an operator looked at. */
export interface SupportLookTable {
  permissionId: string;
  operatorId: string;
  operation: string;
  /** What was asked about; '' = nothing in particular. */
  subject: string;
  firstAt: Instant;
  lastAt: Instant;
  count: number;
}
