import { alarmLevels } from '@helioport/contract';
import { alarmStateNumbers } from '../../outbound/alarms/alarm-rows.ts';
import { listAlarms } from '../../outbound/alarms/list.ts';
import { noteOnAlarm, processAlarm, reopenAlarm } from '../../outbound/alarms/processing.ts';
import { getPlant, reachOf } from '../../fleet/plants/access.ts';
import { change } from './act.ts';
import type { HandlersOf, OperationDependencies } from './dependencies.ts';
import { getNamedPlant } from './plants/plants.ts';
import { alarmOf } from './rights/plants.ts';

/** Lists alarms, marks them as processed, takes that back, and keeps what is said of them. */
export function createAlarmOperations(
  deps: OperationDependencies,
): HandlersOf<'alarmList' | `alarm/${'list' | 'process' | 'reopen' | 'note'}`> {
  const { db, clock } = deps;
  return {
    async alarmList(
      caller,
      {
        pageNo,
        pageSize,
        fromId,
        plantId,
        nmiCode,
        deviceSn,
        fromDay,
        toDay,
        underWayFrom,
        stateCode,
        minLevel,
      },
    ) {
      const isNamed = plantId !== undefined || nmiCode !== undefined;
      const named = isNamed
        ? (await getNamedPlant(deps, caller, { id: plantId, nmiCode })).id
        : undefined;
      const filter = {
        plantId: named,
        deviceSn,
        fromDay,
        toDay,
        underWayFrom,
        state: stateCode,
        minLevel,
        fromId,
      };
      return listAlarms(db, caller, filter, { pageNo, pageSize }, clock.now());
    },

    async 'alarm/list'(
      caller,
      { pageNo, pageSize, plantId, deviceSn, underWayFrom, toDay, state, minLevel, sort },
    ) {
      if (plantId !== undefined) await getPlant(db, caller, plantId, 'read');
      const filter = {
        plantId,
        deviceSn,
        underWayFrom,
        toDay,
        costliestFirst: sort === 'lost',
        state: state && alarmStateNumbers[state],
        minLevel: minLevel && alarmLevels.indexOf(minLevel) + 1,
      };
      return listAlarms(db, caller, filter, { pageNo, pageSize }, clock.now());
    },

    async 'alarm/process'(caller, { id }, once) {
      reachOf(caller, 'control');
      return change(deps, caller, once, alarmOf(id), (trx, act, alarm) =>
        processAlarm(trx, act, alarm),
      );
    },

    async 'alarm/note'(caller, { id, note = '' }, once) {
      reachOf(caller, 'control');
      return change(deps, caller, once, alarmOf(id), (trx, act, alarm) =>
        noteOnAlarm(trx, act, alarm, note),
      );
    },

    async 'alarm/reopen'(caller, { id }, once) {
      reachOf(caller, 'control');
      return change(deps, caller, once, alarmOf(id), (trx, act, alarm) =>
        reopenAlarm(trx, act, alarm),
      );
    },
  };
}
