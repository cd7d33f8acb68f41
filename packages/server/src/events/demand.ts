import { eventKinds, type EventKind } from '@helioport/contract';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Db } from '../storage/database.ts';

/**
 * Whether an event of a kind that concerns an account could be wanted by any destination: of an application to which the account has granted
 * access. Read in the transaction that would record it. The first condition does not depend on the row, so that it is all that an installation
 * without destinations pays; by an index, it ends at the first destination.
 */
export const isWanted = (kind: EventKind, accountId: RawBuilder<unknown>): RawBuilder<SqlBool> => {
  const bit = sql.lit(eventKinds[kind].bit);
  return sql<SqlBool>`(exists (select 1 from destination where id > '') and exists (select 1 from "oauthGrant" as wanting
    join destination as wanted on wanted."applicationId" = wanting."applicationId"
    where wanting."accountId" = ${accountId} and wanting."revokedAt" is null and wanted.kinds & ${bit} <> 0))`;
};

/** Whether a destination of an application takes events of a kind. */
export async function applicationWants(db: Db, kind: EventKind, applicationId: string): Promise<boolean> {
  const found = await db
    .selectFrom('destination')
    .select('id')
    .where('applicationId', '=', applicationId)
    .where(sql<boolean>`kinds & ${sql.lit(eventKinds[kind].bit)} <> 0`)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}
