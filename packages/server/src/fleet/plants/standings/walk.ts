import { sql, type SqlBool } from 'kysely';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import {
  prepareQuery,
  type ParameterOf,
  type PreparedQuery,
} from '../../../platform/storage/prepare.ts';
import { reachParameters, visible, type Reach, type ReachParameters } from '../access.ts';
import { sortColumns, statesByNeed, type Order, type SortColumn } from './order.ts';

/** A part of a ranking of a reach. */
export interface RankingPart {
  readonly reach: Reach;
  readonly states: readonly number[] | undefined;
  readonly order: Order;
  readonly now: Instant;
  readonly offset: number;
  readonly limit: number;
  /** How many plants there are in the ranking. */
  readonly total: number;
  /** The maximum number of standings to visit. */
  readonly budget: number;
}

interface StretchParameters extends ReachParameters {
  now: Instant;
  state: number;
  unattended: number;
  /** Bits of the states that are meant; 0 = all. */
  states: number;
  /** The maximum number of standings to visit. */
  budget: number;
  offset: number;
  limit: number;
}

/** A stretch of an order that one index gives. */
interface Stretch {
  readonly state: number;
  readonly unattended: number;
  /** Those of its plants that the caller may see, from an offset on. */
  readonly page: PreparedQuery<StretchParameters, { plantId: string }>;
  /** How many of its plants the caller may see, and how many standings that takes. */
  readonly size: PreparedQuery<StretchParameters, { seen: number; visited: number }>;
  /** Whether it has any plants at all, if it is likely that it has none. */
  readonly some?: PreparedQuery<{ now: Instant }, { plantId: string }>;
}

/** Which standings of an index a stretch has: those in one state, with or without alarms that nobody has taken on, with a value that holds or has ended, or without a value. */
interface Extent {
  readonly column: SortColumn;
  readonly by: 'asc' | 'desc';
  readonly values: 'all' | 'known' | 'holding' | 'ended' | 'unknown';
  readonly state?: number;
  readonly unattended?: number;
}

const TESTS = { holding: '>', ended: '<=' } as const;

/**
 * The standings of a stretch in their order, with whether they belong to it and the caller may see them. A scalar subquery, so that no planner starts with
 * the caller's plants. A reader of further pages gets its rows in this order: both engines read a limited subquery row by row.
 */
function standingsOf(
  db: Db,
  p: ParameterOf<StretchParameters>,
  { column: { name, endsAt }, by, values, state }: Extent,
) {
  const value = sql.ref(`standing.${name}`);
  const seen = sql`(${visible(db, p)
    .select(sql`1`.as('one'))
    .where('access.plantId', '=', sql.ref<string>('standing.plantId'))
    .limit(sql.lit(1))})`;
  const holds =
    endsAt && (values === 'holding' || values === 'ended')
      ? sql`${sql.ref(`standing.${endsAt}`)} ${sql.raw(TESTS[values])} ${p('now')}`
      : sql`1 = 1`;
  const isMeant = p.has('states')
    ? sql`(cast(${p('states')} as integer) >> standing.state) & 1 = 1`
    : sql`1 = 1`;
  let rows = db
    .selectFrom('plantStanding as standing')
    .select([
      'standing.plantId',
      sql<number | null>`case when ${holds} and ${isMeant} then ${seen} end`.as('seen'),
    ])
    .orderBy(value, by)
    .orderBy('standing.plantId', by)
    .limit(p('budget'));
  if (values === 'unknown') rows = rows.where(sql<SqlBool>`${value} is null`);
  else if (values !== 'all') rows = rows.where(sql<SqlBool>`${value} is not null`);
  return state === undefined
    ? rows
    : rows
        .where('standing.state', '=', p('state'))
        .where('standing.unattended', '=', p('unattended'));
}

const stretchOf = (extent: Extent): Stretch => ({
  state: extent.state ?? 0,
  unattended: extent.unattended ?? 0,
  page: prepareQuery((db, p) =>
    db
      .selectFrom(standingsOf(db, p, extent).as('standings'))
      .select('standings.plantId')
      .where('standings.seen', 'is not', null)
      .offset(p('offset'))
      .limit(p('limit')),
  ),
  size: prepareQuery((db, p) =>
    db
      .selectFrom(standingsOf(db, p, extent).as('standings'))
      .select([sql<number>`count(standings.seen)`.as('seen'), sql<number>`count(*)`.as('visited')]),
  ),
});

