import { sql } from 'kysely';
import {
  plantsOfMeter,
  reachParameters,
  visible,
  type Reach,
  type ReachParameters,
} from '../../fleet/plants/access.ts';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import type { Db } from '../../platform/storage/database.ts';
import { prepareQuery, type ParameterOf } from '../../platform/storage/prepare.ts';

/** Which alarms a list contains. Days are local days of the plants, yyyymmdd. */
export interface AlarmSelection {
  readonly reach: Reach;
  readonly nmiCode?: string | undefined;
  readonly deviceSn?: string | undefined;
  /** Only alarms that began on this day or later, up to and including `toDay`. */
  readonly fromDay?: number | undefined;
  readonly toDay?: number | undefined;
  /** Only alarms that were under way on this day or later. */
  readonly underWayFrom?: number | undefined;
  readonly state?: number | undefined;
  /** Only alarms of this level or above. */
  readonly minLevel?: number | undefined;
  /** Only alarms with this id or a higher one. */
  readonly fromId?: string | undefined;
}

export interface SelectionParameters extends ReachParameters {
  /** Ids of the plants, for statements that start from them. */
  plants: unknown;
  byMeter: number;
  nmiCode: string;
  byDevice: number;
  deviceSn: string;
  fromDay: number;
  toDay: number;
  underWayFrom: number;
  byState: number;
  state: number;
  minLevel: number;
  fromId: string;
  beforeId: string;
}

const DIGITS = 19;

export function selectionParameters(
  db: Db,
  selection: AlarmSelection,
  plantIds: readonly string[],
  beforeId?: string,
): SelectionParameters {
  const {
    reach,
    nmiCode,
    deviceSn,
    fromDay = 0,
    toDay = 0,
    underWayFrom = 0,
    state,
    minLevel = 0,
    fromId,
  } = selection;
  return {
    ...reachParameters(db, reach),
    plants: listParameter(db, plantIds),
    byMeter: nmiCode === undefined ? 0 : 1,
    nmiCode: nmiCode ?? '',
    byDevice: deviceSn === undefined ? 0 : 1,
    deviceSn: deviceSn ?? '',
    fromDay,
    toDay,
    underWayFrom,
    byState: state === undefined ? 0 : 1,
    state: state ?? 0,
    minLevel,
    fromId: fromId?.padStart(DIGITS, '0') ?? '',
    beforeId: beforeId ?? '',
  };
}

type P = ParameterOf<SelectionParameters>;

// The query contains only the conditions that are set. Otherwise, PostgreSQL would assume that a range with unknown ends contains few alarms, and
// would sort all of them.
const chosen = (db: Db, p: P) => {
  let alarms = db.selectFrom('alarm');
  if (p.has('fromId')) alarms = alarms.where('alarm.id', '>=', p('fromId'));
  if (p.has('beforeId')) alarms = alarms.where('alarm.id', '<', p('beforeId'));
  if (p.has('fromDay')) alarms = alarms.where('alarm.beginDay', '>=', p('fromDay'));
  if (p.has('toDay')) alarms = alarms.where('alarm.beginDay', '<=', p('toDay'));
  if (p.has('underWayFrom'))
    alarms = alarms.where((eb) =>
      eb.or([eb('alarm.endAt', 'is', null), eb('alarm.endDay', '>=', p('underWayFrom'))]),
    );
  if (p.has('byState')) alarms = alarms.where('alarm.state', '=', p('state'));
  if (p.has('minLevel')) alarms = alarms.where('alarm.level', '>=', p('minLevel'));
  if (p.has('withoutAmmeters')) alarms = alarms.where('alarm.kind', '!=', sql.lit('ammeter'));
  return p.has('byDevice') ? alarms.where('alarm.sn', '=', p('deviceSn')) : alarms;
};

const matching = (db: Db, p: P) => {
  const alarms = chosen(db, p).innerJoin('plant', 'plant.id', 'alarm.plantId');
  return p.has('byMeter') ? alarms.where('plant.nmiCode', '=', p('nmiCode')) : alarms;
};

/**
 * The same alarms, for statements that skip many of them: the caller's plants are looked up once, not for each alarm.
 * The condition is written so that both engines check it for each alarm and therefore read alarms in order of time.
 */
export const passed = (db: Db, p: P) =>
  chosen(db, p).where(
    sql<boolean>`(alarm."plantId" in (${visible(db, p, p.has('byMeter') ? plantsOfMeter(p('nmiCode')) : undefined).select('access.plantId')})) is true`,
  );

// Whether the caller may see the plant is checked for each alarm, so that an index in order of time can be read
// from its end. The subquery is a scalar, since PostgreSQL would start an EXISTS with all plants of the caller.
const seen = (db: Db, p: P) =>
  matching(db, p).where(
    sql<boolean>`(${visible(db, p)
      .select(sql`1`.as('one'))
      .where('access.plantId', '=', sql.ref<string>('alarm.plantId'))
      .limit(sql.lit(1))}) is not null`,
  );

/**
 * Where the search starts: at the caller's plants if there are few, otherwise at the newest alarms of all, of the device, or of the state. So it
 * never goes through everybody's alarms to find those of a few plants.
 */
export const ways = {
  byPlants: (db: Db, p: P) => matching(db, p).where(anyOf(db, 'alarm.plantId', p('plants'))),
  byTime: seen,
};

export type Way = keyof typeof ways;

const PLANTS_AT_MOST = 1_000;

const visiblePlantIds = prepareQuery((db, p: ParameterOf<ReachParameters & { limit: number }>) =>
  visible(db, p).select('access.plantId').limit(p('limit')),
);

/** Chooses the way for a selection. `plantIds` are the plants if the search starts from them. */
export async function chooseWay(
  db: Db,
  { reach }: AlarmSelection,
): Promise<{ way: Way; plantIds: readonly string[] }> {
  const plants = await visiblePlantIds(db, {
    ...reachParameters(db, reach),
    limit: PLANTS_AT_MOST + 1,
  });
  return plants.length <= PLANTS_AT_MOST
    ? { way: 'byPlants', plantIds: plants.map(({ plantId }) => plantId) }
    : { way: 'byTime', plantIds: [] };
}
