import { listAlarms } from '../alarms/list.ts';
import { processAlarm, reopenAlarm } from '../alarms/processing.ts';
import { reachOf } from '../plants/access.ts';
import { change } from './act.ts';
import type { HandlersOf, OperationDependencies } from './dependencies.ts';
import { getNamedPlant } from './plants/plants.ts';

/** Lists alarms, marks them as processed, and takes that back. */
export function createAlarmOperations(deps: OperationDependencies): HandlersOf<'alarmList' | 'alarm/process' | 'alarm/reopen'> {
  const { db, clock } = deps;
  return {
    async alarmList(caller, { pageNo, pageSize, fromId, plantId, nmiCode, deviceSn, fromDay, toDay, stateCode, minLevel }) {
      const isNamed = plantId !== undefined || nmiCode !== undefined;
      const named = isNamed ? (await getNamedPlant(deps, caller, { id: plantId, nmiCode })).id : undefined;
      return listAlarms(db, caller, { plantId: named, deviceSn, fromDay, toDay, state: stateCode, minLevel, fromId }, { pageNo, pageSize }, clock.now());
    },

    async 'alarm/process'(caller, { id }, once) {
      reachOf(caller, 'control');
      return change(deps, caller, once, (trx, act) => processAlarm(trx, act, caller, id));
    },

    async 'alarm/reopen'(caller, { id }, once) {
      reachOf(caller, 'control');
      return change(deps, caller, once, (trx, act) => reopenAlarm(trx, act, caller, id));
    },
  };
}