/** Few plants report nothing after their midnight, but those that do not are spread over all values. */
const endedStretch = (
  column: SortColumn,
  endsAt: 'dayEndsAt' | 'monthEndsAt',
  by: 'asc' | 'desc',
): Stretch => ({
  ...stretchOf({ column, by, values: 'ended' }),
  some: prepareQuery((db, p) =>
    db
      .selectFrom('plantStanding as standing')
      .select('standing.plantId')
      .where(
        sql<SqlBool>`${sql.ref(`standing.${endsAt}`)} <= ${p('now')} and ${sql.ref(`standing.${column.name}`)} is not null`,
      )
      .limit(sql.lit(1)),
  ),
});

function stretchesOf({ sort, direction }: Order): Stretch[] {
  const column = sortColumns[sort];
  const by = direction === 'up' ? 'asc' : 'desc';
  if (sort === 'state') {
    const byNeed = statesByNeed.flatMap((state) =>
      [1, 0].map((unattended) => stretchOf({ column, by, values: 'all', state, unattended })),
    );
    return direction === 'up' ? byNeed : byNeed.toReversed();
  }
  if (column.name === 'nameKey' || column.name === 'capacityKwp')
    return [stretchOf({ column, by, values: 'all' })];
  const unknown = stretchOf({ column, by, values: 'unknown' });
  if (!column.endsAt) return [stretchOf({ column, by, values: 'known' }), unknown];
  return [
    stretchOf({ column, by, values: 'holding' }),
    unknown,
    endedStretch(column, column.endsAt, by),
  ];
}

const stretches = new Map<string, Stretch[]>();

function stretchesFor({ sort, direction }: Order): Stretch[] {
  const key = `${sort} ${direction}`;
  let found = stretches.get(key);
  if (!found) stretches.set(key, (found = stretchesOf({ sort, direction })));
  return found;
}

/** The stretches of an order from its end on. */
function stretchesFromEnd({ sort, direction }: Order): Stretch[] {
  const opposite = stretchesFor({ sort, direction: direction === 'up' ? 'down' : 'up' });
  // Those of states are in the opposite order already.
  return sort === 'state' ? opposite : opposite.toReversed();
}

/**
 * The ids of a part of a ranking. It goes along the order of all plants of the installation, from the nearer end, until it has met enough of the caller's,
 * all within the database. That takes time proportional to the part if the caller may see a fair share of the plants. Undefined if it has to visit too many.
 */
export async function walkRanking(db: Db, part: RankingPart): Promise<string[] | undefined> {
  const { order, offset, total } = part;
  const limit = Math.min(part.limit, total - offset);
  if (limit <= 0) return [];
  const behind = total - offset - limit;
  if (offset <= behind) return walk(db, stretchesFor(order), { ...part, limit });
  return (
    await walk(db, stretchesFromEnd(order), { ...part, offset: behind, limit })
  )?.toReversed();
}

async function walk(
  db: Db,
  along: readonly Stretch[],
  { reach, states, now, offset, limit, budget }: RankingPart,
): Promise<string[] | undefined> {
  const bits = states?.reduce((sum, state) => sum | (1 << state), 0) ?? 0;
  const parameters = { ...reachParameters(db, reach), now, states: bits, budget };
  const ids: string[] = [];
  let skipped = offset;
  for (const { page, size, some, state, unattended } of along) {
    if (some && (await some(db, { now })).length === 0) continue;
    const met = await page(db, {
      ...parameters,
      state,
      unattended,
      offset: skipped,
      limit: limit - ids.length,
    });
    for (const { plantId } of met) ids.push(plantId);
    if (ids.length >= limit) return ids;
    const [measured] = await size(db, { ...parameters, state, unattended, offset: 0, limit: 0 });
    if (measured!.visited >= budget) return undefined;
    skipped = Math.max(0, skipped - measured!.seen);
  }
  return ids;
}
