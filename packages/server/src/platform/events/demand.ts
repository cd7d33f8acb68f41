import { eventKinds, type EventKind } from '@helioport/contract';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { anyOf, listParameter } from '../storage/any-of.ts';
import type { Db } from '../storage/database.ts';
import { prepareQuery } from '../storage/prepare.ts';

/** Whether there is any destination. It does not depend on the row; by an index, it ends at the first one. */
export const isAnybodyThere = sql<SqlBool>`exists (select 1 from destination where id > '')`;

/**
 * Whether an event of a kind that concerns an account could be wanted by any destination: of an application to which the account has granted
 * access. Read in the transaction that would record it. The first condition is all that an installation without destinations pays.
 */
export const isWanted = (kind: EventKind, accountId: RawBuilder<unknown>): RawBuilder<SqlBool> => {
  const bit = sql.lit(eventKinds[kind].bit);
  return sql<SqlBool>`(${isAnybodyThere} and exists (select 1 from "oauthGrant" as wanting
    join destination as wanted on wanted."applicationId" = wanting."applicationId"
    where wanting."accountId" = ${accountId} and wanting."revokedAt" is null and wanted.kinds & ${bit} <> 0))`;
};

const selectWanting = prepareQuery<{ accountIds: unknown }, { id: string }>((db, p) =>
  db
    .selectFrom('account')
    .select('id')
    .where(anyOf(db, 'id', p('accountIds')))
    .where(isWanted('telemetry.sample', sql.ref('account.id'))),
);

/** Those of some accounts of whose samples somebody could want to know. */
export const findWanting = async (db: Db, accountIds: readonly string[]): Promise<Set<string>> =>
  new Set(
    (await selectWanting(db, { accountIds: listParameter(db, accountIds) })).map(({ id }) => id),
  );

/** Whether a destination of an application takes events of a kind. */
export async function applicationWants(
  db: Db,
  kind: EventKind,
  applicationId: string,
): Promise<boolean> {
  const found = await db
    .selectFrom('destination')
    .select('id')
    .where('applicationId', '=', applicationId)
    .where(sql<boolean>`kinds & ${sql.lit(eventKinds[kind].bit)} <> 0`)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}
