import type { Scope } from '@helioport/contract';

/** A plant owner or installer, who signs requests or is logged in at the portal. */
export interface UserCaller {
  readonly kind: 'user';
  readonly accountId: string;
  /** The key pair that signed; null in the portal. */
  readonly keyId: string | null;
  readonly canControl: boolean;
  /** The key's plant list; null = no restriction. */
  readonly plantIds: readonly string[] | null;
  /** The peer's network address, for the audit trail. */
  readonly address?: string;
  /** The operator who looks through this account's eyes, with its owner's permission: only reading is open to such a caller, and only the account's own plants. */
  readonly supporterId?: string;
  /** The session's id (not the secret in its cookie); only in the portal. */
  readonly sessionId?: string;
  /** True for an account with the role operator, to which only what concerns the account itself is open: no plant is within its reach. */
  readonly isOperator?: boolean;
}

/** A third-party platform acting under an owner's grant. It sees plants that the owner owns, never those shared with the owner. */
export interface ApplicationCaller {
  readonly kind: 'application';
  readonly applicationId: string;
  readonly grantId: string;
  /** The token's family: tokenFamily.codeHash in hexadecimal; null = whichever token it might show. */
  readonly tokenFamily: string | null;
  /** The granting owner. */
  readonly accountId: string;
  readonly scopes: readonly Scope[];
  /** The plants chosen when the owner consented; null = all that the owner has, including future ones. */
  readonly plantIds: readonly string[] | null;
}

/** A third-party platform with its own credentials, about itself: no owner has to do with it, and no plant. */
export interface ClientCaller {
  readonly kind: 'client';
  readonly applicationId: string;
  /** The id of the client secret that was shown. */
  readonly secretId: string;
  readonly accountId: null;
  readonly plantIds: null;
}

/** The person who may run commands on the installation. */
export interface OperatorCaller {
  readonly kind: 'operator';
  /** The account to whose plants and data the operator is limited; null = no limit. */
  readonly accountId: string | null;
  readonly plantIds: null;
}

/**
 * An account with the role operator at the console, which sees to accounts, applications and the service's health. No plant is within its reach:
 * `reachOf` refuses it.
 */
export interface ConsoleCaller {
  readonly kind: 'console';
  /** Who it is. */
  readonly operatorId: string;
  /** The session's id (not the secret in its cookie). */
  readonly sessionId: string;
  /** It acts for nobody's account; a request names whose it concerns. */
  readonly accountId: null;
  readonly plantIds: null;
  /** The peer's network address, for the audit trail. */
  readonly address: string;
}

/** Who calls an operation. This is all that an operation knows about the door. */
export type Caller = UserCaller | ApplicationCaller | ClientCaller | ConsoleCaller | OperatorCaller;
