import { oauthErrors, type OauthErrorEntry, type OauthErrorName } from '@helioport/contract';
import type { Db, Instant } from '../storage/database.ts';

/** A recent refusal of an application at an endpoint, and how often it occurred. */
export interface ApplicationRefusal {
  readonly endpoint: string;
  readonly reason: string;
  /** `error` on the wire; `description` says what the application's developer can do about it. */
  readonly error: string;
  readonly description: string;
  readonly firstAt: Instant;
  readonly lastAt: Instant;
  readonly lastRequestId: string;
  readonly count: number;
}

/** Records refusals for the operator; one row per reason, so that a faulty client cannot fill the database. */
export async function countRefusals(
  db: Db,
  at: Instant,
  refusal: { applicationId: string; endpoint: string; reason: OauthErrorName; requestId: string; count: number },
): Promise<void> {
  const { applicationId, endpoint, reason, requestId: lastRequestId, count } = refusal;
  await db
    .insertInto('applicationRefusal')
    .values({ applicationId, endpoint, reason, firstAt: at, lastAt: at, lastRequestId, count })
    .onConflict((conflict) =>
      conflict
        .columns(['applicationId', 'endpoint', 'reason'])
        .doUpdateSet((eb) => ({ lastAt: at, lastRequestId, count: eb('applicationRefusal.count', '+', count) })),
    )
    .execute();
}

/** The recent refusals of an application, newest first. */
export async function listRefusals(db: Db, applicationId: string): Promise<ApplicationRefusal[]> {
  const rows = await db
    .selectFrom('applicationRefusal')
    .select(['endpoint', 'reason', 'firstAt', 'lastAt', 'lastRequestId', 'count'])
    .where('applicationId', '=', applicationId)
    .orderBy('lastAt', 'desc')
    .orderBy('reason')
    .execute();
  return rows.map((row) => {
    // The row may have been written by an earlier version, with a reason that no longer exists.
    const { error, description } = (oauthErrors as Record<string, OauthErrorEntry | undefined>)[row.reason] ?? { error: row.reason, description: '' };
    return { ...row, error, description };
  });
}
