import type { Clock } from '../../../platform/kernel/clock.ts';
import type { IdSource } from '../../../platform/kernel/ids.ts';
import type { Db } from '../../../platform/storage/database.ts';
import type { FastifyRequest } from 'fastify';
import type { Act, Actor } from '../../../identity/accounts/audit.ts';
import type { FactorSources } from '../../../identity/accounts/factors/factor-sources.ts';
import type { Lifetimes } from '../../../identity/oauth/families.ts';
import type { FailureLimit } from '../http/failure-limit.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import type { Observability } from '../http/observability.ts';
import type { Cookies } from '../http/session-cookie.ts';

import type { OauthMetrics } from './metrics.ts';
import type { RefusalCounts } from '../../../identity/oauth/refusal-counts.ts';

/** The dependencies of the authorization endpoints. */
export interface AuthorizationDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** The issuer: the public address without a trailing slash. */
  readonly oauthUrl: string;
  /** Whether to send `iss` in every authorization response. RFC 9207 */
  readonly issuerParameter: boolean;
  /** Where people choose a new password if they have forgotten theirs; undefined = this installation sends no e-mails. */
  readonly resetUrl: string | undefined;
  /** Where people make an account; undefined = the operator makes them. */
  readonly signUpUrl: string | undefined;
  /** Where people end authorizations themselves; undefined = the operator ends them. */
  readonly authorizationsUrl: string | undefined;
  readonly cookies: Cookies;
  readonly factors: FactorSources;
  readonly lifetimes: Lifetimes;
  /** Failed client authentications, counted by address. */
  readonly failedClients: FailureLimit;
  readonly refusalCounts: RefusalCounts;
  /** What people who are signed in ask for. */
  readonly rateLimit: RateLimit;
  /** What applications ask for. */
  readonly clientLimit: RateLimit;
  readonly metrics: OauthMetrics;
  readonly observability: Observability;
  readonly isUnavailable: (error: unknown) => boolean;
}

/** The audit context of the changes that a request makes. */
export const visitorActOf = (
  { clock, ids }: AuthorizationDeps,
  request: FastifyRequest,
  actor: Actor,
): Act => ({
  at: clock.now(),
  actor,
  address: request.ip,
  newId: ids,
});
