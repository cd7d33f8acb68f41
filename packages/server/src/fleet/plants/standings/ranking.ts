import { sql } from 'kysely';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import { contains } from '../../../platform/storage/text-search.ts';
import { visible, reachParameters, type Reach } from '../access.ts';
import type { PageOf } from '../fleet/plant-list.ts';
import { countStates } from '../fleet/visible-counts.ts';
import { foldText } from './keys.ts';
import { sortColumns, statesByNeed, type Order } from './order.ts';
import { walkRanking } from './walk.ts';

/** Which plants of a reach are meant; undefined = all. */
export interface StandingSelection {
  readonly reach: Reach;
  readonly states: readonly number[] | undefined;
  readonly search: string | undefined;
}

/** A page of ids, and the number of plants on all pages. */
export interface Ranking {
  readonly ids: readonly string[];
  readonly total: number;
}

// From this number of plants on, it is worth going along an index instead of sorting them.
const MANY = 1_000;

/**
 * A page of plants in an order. Plants whose value is unknown come last in both directions, and after them those whose value is of a day or month
 * that has ended at the plant. Takes time proportional to the page unless plants are searched.
 */
export async function rankPlants(
  db: Db,
  selection: StandingSelection,
  order: Order,
  { pageNo, pageSize }: PageOf,
  now: Instant,
): Promise<Ranking> {
  const { reach, states, search } = selection;
  const page = { offset: (pageNo - 1) * pageSize, limit: pageSize };
  if (search !== undefined)
    return {
      total: await countFound(db, selection),
      ids: await sortPlants(db, selection, order, page, now),
    };
  let total = 0;
  for (const [state, amount] of await countStates(db, reach, 'plant'))
    if (!states || states.includes(state)) total += amount;
  if (page.offset >= total) return { total, ids: [] };
  const walked =
    total >= MANY
      ? await walkRanking(db, { reach, states, order, now, ...page, total, budget: total })
      : undefined;
  return { total, ids: walked ?? (await sortPlants(db, selection, order, page, now)) };
}

/** The standings of the selected plants, as `standing`. */
export function selectedStandings(db: Db, { reach, states, search }: StandingSelection) {
  const values = reachParameters(db, reach);
  const given = Object.assign((name: keyof typeof values) => values[name] as never, {
    has: (name: keyof typeof values) => Boolean(values[name]),
  });
  let rows = visible(db, given).innerJoin(
    'plantStanding as standing',
    'standing.plantId',
    'access.plantId',
  );
  if (states) rows = rows.where('standing.state', 'in', states);
  if (search === undefined) return rows;
  const pattern = `%${foldText(search).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return rows.where((eb) =>
    eb.or([
      sql<boolean>`standing."searchKey" like ${pattern} escape '\\'`,
      // A person who sees somebody's plant knows whose it is. One's own address is part of no plant's name.
      eb.and([
        eb('plant.ownerId', '!=', reach.accountId ?? ''),
        contains(['owner.email', 'owner.name'], search),
      ]),
      eb.exists(
        eb
          .selectFrom('device')
          .select('device.id')
          .whereRef('device.plantId', '=', 'access.plantId')
          .where(sql<boolean>`lower(device.sn) like ${pattern} escape '\\'`),
      ),
    ]),
  );
}

async function countFound(db: Db, selection: StandingSelection): Promise<number> {
  const { plants } = await selectedStandings(db, selection)
    .select(sql<number>`count(*)`.as('plants'))
    .executeTakeFirstOrThrow();
  return plants;
}

interface Part {
  readonly offset: number;
  readonly limit: number;
}

/** Sorts all selected plants: proportional to their number, with little work for each. */
async function sortPlants(
  db: Db,
  selection: StandingSelection,
  { sort, direction }: Order,
  { offset, limit }: Part,
  now: Instant,
): Promise<string[]> {
  const { name, endsAt } = sortColumns[sort];
  const value = sql.ref(`standing.${name}`);
  const by = direction === 'up' ? 'asc' : 'desc';
  let rows = selectedStandings(db, selection).select('access.plantId');
  if (sort === 'state')
    rows = rows
      .orderBy(
        sql`case ${sql.join(
          statesByNeed.map(
            (state, i) => sql`when standing.state = ${sql.lit(state)} then ${sql.lit(i)}`,
          ),
          sql` `,
        )} end`,
        by,
      )
      .orderBy(sql`1 - standing.unattended`, by);
  const ended = endsAt ? sql`when ${sql.ref(`standing.${endsAt}`)} <= ${now} then 2` : sql``;
  const found = await rows
    .orderBy(sql`case when ${value} is null then 1 ${ended} else 0 end`)
    .orderBy(value, by)
    .orderBy('access.plantId', by)
    .offset(offset)
    .limit(limit)
    .execute();
  return found.map(({ plantId }) => plantId);
}
