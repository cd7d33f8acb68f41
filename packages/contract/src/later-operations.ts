import { alarmList } from './alarms.ts';
import { ammeterDetail, ammeterList } from './ammeters.ts';
import { collectorDay, collectorDetail, collectorList } from './collectors.ts';
import { epmAll, epmDayOperation, epmDetail, epmList, epmMonth, epmYear } from './epm.ts';
import { inverterAll, inverterDetailList, inverterMonth, inverterShelfTime, inverterYear } from './inverter-energy.ts';
import { addDevice, addStation, addStationBindCollector, archiveStation, delCollector, stationUpdate, unbindDevice } from './management.ts';
import {
  stationAll,
  stationDay,
  stationDayEnergyList,
  stationDetailList,
  stationMonth,
  stationMonthEnergyList,
  stationYear,
  stationYearEnergyList,
} from './plant-energy.ts';
import { weatherDetail, weatherList } from './weather.ts';

/** Declared and not served: an operation moves to operations.ts together with its handler. */
export const laterOperations = {
  stationDetailList,
  stationDay,
  stationMonth,
  stationYear,
  stationAll,
  stationDayEnergyList,
  stationMonthEnergyList,
  stationYearEnergyList,
  inverterDetailList,
  inverterMonth,
  inverterYear,
  inverterAll,
  'inverter/shelfTime': inverterShelfTime,
  alarmList,
  collectorList,
  collectorDetail,
  'collector/day': collectorDay,
  epmList,
  epmDetail,
  'epm/day': epmDayOperation,
  'epm/month': epmMonth,
  'epm/year': epmYear,
  'epm/all': epmAll,
  weatherList,
  weatherDetail,
  ammeterList,
  ammeterDetail,
  addStation,
  stationUpdate,
  addStationBindCollector,
  addDevice,
  delCollector,
  unbindDevice,
  archiveStation,
} as const;
