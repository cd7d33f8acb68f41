import { sql } from 'kysely';
import type { Db } from '../../../platform/storage/database.ts';
import { prepareQuery, type ParameterOf } from '../../../platform/storage/prepare.ts';
import {
  deviceListParameters,
  listedDevices,
  type DeviceListParameters,
  type DeviceSelection,
} from '../device-access.ts';
import {
  listedPlants,
  plantListParameters,
  type PlantListParameters,
  type PlantSelection,
} from './plant-list.ts';
import { countStates, type StateNumbers } from './visible-counts.ts';

const things = sql<number>`count(*)`.as('amount');

const selectedPlants = prepareQuery((db, p: ParameterOf<PlantListParameters>) =>
  listedPlants(db, p).select(['plant.state', things]).groupBy('plant.state'),
);

/**
 * How many of the selected plants are in which state, wherever the list begins. They are counted only if a filter is set;
 * otherwise, stored counters are read.
 */
export async function countSelectedPlants(
  db: Db,
  { reach, nmiCode }: PlantSelection,
): Promise<StateNumbers> {
  if (nmiCode === undefined) return countStates(db, reach, 'plant');
  return numbersOf(await selectedPlants(db, plantListParameters(db, { reach, nmiCode })));
}

const selectedDevices = prepareQuery((db, p: ParameterOf<DeviceListParameters>) =>
  listedDevices(db, p).select(['device.state', things]).groupBy('device.state'),
);

/**
 * How many of the selected devices are in which state, wherever the list begins. They are counted only if a filter is set;
 * otherwise, stored counters are read.
 */
export async function countDevices(
  db: Db,
  { reach, kind, serialNumbers }: DeviceSelection,
): Promise<StateNumbers> {
  if (serialNumbers === undefined) return countStates(db, reach, kind);
  return numbersOf(
    await selectedDevices(db, deviceListParameters(db, { reach, kind, serialNumbers })),
  );
}

const numbersOf = (rows: readonly { state: number; amount: number }[]): StateNumbers =>
  new Map(rows.map(({ state, amount }) => [state, amount]));
