import { sql } from 'kysely';
import type { Db, VisibleSpanTable } from '../../../platform/storage/database.ts';
import { prepareQuery } from '../../../platform/storage/prepare.ts';
import { readers, type Reach } from '../access.ts';

/** The things that are listed by position: plants, devices by kind. */
export type PlacedKind = VisibleSpanTable['kind'];

/** Number of things in a new span; a span of twice as many is split. */
export const SPAN_SIZE = 250;

/** Sorts before all ids. */
export const FIRST_ID = '0'.repeat(19);

/** A selection of access rows: those of one plant, possibly of one account only, those of all plants of an owner, or those that a company alone gives. */
export interface AccessRows {
  readonly plantId?: string;
  readonly accountId?: string;
  readonly ownerId?: string;
  readonly companyId?: string;
}

/** The selected access rows, with whether the account owns the plant. */
export function accessRows(db: Db, { plantId, accountId, ownerId, companyId }: AccessRows) {
  let rows = readers(db).select([
    'access.accountId',
    sql<0 | 1>`case when access.level = 'owner' then 1 else 0 end`.as('owned'),
  ]);
  if (plantId !== undefined) rows = rows.where('access.plantId', '=', plantId);
  if (accountId !== undefined) rows = rows.where('access.accountId', '=', accountId);
  if (ownerId !== undefined) rows = rows.where('plant.ownerId', '=', ownerId);
  if (companyId !== undefined) {
    const members = db
      .selectFrom('companyMember')
      .select('accountId')
      .where('companyId', '=', companyId);
    rows = rows
      .where('access.companyLevel', 'is not', null)
      .where('access.ownLevel', 'is', null)
      .where('access.accountId', 'in', members);
  }
  return rows;
}

/** Everything that readers see, one row per thing. */
function visibleThings(db: Db, rows: AccessRows) {
  const access = accessRows(db, rows);
  const plants = access.select([sql<PlacedKind>`'plant'`.as('kind'), 'plant.id']);
  const devices = access
    .innerJoin('device', 'device.plantId', 'plant.id')
    .select([sql<PlacedKind>`device.kind`.as('kind'), 'device.id']);
  return plants.unionAll(devices);
}

/**
 * Records that the plants and devices of the selected access rows have been added (1) or are about to be removed (-1), for every
 * account that may see them. The plants must be locked.
 */
export async function placeThings(trx: Db, rows: AccessRows, sign: 1 | -1): Promise<void> {
  await trx
    .insertInto('visibleSpan')
    .columns(['accountId', 'kind', 'fromId', 'amount', 'ownedAmount', 'folded'])
    .expression(
      trx
        .selectFrom(visibleThings(trx, rows).as('things'))
        .select([
          'accountId',
          'kind',
          'id',
          sql<number>`${sql.lit(sign)}`.as('amount'),
          sql<number>`owned * ${sql.lit(sign)}`.as('ownedAmount'),
          sql<0>`0`.as('folded'),
        ]),
    )
    .execute();
}

/** Rebuilds everybody's spans. All plants must be locked. */
export async function rebuildSpans(trx: Db): Promise<void> {
  await trx.deleteFrom('visibleSpan').execute();
  const numbered = trx
    .selectFrom(visibleThings(trx, {}).as('things'))
    .select(['accountId', 'kind', 'id', 'owned'])
    .select(
      sql<number>`(row_number() over (partition by "accountId", kind order by id) - 1) / ${sql.lit(SPAN_SIZE)}`.as(
        'block',
      ),
    );
  await trx
    .insertInto('visibleSpan')
    .columns(['accountId', 'kind', 'fromId', 'amount', 'ownedAmount', 'folded'])
    .expression(
      trx
        .selectFrom(numbered.as('numbered'))
        .select([
          'accountId',
          'kind',
          sql<string>`case when block = 0 then ${sql.lit(FIRST_ID)} else min(id) end`.as('fromId'),
        ])
        .select([
          sql<number>`count(*)`.as('amount'),
          sql<number>`sum(owned)`.as('ownedAmount'),
          sql<1>`1`.as('folded'),
        ])
        .groupBy(['accountId', 'kind', 'block']),
    )
    .execute();
}

/** How many spans, including appended changes, hold a wrong number of things; 0 unless something is broken. */
export async function countWrongSpans(db: Db): Promise<number> {
  const things = visibleThings(db, {});
  const { rows } = await sql<{ amount: number }>`
    select count(*) as amount from (
      select 1 from (
        select "accountId", kind, amount, owned, sum(folded) over (partition by "accountId", kind order by id, folded desc rows unbounded preceding) as span
        from (
          select "accountId", kind, id, 1 as amount, owned, 0 as folded from (${things}) as things
          union all
          select "accountId", kind, "fromId", -amount, -"ownedAmount", folded from "visibleSpan"
        ) as both_sides
      ) as placed
      group by "accountId", kind, span
      having sum(amount) <> 0 or sum(owned) <> 0
    ) as wrong`.execute(db);
  return rows[0]!.amount;
}

interface PlaceParameters {
  accountId: string;
  kind: PlacedKind;
  /** 1 = only in plants that the account owns. */
  owned: number;
  position: number;
}

const placeBefore = prepareQuery<PlaceParameters, { fromId: string; before: number }>((db, p) => {
  const before = sql<number>`coalesce(sum(${sql.ref(p.has('owned') ? 'ownedAmount' : 'amount')})
    over (order by "fromId", folded desc rows between unbounded preceding and 1 preceding), 0)`;
  const spans = db
    .selectFrom('visibleSpan')
    .select(['fromId', 'folded', sql<number>`cast(${before} as bigint)`.as('before')])
    .where('accountId', '=', p('accountId'))
    .where('kind', '=', p('kind'));
  return db
    .selectFrom(spans.as('spans'))
    .select(['fromId', 'before'])
    .where('folded', '=', 1)
    .where('before', '<=', p('position'))
    .orderBy('fromId', 'desc')
    .limit(1);
});

/** A known place in a list, close to the one wanted. */
export interface Place {
  /** Id of the first thing to read. */
  readonly fromId: string;
  /** Number of things to skip, starting with that one. */
  readonly offset: number;
}

/**
 * The nearest known place before a position in a whole list (0 = first), which is the beginning of a span. Finding it reads a few
 * rows per hundred things of the list. Undefined if no spans are kept for the reach.
 */
export async function findPlace(
  db: Db,
  { accountId, levels, plantIds }: Reach,
  kind: PlacedKind,
  position: number,
): Promise<Place | undefined> {
  // Spans are kept only for all levels together and for owners.
  if (accountId === null || plantIds !== null || levels.length === 2) return undefined;
  const [span] = await placeBefore(db, {
    accountId,
    kind,
    owned: levels.length === 1 ? 1 : 0,
    position,
  });
  return span
    ? { fromId: span.fromId, offset: position - span.before }
    : { fromId: FIRST_ID, offset: position };
}
