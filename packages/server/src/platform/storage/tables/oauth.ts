import type { Generated } from 'kysely';
import type { Bytes, Flag, Instant, Json } from '../columns.ts';

export interface ApplicationTable {
  id: string;
  clientId: string;
  /** Unique, so that an operator can refer to the application by it. */
  name: string;
  /** What a person might take the name for (look-alike.ts), unique; null = it was registered before this was kept. */
  nameKey: Generated<string | null>;
  /** The developer's account; null for an application that the operator created for nobody in particular. */
  ownerId: string | null;
  purpose: string;
  homePage: string | null;
  /** The registered redirect URI, compared byte for byte. */
  redirectUri: string;
  /** Bits of the contract's scopes that it may ask for. */
  scopes: number;
  /** Bits of those that its developer asked for; the operator may have granted less. */
  askedScopes: number;
  status: 'submitted' | 'approved' | 'rejected';
  challengeRequired: Flag;
  /** 1 if it may introspect any token. */
  resourceServer: Flag;
  createdAt: Instant;
  decidedAt: Instant | null;
  disabledAt: Instant | null;
  /** When it was last enabled or approved anew, or got other scopes. */
  resumedAt: Generated<Instant | null>;
  /** Why it was rejected. */
  reason: string | null;
  /** When its developer last stated what it is. */
  submittedAt: Instant;
  /** When it was first approved. */
  approvedAt: Instant | null;
}

export interface ApplicationSecretTable {
  hash: Bytes;
  id: string;
  applicationId: string;
  createdAt: Instant;
  expiresAt: Instant | null;
  lastUsedAt: Instant | null;
  /** Its last characters; null = it was made before they were kept. */
  ending: string | null;
}

export interface ApplicationRefusalTable {
  applicationId: string;
  endpoint: string;
  reason: string;
  firstAt: Instant;
  lastAt: Instant;
  lastRequestId: string;
  count: number;
}

/** What an application asked for and was sent on one day of an owner's calendar. */
export interface ApplicationUseTable {
  accountId: string;
  applicationId: string;
  /** Days since 1970-01-01. */
  day: number;
  reads: number;
  writes: number;
  forwarded: number;
  /** When it last asked for something; null = it was only sent events. */
  lastAt: Instant | null;
}

export interface OauthGrantTable {
  id: string;
  applicationId: string;
  accountId: string;
  scopes: number;
  /** JSON array of plant ids; null = all plants that the account owns, including future ones. */
  plantIds: Json | null;
  createdAt: Instant;
  changedAt: Instant;
  /** When its tokens were last refreshed, to the day. */
  refreshedAt: Instant | null;
  revokedAt: Instant | null;
  revokedBy: string | null;
  /** Since when it gives access to plants, if later than `createdAt`; shape `AccessSince`. */
  accessSince: Generated<Json | null>;
}

/** From an authorization code to the last token pair that resulted from it: see oauth/families.ts. */
export interface TokenFamilyTable {
  codeHash: Bytes;
  grantId: string;
  applicationId: string;
  accountId: string;
  scopes: number;
  redirectUri: string;
  /** S256 of the verifier; empty without PKCE. */
  challenge: string;
  createdAt: Instant;
  codeExpiresAt: Instant;
  codeAttempts: number;
  codeUsedAt: Instant | null;
  /** Hash of the part that all refresh tokens of the family share. */
  familyHash: Bytes | null;
  refreshHash: Bytes | null;
  /** The refresh token before the current one. */
  spentRefreshHash: Bytes | null;
  refreshExpiresAt: Instant | null;
  accessHash: Bytes | null;
  accessScopes: number | null;
  accessExpiresAt: Instant | null;
  /** When the grant had last been refreshed before the current pair was issued. */
  grantRefreshedAt: Instant | null;
  /** When the current pair was issued, which is also when the one before it was spent. */
  issuedAt: Instant | null;
  previousIssuedAt: Instant | null;
  /** The time until which tokenAnswer may hold answers of this family. */
  answersUntil: Instant;
  endedAt: Instant | null;
  endedBy: string | null;
  /** When housekeeping may delete the row. */
  removeAt: Instant;
}

export interface TokenAnswerTable {
  applicationId: string;
  keyHash: Bytes;
  bodyHash: Bytes;
  codeHash: Bytes;
  grantId: string;
  sealed: Bytes;
  expiresAt: Instant;
}

export interface ConsentTicketTable {
  hash: Bytes;
  sessionHash: Bytes;
  request: Bytes;
  expiresAt: Instant;
  /** Digest of what was decided; null = not submitted yet. From then on, `expiresAt` is when the answer is forgotten. */
  decision: Bytes | null;
  /** The code that was issued, encrypted under the master key. */
  sealedCode: Bytes | null;
}
