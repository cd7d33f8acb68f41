import { addDevice, addStation, addStationBindCollector, archiveStation, delCollector, stationUpdate, unbindDevice } from './management.ts';

/** Declared and not served: an operation moves to operations.ts together with its handler. */
export const laterOperations = {
  addStation,
  stationUpdate,
  addStationBindCollector,
  addDevice,
  delCollector,
  unbindDevice,
  archiveStation,
} as const;
