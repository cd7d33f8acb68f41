import { alarmList } from './alarms.ts';
import { addDevice, addStation, addStationBindCollector, archiveStation, delCollector, stationUpdate, unbindDevice } from './management.ts';

/** Declared and not served: an operation moves to operations.ts together with its handler. */
export const laterOperations = {
  alarmList,
  addStation,
  stationUpdate,
  addStationBindCollector,
  addDevice,
  delCollector,
  unbindDevice,
  archiveStation,
} as const;
