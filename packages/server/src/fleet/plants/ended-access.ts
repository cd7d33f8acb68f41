import { DAY_MS } from '@helioport/contract/durations';
import { sql, type ExpressionBuilder, type SqlBool, type Expression } from 'kysely';
import type { Act } from '../../identity/accounts/audit.ts';
import { Failure } from '../../platform/kernel/failure.ts';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import type { Db, Instant, PlantAccessTable, Tables } from '../../platform/storage/database.ts';

/** How long people are told that their access has ended. */
const REMEMBERED_MS = 90 * DAY_MS;

type Among = (
  eb: ExpressionBuilder<Tables & { access: PlantAccessTable }, 'access'>,
) => Expression<SqlBool>;

/** Notes whose access to plants is about to end, but for owners; those who end it themselves need no e-mail. Called before the rows are deleted. */
export const noteEnded = (
  trx: Db,
  act: Pick<Act, 'at' | 'actor'>,
  among: Among,
): Promise<unknown> =>
  trx
    .insertInto('endedAccess')
    .columns(['accountId', 'plantId', 'plantName', 'endedAt', 'notifiedAt'])
    .expression(
      trx
        .selectFrom('plantAccess as access')
        .innerJoin('plant', 'plant.id', 'access.plantId')
        .select([
          'access.accountId',
          'access.plantId',
          'plant.name',
          sql<Instant>`cast(${act.at} as bigint)`.as('endedAt'),
          sql<Instant | null>`case when 'account:' || access."accountId" = ${act.actor} then cast(${act.at} as bigint) end`.as(
            'notifiedAt',
          ),
        ])
        .where('access.level', '!=', 'owner')
        .where((eb) => among(eb as never)),
    )
    .onConflict((conflict) =>
      conflict.columns(['accountId', 'plantId']).doUpdateSet((eb) => ({
        plantName: eb.ref('excluded.plantName'),
        endedAt: eb.ref('excluded.endedAt'),
        notifiedAt: eb.ref('excluded.notifiedAt'),
      })),
    )
    .execute();

/** Ends what an account itself may with plants, from the next request on; what it may by a company stays, and so does an owner's level. */
export async function withdrawAccess(
  trx: Db,
  act: Act,
  plantIds: readonly string[],
  accountId: string,
): Promise<void> {
  const these = anyOf(trx, 'plantId', listParameter(trx, plantIds));
  await trx
    .updateTable('plantAccess')
    .where('accountId', '=', accountId)
    .where(these)
    .set((eb) => ({ ownLevel: null, level: eb.ref('companyLevel').$notNull() }))
    .where('companyLevel', 'is not', null)
    .where('ownLevel', '!=', 'owner')
    .execute();
  await noteEnded(trx, act, (eb) =>
    eb.and([
      eb('access.accountId', '=', accountId),
      anyOf(trx, 'access.plantId', listParameter(trx, plantIds)),
      eb('access.companyLevel', 'is', null),
    ]),
  );
  await trx
    .deleteFrom('plantAccess')
    .where('accountId', '=', accountId)
    .where(these)
    .where('companyLevel', 'is', null)
    .where('level', '!=', 'owner')
    .execute();
}

/** Ends everybody's access, including the owner's and that of companies, before a new owner gets the plant. */
export async function withdrawAllAccess(trx: Db, act: Act, plantId: string): Promise<void> {
  await noteEnded(trx, act, (eb) => eb('access.plantId', '=', plantId));
  for (const table of ['plantAccess', 'companyPlant'] as const)
    await trx.deleteFrom(table).where('plantId', '=', plantId).execute();
}

/** Notes that people were told otherwise that they see plants no more. */
export const noteTold = (trx: Db, at: Instant, plantIds: readonly string[]): Promise<unknown> =>
  trx
    .updateTable('endedAccess')
    .set({ notifiedAt: at })
    .where(anyOf(trx, 'plantId', listParameter(trx, plantIds)))
    .where('notifiedAt', 'is', null)
    .execute();

/** The plant that an account could see, as it was called, and when that ended. Throws noPermission, as for plants that it could never see. */
export async function getEnded(
  db: Db,
  accountId: string,
  plantId: string,
): Promise<{ readonly plantName: string; readonly endedAt: Instant }> {
  const ended = await db
    .selectFrom('endedAccess')
    .select(['plantName', 'endedAt'])
    .where('accountId', '=', accountId)
    .where('plantId', '=', plantId)
    // It may have begun anew, as when a plant is sold and its installer goes on.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('plantAccess as access')
            .select('access.plantId')
            .whereRef('access.accountId', '=', 'endedAccess.accountId')
            .whereRef('access.plantId', '=', 'endedAccess.plantId'),
        ),
      ),
    )
    .executeTakeFirst();
  if (!ended) throw new Failure('noPermission');
  return ended;
}

/** Forgets at most `limit` of those who were told long enough; returns how many. */
export async function sweepEnded(db: Db, now: Instant, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('endedAccess')
    .where(
      sql<boolean>`("accountId", "plantId") in (select "accountId", "plantId" from "endedAccess" where "endedAt" <= ${now - REMEMBERED_MS} limit ${limit})`,
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
