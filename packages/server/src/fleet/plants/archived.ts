import { sql } from 'kysely';
import { recordAudit, type Act } from '../../identity/accounts/audit.ts';
import { Failure } from '../../platform/kernel/failure.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { withinBounds } from '../../platform/storage/bounds/within.ts';
import type { Reach } from './access.ts';
import { pageParameters, type PageOf } from './fleet/plant-list.ts';
import { countIn } from './fleet/counters.ts';
import { appointRankingFigures } from './ranking/ranking-figures.ts';

/** A plant that its owner has archived. */
export interface Archived {
  readonly id: string;
  readonly name: string;
  readonly address: string | null;
  readonly capacityKwp: number;
  readonly archivedAt: Instant;
  /** How many devices it had until then. */
  readonly devices: number;
}

/** A page of the archived plants of an account, latest first. */
export async function listArchived(
  db: Db,
  ownerId: string,
  page: PageOf,
): Promise<{ records: readonly Archived[]; total: number } & PageOf> {
  const archived = db
    .selectFrom('plant')
    .where('ownerId', '=', ownerId)
    .where('archivedAt', 'is not', null);
  const { limit, offset } = pageParameters(page);
  const [{ total }, records] = await Promise.all([
    archived.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow(),
    archived
      .select(['id', 'name', 'address', 'capacityKwp', 'archivedAt'])
      .select(({ selectFrom, fn }) =>
        selectFrom('binding')
          .select(fn.countAll<number>().as('number'))
          .whereRef('plantId', '=', 'plant.id')
          .whereRef('toAt', '=', 'plant.archivedAt')
          .$asScalar()
          .$notNull()
          .as('devices'),
      )
      .$narrowType<{ archivedAt: Instant }>()
      .orderBy('archivedAt', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute(),
  ]);
  return { records, total, ...page };
}

/** How many of a caller's own plants are archived, as far as the caller may see all of them. */
export async function countArchived(db: Db, { accountId, plantIds }: Reach): Promise<number> {
  if (accountId === null || plantIds !== null) return 0;
  const { archived } = await db
    .selectFrom('plant')
    .select(sql<number>`count(*)`.as('archived'))
    .where('ownerId', '=', accountId)
    .where('archivedAt', 'is not', null)
    .executeTakeFirstOrThrow();
  return archived;
}

/** Brings an archived plant back for everybody who could see it, without its devices. Returns when it was archived. Throws noPermission, also for a plant that is not archived; invalidValue for one plant too many. */
export async function restorePlant(
  trx: Db,
  act: Act,
  ownerId: string,
  plantId: string,
): Promise<Instant> {
  await withinBounds(trx, 'plants', { ownerId }, act);
  const archived = await trx
    .selectFrom('plant')
    .select('archivedAt')
    .where('id', '=', plantId)
    .executeTakeFirst();
  const { numUpdatedRows } = await trx
    .updateTable('plant')
    .set({ archivedAt: null, updatedAt: act.at })
    .where('id', '=', plantId)
    .where('ownerId', '=', ownerId)
    .where('archivedAt', 'is not', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n || !archived?.archivedAt) throw new Failure('noPermission');
  await countIn(trx, { plantId });
  await appointRankingFigures(trx, plantId, 0);
  await recordAudit(trx, act, { kind: 'plant.restored', accountId: ownerId, data: { plantId } });
  return archived.archivedAt;
}
