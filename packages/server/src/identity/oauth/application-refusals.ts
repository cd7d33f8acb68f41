import {
  errors,
  oauthErrors,
  type ErrorCode,
  type ErrorEntry,
  type OauthErrorEntry,
  type OauthErrorName,
} from '@helioport/contract';
import type { Db, Instant } from '../../platform/storage/database.ts';
import type { Application } from './applications.ts';
import { readScopes } from './scopes.ts';

/** A recent refusal of an application at an endpoint, and how often it occurred. */
export interface ApplicationRefusal {
  readonly endpoint: string;
  readonly reason: string;
  /** `error` on the wire, or `code` of the envelope; `description` says what the application's developer can do about it. */
  readonly error: string;
  readonly description: string;
  readonly firstAt: Instant;
  readonly lastAt: Instant;
  readonly lastRequestId: string;
  readonly count: number;
}

/** A refusal of an application: by an authorization endpoint, or by an operation, whose endpoint is its path. */
export interface RefusedRequest {
  readonly applicationId: string;
  readonly endpoint: string;
  readonly reason: OauthErrorName | ErrorCode;
  readonly requestId: string;
}

/** Records refusals; one row per endpoint and reason, so that a faulty client cannot fill the database. */
export async function countRefusals(
  db: Db,
  at: Instant,
  refusal: RefusedRequest & { readonly count: number },
): Promise<void> {
  const { applicationId, endpoint, reason, requestId: lastRequestId, count } = refusal;
  await db
    .insertInto('applicationRefusal')
    .values({ applicationId, endpoint, reason, firstAt: at, lastAt: at, lastRequestId, count })
    .onConflict((conflict) =>
      conflict.columns(['applicationId', 'endpoint', 'reason']).doUpdateSet((eb) => ({
        lastAt: at,
        lastRequestId,
        count: eb('applicationRefusal.count', '+', count),
      })),
    )
    .execute();
}

const SHOWN_AT_MOST = 100;

/** The recent refusals of an application, newest first. */
export async function listApplicationRefusals(
  db: Db,
  { id, scopes }: Pick<Application, 'id' | 'scopes'>,
): Promise<ApplicationRefusal[]> {
  const rows = await db
    .selectFrom('applicationRefusal')
    .select(['endpoint', 'reason', 'firstAt', 'lastAt', 'lastRequestId', 'count'])
    .where('applicationId', '=', id)
    .orderBy('lastAt', 'desc')
    .orderBy('reason')
    .limit(SHOWN_AT_MOST)
    .execute();
  return rows.map((row) => ({ ...row, ...explained(row, scopes) }));
}

/** The row may have been written by an earlier version, with a reason that no longer exists. */
function explained(
  { endpoint, reason }: { readonly endpoint: string; readonly reason: string },
  approved: number,
): { readonly error: string; readonly description: string } {
  const unknown = { error: reason, description: '' };
  if (!isOperation(endpoint))
    return (oauthErrors as Record<string, OauthErrorEntry | undefined>)[reason] ?? unknown;
  const entry = (errors as Record<string, ErrorEntry | undefined>)[reason];
  if (!entry) return unknown;
  const scope = endpoint.split('/')[1]!;
  // No owner can grant what the operator has not approved.
  const isBeyond =
    reason === ('scopeMissing' satisfies ErrorCode) && ((readScopes(scope) ?? 0) & ~approved) !== 0;
  const advice = isBeyond
    ? `The application is not approved for ${scope}: only the operator can change that.`
    : adviceAfter(entry);
  return { error: entry.code, description: `${entry.message}. ${advice}` };
}

/** Advice about the answer, for somebody who does not have it before their eyes. */
const adviceAfter = ({ advice }: ErrorEntry): string =>
  /^`(?:data|msg)\b/.test(advice) ? `In the answer, ${advice}` : advice;

/** Operations have paths, authorization endpoints a single name. */
const isOperation = (endpoint: string): boolean => endpoint.includes('/');
