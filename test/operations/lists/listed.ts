import type { OperationId } from '@helioport/contract';
import type { DeviceKind } from '../../../packages/server/src/fleet/devices/devices.ts';

/** Lists of plants and lists of devices of a kind. */
export const lists = {
  userStationList: 'plant',
  stationDetailList: 'plant',
  stationDayEnergyList: 'plant',
  stationMonthEnergyList: 'plant',
  stationYearEnergyList: 'plant',
  inverterList: 'inverter',
  inverterDetailList: 'inverter',
  'inverter/shelfTime': 'inverter',
  collectorList: 'collector',
  epmList: 'epm',
  weatherList: 'weather',
  ammeterList: 'ammeter',
} as const satisfies Partial<Record<OperationId, DeviceKind | 'plant'>>;

export type ListId = keyof typeof lists;
export const listIds = Object.keys(lists) as ListId[];
