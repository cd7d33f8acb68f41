import { sql } from 'kysely';
import { reachParameters, visible, type Reach, type ReachParameters } from '../plants/access.ts';
import type { Db } from '../storage/database.ts';
import type { ParameterOf } from '../storage/prepare.ts';

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

export function selectionParameters(db: Db, selection: AlarmSelection, beforeId?: string): SelectionParameters {
  const { reach, nmiCode, deviceSn, fromDay = 0, toDay = LAST_DAY, state = -1, fromId = '' } = selection;
  return {
    ...reachParameters(db, reach),
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

const matching = (db: Db, p: ParameterOf<SelectionParameters>) =>
  db
    .selectFrom('alarm')
    .innerJoin('plant', 'plant.id', 'alarm.plantId')
    .where('alarm.id', '>=', p('fromId'))
    .where('alarm.id', '<', p('beforeId'))
    .where('alarm.beginDay', '>=', p('fromDay'))
    .where('alarm.beginDay', '<=', p('toDay'))
    .where((eb) => eb.or([sql<boolean>`${p('state')} = -1`, eb('alarm.state', '=', p('state'))]))
    .where((eb) => eb.or([sql<boolean>`${p('byMeter')} = 0`, eb('plant.nmiCode', '=', p('nmiCode'))]))
    .where((eb) => eb.or([sql<boolean>`${p('byDevice')} = 0`, eb('alarm.sn', '=', p('deviceSn'))]));

/** Begins at the caller's plants: for few of them, however many alarms others have. */
export const alarmsOfPlants = (db: Db, p: ParameterOf<SelectionParameters>) =>
  matching(db, p).where('alarm.plantId', 'in', visible(db, p).select('access.plantId'));

/** Begins at the newest alarms: for callers of whose plants there are so many that most alarms are theirs. */
export const alarmsByTime = (db: Db, p: ParameterOf<SelectionParameters>) =>
  matching(db, p).where((eb) =>
    eb.exists(
      visible(db, p)
        .select(sql`1`.as('one'))
        .where('access.plantId', '=', eb.ref('alarm.plantId')),
    ),
  );
