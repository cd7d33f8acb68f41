import { listAlarms } from '../alarms/list.ts';
import type { HandlersOf, OperationDependencies } from './dependencies.ts';
import { getNamedPlant } from './plants.ts';

/** Queries of alarms. */
export function createAlarmOperations(deps: OperationDependencies): HandlersOf<'alarmList'> {
  const { db, clock } = deps;
  return {
    async alarmList(caller, { pageNo, pageSize, fromId, plantId, nmiCode, deviceSn, fromDay, toDay, stateCode }) {
      const isNamed = plantId !== undefined || nmiCode !== undefined;
      const named = isNamed ? (await getNamedPlant(deps, caller, { id: plantId, nmiCode })).id : undefined;
      return listAlarms(db, caller, { plantId: named, deviceSn, fromDay, toDay, state: stateCode, fromId }, { pageNo, pageSize }, clock.now());
    },
  };
}
