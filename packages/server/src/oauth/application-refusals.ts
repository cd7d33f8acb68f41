import type { OauthErrorName } from '@helioport/contract';
import type { Db, Instant } from '../storage/database.ts';

/** What an application was refused lately at an endpoint, and how often. */
export interface ApplicationRefusal {
  readonly endpoint: string;
  readonly reason: string;
  readonly firstAt: Instant;
  readonly lastAt: Instant;
  readonly lastRequestId: string;
  readonly count: number;
}

/** Counts a refusal for the operator's eyes; one row per reason, so that a faulty client cannot fill the database. */
export async function countRefusal(
  db: Db,
  at: Instant,
  refusal: { applicationId: string; endpoint: string; reason: OauthErrorName; requestId: string },
): Promise<void> {
  const { applicationId, endpoint, reason, requestId: lastRequestId } = refusal;
  await db
    .insertInto('applicationRefusal')
    .values({ applicationId, endpoint, reason, firstAt: at, lastAt: at, lastRequestId, count: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['applicationId', 'endpoint', 'reason'])
        .doUpdateSet((eb) => ({ lastAt: at, lastRequestId, count: eb('applicationRefusal.count', '+', 1) })),
    )
    .execute();
}

export const listRefusals = (db: Db, applicationId: string): Promise<ApplicationRefusal[]> =>
  db
    .selectFrom('applicationRefusal')
    .select(['endpoint', 'reason', 'firstAt', 'lastAt', 'lastRequestId', 'count'])
    .where('applicationId', '=', applicationId)
    .orderBy('lastAt', 'desc')
    .execute();
