import { sql, type SqlBool } from 'kysely';
import type { Db, Instant } from '../../storage/database.ts';
import { prepareQuery, type ParameterOf, type PreparedQuery } from '../../storage/prepare.ts';
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
  /** The maximum number of standings to visit. */
  readonly budget: number;
}

interface WindowParameters extends ReachParameters {
  value: string | number;
  plantId: string;
  state: number;
  limit: number;
}

interface Met {
  readonly plantId: string;
  readonly value: string | number | null;
  readonly state: number;
  readonly endsAt: Instant;
  readonly seen: number | null;
}

type Look = PreparedQuery<WindowParameters, Met>;

/** The standings after a place, with whether the caller may see them. A scalar subquery, so that no planner starts with the caller's plants. */
const window = (db: Db, p: ParameterOf<WindowParameters>, { name, endsAt }: SortColumn) =>
  db
    .selectFrom('plantStanding as standing')
    .select(['standing.plantId', 'standing.state'])
    .select([sql<string | number | null>`${sql.ref(`standing.${name}`)}`.as('value')])
    .select([sql<Instant>`${endsAt ? sql.ref(`standing.${endsAt}`) : sql.lit(Number.MAX_SAFE_INTEGER)}`.as('endsAt')])
    .select(
      sql<number | null>`(${visible(db, p)
        .select(sql`1`.as('one'))
        .where('access.plantId', '=', sql.ref<string>('standing.plantId'))
        .limit(sql.lit(1))})`.as('seen'),
    )
    .limit(p('limit'));

const directions = { up: { by: 'asc', after: sql.raw('>') }, down: { by: 'desc', after: sql.raw('<') } } as const;

/** Looks at standings whose value is known, in the order of the value, or in one state. */
const known = (column: SortColumn, direction: Order['direction'], inState: boolean): Look => {
  const { by, after } = directions[direction];
  const value = `standing.${column.name}`;
  return prepareQuery((db, p) => {
    const rows = window(db, p, column)
      .where(sql<SqlBool>`(${sql.ref(value)}, standing."plantId") ${after} (${p('value')}, ${p('plantId')})`)
      .orderBy(sql.ref(value), by)
      .orderBy('standing.plantId', by);
    return inState ? rows.where('standing.state', '=', p('state')) : rows;
  });
};

/** Looks at standings whose value is unknown. */
const unknown = (column: SortColumn, direction: Order['direction']): Look => {
  const { by, after } = directions[direction];
  return prepareQuery((db, p) =>
    window(db, p, column)
      .where(sql.ref(`standing.${column.name}`), 'is', null)
      .where(sql<SqlBool>`standing."plantId" ${after} ${p('plantId')}`)
      .orderBy('standing.plantId', by),
  );
};

/** A stretch of an order that one index gives. */
interface Stretch {
  readonly look: Look;
  readonly state: number;
  isPart(met: Met, now: Instant): boolean;
}

const holds = ({ endsAt }: Met, now: Instant): boolean => endsAt > now;

function stretchesOf({ sort, direction }: Order): Stretch[] {
  const column = sortColumns[sort];
  const any = { state: 0, isPart: holds };
  if (sort === 'state') {
    const look = known(column, direction, true);
    const states = direction === 'up' ? statesByNeed : statesByNeed.toReversed();
    return states.map((state) => ({ ...any, look, state }));
  }
  const look = known(column, direction, false);
  if (column.name === 'nameKey' || column.name === 'capacityKwp') return [{ ...any, look }];
  const rest = { ...any, look: unknown(column, direction), isPart: () => true };
  return [{ ...any, look }, rest, ...(column.endsAt ? [{ ...any, look, isPart: (met: Met, now: Instant) => !holds(met, now) }] : [])];
}

const stretches = new Map<string, Stretch[]>();

function stretchesFor(order: Order): Stretch[] {
  const key = `${order.sort} ${order.direction}`;
  let found = stretches.get(key);
  if (!found) stretches.set(key, (found = stretchesOf(order)));
  return found;
}

const WINDOW_AT_LEAST = 50;
const WINDOW_AT_MOST = 5_000;
const HIGHEST_ID = 'z';

/**
 * The ids of a part of a ranking. It goes along the order of all plants of the installation until it has met enough of the caller's, which takes time
 * proportional to the part if the caller may see a fair share of them. Undefined if it has to visit too many.
 */
export async function walkRanking(db: Db, { reach, states, order, now, offset, limit, budget }: RankingPart): Promise<string[] | undefined> {
  const { lowest, highest } = sortColumns[order.sort];
  const first = order.direction === 'up' ? { value: lowest, plantId: '' } : { value: highest, plantId: HIGHEST_ID };
  const parameters = reachParameters(db, reach);
  const ids: string[] = [];
  let visited = 0;
  let size = Math.max(WINDOW_AT_LEAST, Math.min(WINDOW_AT_MOST, offset + limit));
  for (const { look, state, isPart } of stretchesFor(order)) {
    for (let place = first, isAll = false; !isAll;) {
      const met = await look(db, { ...parameters, ...place, state, limit: size });
      for (const one of met) if (one.seen !== null && isPart(one, now) && (!states || states.includes(one.state))) ids.push(one.plantId);
      if (ids.length >= offset + limit) return ids.slice(offset, offset + limit);
      const last = met.at(-1);
      isAll = !last || met.length < size;
      if (last) place = { value: last.value ?? first.value, plantId: last.plantId };
      if ((visited += met.length) > budget) return undefined;
      size = Math.min(WINDOW_AT_MOST, 2 * size);
    }
  }
  return ids.slice(offset);
}
