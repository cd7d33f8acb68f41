import { sql } from 'kysely';
import {
  reachParameters,
  visible,
  type Reach,
  type ReachParameters,
} from '../../../fleet/plants/access.ts';
import { LEVELS } from '../../../fleet/plants/levels.ts';
import { anyOf, listParameter } from '../../../platform/storage/any-of.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import { prepareQuery, type ParameterOf } from '../../../platform/storage/prepare.ts';

/** What is said of an alarm: that it began, that it ended, or both at once. */
export type Says = 'began' | 'ended' | 'both';

/** An alarm as notifications show it. */
export interface NotifiedAlarm {
  readonly id: string;
  readonly code: string;
  readonly level: number;
  readonly message: string;
  readonly sn: string;
  readonly kind: string;
  readonly state: number;
  readonly beginAt: Instant;
  readonly endAt: Instant | null;
  readonly plantId: string;
  readonly plantName: string;
  readonly timeZone: string;
  /** What it has cost so far; null = not known. */
  readonly lostKwh: number | null;
  readonly lostAmount: number | null;
  readonly currency: string;
}

/** What an account may see itself, however it is asked: shares that ended are out of it at once. */
export const reachOfAccount = (accountId: string): Reach => ({
  accountId,
  levels: LEVELS.read,
  plantIds: null,
});

/** The alarms of visible plants as notifications show them, the gravest first. */
export const selectNotifiedAlarms = (plants: ReturnType<typeof visible>) =>
  plants
    .innerJoin('alarm', 'alarm.plantId', 'access.plantId')
    .select([
      'alarm.id',
      'alarm.code',
      'alarm.level',
      'alarm.message',
      'alarm.sn',
      'alarm.kind',
      'alarm.state',
      'alarm.beginAt',
      'alarm.endAt',
    ])
    .select(['alarm.lostKwh', 'alarm.lostAmount', 'plant.currency'])
    .select(['plant.id as plantId', 'plant.name as plantName', 'plant.timeZone'])
    .orderBy('alarm.level', 'desc')
    .orderBy('alarm.id');

const alarmsInReach = prepareQuery((db, p: ParameterOf<ReachParameters & { alarmIds: unknown }>) =>
  selectNotifiedAlarms(
    visible(
      db,
      p,
      sql`select distinct "plantId" as id from alarm where ${anyOf(db, 'id', p('alarmIds'))}`,
    ),
  ).where(anyOf(db, 'alarm.id', p('alarmIds'))),
);

/** Those of some alarms that an account may see now, the gravest first. */
export const readNotifiedAlarms = (
  db: Db,
  accountId: string,
  alarmIds: readonly string[],
): Promise<NotifiedAlarm[]> =>
  alarmsInReach(db, {
    ...reachParameters(db, reachOfAccount(accountId)),
    alarmIds: listParameter(db, alarmIds),
  });
