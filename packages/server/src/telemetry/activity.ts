import { sql } from 'kysely';
import { GRACE_MS } from '../devices/reporting.ts';
import type { Db, Instant } from '../storage/database.ts';
import { prepareQuery, type ParameterOf } from '../storage/prepare.ts';
import { listedPlants, plantListParameters, type PlantListParameters, type PlantSelection } from '../plants/plant-list.ts';
import { deviceListParameters, listedDevices, type DeviceListParameters, type DeviceSelection } from '../plants/device-access.ts';
import { addDays, dayOfWall } from './plant-day.ts';

/** How many of the selected things there are, and how many of them reported lately. */
export interface Activity {
  readonly all: number;
  readonly online: number;
}

interface Lately {
  /** No local day of a report since `at` is earlier. */
  day: number;
  at: Instant;
}

function lately(now: Instant): Lately {
  const at = now - GRACE_MS;
  return { at, day: addDays(dayOfWall(at), -1) };
}

const recentDays = (db: Db, p: ParameterOf<Lately>) =>
  db
    .selectFrom('binding')
    .innerJoin('deviceDay', 'deviceDay.binding', 'binding.no')
    .select(sql`1`.as('one'))
    .where('binding.toAt', 'is', null)
    .where('deviceDay.day', '>=', p('day'))
    .where('deviceDay.lastAt', '>=', p('at'));

const plantActivity = prepareQuery((db, p: ParameterOf<PlantListParameters & Lately>) => {
  const reported = recentDays(db, p).where('binding.plantId', '=', sql.ref<string>('access.plantId'));
  return listedPlants(db, p).select([sql<number>`count(*)`.as('all'), sql<number>`count(case when exists ${reported} then 1 end)`.as('online')]);
});

/** A plant is online when a device that stands in it is. */
export async function countPlants(db: Db, selection: PlantSelection, now: Instant): Promise<Activity> {
  const [counts] = await plantActivity(db, { ...plantListParameters(db, selection), ...lately(now) });
  return counts!;
}

const deviceActivity = prepareQuery((db, p: ParameterOf<DeviceListParameters & Lately>) => {
  const reported = recentDays(db, p).where('binding.deviceId', '=', sql.ref<string>('device.id'));
  return listedDevices(db, p).select([sql<number>`count(*)`.as('all'), sql<number>`count(case when exists ${reported} then 1 end)`.as('online')]);
});

export async function countDevices(db: Db, selection: DeviceSelection, now: Instant): Promise<Activity> {
  const [counts] = await deviceActivity(db, { ...deviceListParameters(db, selection), ...lately(now) });
  return counts!;
}
