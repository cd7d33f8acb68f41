import { sql } from 'kysely';
import { plantsOfMeter, reachParameters, visible, type Reach, type ReachParameters } from '../plants/access.ts';
import { anyOf, listParameter } from '../storage/any-of.ts';
import type { Db } from '../storage/database.ts';
import { prepareQuery, type ParameterOf } from '../storage/prepare.ts';

/** Which alarms of a reach a list is about. Days are yyyymmdd, local ones of the plants. */
export interface AlarmSelection {
  readonly reach: Reach;
  readonly nmiCode?: string | undefined;
  readonly deviceSn?: string | undefined;
  /** Began on this day or later, on that day or before. */
  readonly fromDay?: number | undefined;
  readonly toDay?: number | undefined;
  readonly state?: number | undefined;
  /** Only ids from this one on. */
  readonly fromId?: string | undefined;
}

export interface SelectionParameters extends ReachParameters {
  /** Ids of the plants, where a statement goes by them. */
  plants: unknown;
  byMeter: number;
  nmiCode: string;
  byDevice: number;
  deviceSn: string;
  fromDay: number;
  toDay: number;
  /** -1: any. */
  state: number;
  fromId: string;
  beforeId: string;
}

const DIGITS = 19;
const LAST_DAY = 99_999_999;

export function selectionParameters(db: Db, selection: AlarmSelection, plantIds: readonly string[], beforeId?: string): SelectionParameters {
  const { reach, nmiCode, deviceSn, fromDay = 0, toDay = LAST_DAY, state = -1, fromId = '' } = selection;
  return {
    ...reachParameters(db, reach),
    plants: listParameter(db, plantIds),
    byMeter: nmiCode === undefined ? 0 : 1,
    nmiCode: nmiCode ?? '',
    byDevice: deviceSn === undefined ? 0 : 1,
    deviceSn: deviceSn ?? '',
    fromDay,
    toDay,
    state,
    fromId: fromId.padStart(DIGITS, '0'),
    beforeId: beforeId ?? '9'.repeat(DIGITS),
  };
}

type P = ParameterOf<SelectionParameters>;

const chosen = (db: Db, p: P) =>
  db
    .selectFrom('alarm')
    .where('alarm.id', '>=', p('fromId'))
    .where('alarm.id', '<', p('beforeId'))
    .where('alarm.beginDay', '>=', p('fromDay'))
    .where('alarm.beginDay', '<=', p('toDay'))
    .where((eb) => eb.or([sql<boolean>`${p('state')} = -1`, eb('alarm.state', '=', p('state'))]))
    .where((eb) => eb.or([sql<boolean>`${p('byDevice')} = 0`, eb('alarm.sn', '=', p('deviceSn'))]));

const matching = (db: Db, p: P) =>
  chosen(db, p)
    .innerJoin('plant', 'plant.id', 'alarm.plantId')
    .where((eb) => eb.or([sql<boolean>`${p('byMeter')} = 0`, eb('plant.nmiCode', '=', p('nmiCode'))]));

/**
 * The same alarms for those who go past many of them: the plants are looked up once, not alarm by alarm. In a form that both
 * engines take for a condition on each alarm, so that they follow the order of time.
 */
export const passed = (db: Db, p: P) =>
  chosen(db, p).where(
    sql<boolean>`(alarm."plantId" in (${visible(db, p, p.has('byMeter') ? plantsOfMeter(p('nmiCode')) : undefined).select('access.plantId')})) is true`,
  );

// Alarm by alarm, so that an index that has them in the order of time can be followed from its end.
const seen = (db: Db, p: P) =>
  matching(db, p).where((eb) =>
    eb.exists(
      visible(db, p)
        .select(sql`1`.as('one'))
        .where('access.plantId', '=', eb.ref('alarm.plantId')),
    ),
  );

/**
 * Where the search begins, so that it never goes through the alarms of everybody to find those of few: at the caller's plants
 * where these are few, else at the device, the state, or the newest of all.
 */
export const ways = {
  byPlants: (db: Db, p: P) => matching(db, p).where(anyOf(db, 'alarm.plantId', p('plants'))),
  byDevice: (db: Db, p: P) => seen(db, p).where('alarm.sn', '=', p('deviceSn')),
  byState: (db: Db, p: P) => seen(db, p).where('alarm.state', '=', p('state')),
  byTime: seen,
};

export type Way = keyof typeof ways;

const PLANTS_AT_MOST = 1_000;

const visiblePlantIds = prepareQuery((db, p: ParameterOf<ReachParameters & { limit: number }>) => visible(db, p).select('access.plantId').limit(p('limit')));

/** The way for a selection, and the plants where it goes by them. */
export async function chooseWay(db: Db, { reach, deviceSn, state }: AlarmSelection): Promise<{ way: Way; plantIds: readonly string[] }> {
  const plants = await visiblePlantIds(db, { ...reachParameters(db, reach), limit: PLANTS_AT_MOST + 1 });
  if (plants.length <= PLANTS_AT_MOST) return { way: 'byPlants', plantIds: plants.map(({ plantId }) => plantId) };
  if (deviceSn !== undefined) return { way: 'byDevice', plantIds: [] };
  return { way: state === undefined ? 'byTime' : 'byState', plantIds: [] };
}
