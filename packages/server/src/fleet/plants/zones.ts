import { isTimeZone, type PlantFacts } from '@helioport/contract';
import {
  zonesSinceEver,
  type Zones,
  type ZoneSince,
} from '../../platform/calendar/plant-calendar.ts';
import { recordAudit, type Act } from '../../identity/accounts/audit.ts';
import { tellOfPlant } from '../../platform/events/tell.ts';
import { invalidValue } from '../../platform/kernel/failure.ts';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import type { Db } from '../../platform/storage/database.ts';
import { prepareQuery, type ParameterOf } from '../../platform/storage/prepare.ts';
import { withinBounds } from '../../platform/storage/bounds/within.ts';
import { lockPlant } from './lock.ts';
import { appointRankingFigures } from './ranking/ranking-figures.ts';
import { requestRecalculation } from './tariffs/recalculation.ts';

/** Returns the name of a time zone if it is a valid one. Throws invalidValue. */
export function checkTimeZone(name: string): string {
  if (!isTimeZone(name)) throw invalidValue('timeZone', 'an IANA time zone such as Europe/Berlin');
  return name;
}

/** The time zone that a plant has now. */
export async function currentZone(db: Db, plantId: string): Promise<string> {
  const { timeZone } = await db
    .selectFrom('plant')
    .select('timeZone')
    .where('id', '=', plantId)
    .executeTakeFirstOrThrow();
  return timeZone;
}

/** A plant's zones, oldest first. */
export const listZones = (db: Db, plantId: string): Promise<ZoneSince[]> =>
  db
    .selectFrom('plantZone')
    .select(['fromAt', 'timeZone'])
    .where('plantId', '=', plantId)
    .orderBy('fromAt')
    .execute();

const zonesOfPlants = prepareQuery((db, p: ParameterOf<{ plantIds: unknown }>) =>
  db
    .selectFrom('plantZone')
    .select(['plantId', 'fromAt', 'timeZone'])
    .where(anyOf(db, 'plantId', p('plantIds')))
    .orderBy('plantId')
    .orderBy('fromAt'),
);

/** The columns of a plant that determine its zones. */
export interface Zoned {
  readonly plantId: string;
  readonly timeZone: string;
  /** Whether the zone has a history. */
  readonly zoneChanged: unknown;
}

/** The zones of some plants by id; asks the database only for those that have a history. */
export async function zonesOf(db: Db, plants: readonly Zoned[]): Promise<Map<string, Zones>> {
  const zones = new Map<string, Zones>();
  const moved = new Map<string, ZoneSince[]>();
  for (const { plantId, timeZone, zoneChanged } of plants) {
    if (!zoneChanged) zones.set(plantId, zonesSinceEver(timeZone));
    else moved.set(plantId, []);
  }
  if (moved.size === 0) return zones;
  for (const { plantId, ...span } of await zonesOfPlants(db, {
    plantIds: listParameter(db, [...moved.keys()]),
  }))
    moved.get(plantId)!.push(span);
  for (const [plantId, spans] of moved) zones.set(plantId, spans);
  return zones;
}

/** Changes the time zone of a plant from now on: past days keep theirs. Throws invalidValue, noPermission. */
export async function changeTimeZone(
  trx: Db,
  act: Act,
  plantId: string,
  name: string,
): Promise<void> {
  const timeZone = checkTimeZone(name);
  const plant = await lockPlant(trx, plantId);
  const { zoneAwaitsOwner, ...facts } = JSON.parse(plant.facts) as PlantFacts;
  // From now on, the zone has been confirmed by somebody, even if it is the one that was assumed.
  if (zoneAwaitsOwner)
    await trx
      .updateTable('plant')
      .set({ facts: JSON.stringify(facts) })
      .where('id', '=', plantId)
      .execute();
  if (plant.timeZone === timeZone) return;
  await withinBounds(trx, 'plantZones', { plantId }, act);
  await trx
    .insertInto('plantZone')
    .values({ plantId, fromAt: act.at, timeZone })
    .onConflict((conflict) => conflict.columns(['plantId', 'fromAt']).doUpdateSet({ timeZone }))
    .execute();
  await trx
    .updateTable('plant')
    .set({ timeZone, updatedAt: act.at })
    .where('id', '=', plantId)
    .execute();
  // Its day now ends at another time.
  await appointRankingFigures(trx, plantId, 0);
  // Tariff hours are in local time, and readings of devices whose clock is ahead may be stored already.
  await requestRecalculation(trx, plantId, act.at, act.at);
  await recordAudit(trx, act, {
    kind: 'plant.changed',
    accountId: plant.ownerId,
    data: { plantId, before: { timeZone: plant.timeZone }, after: { timeZone } },
  });
  await tellOfPlant(trx, 'plant.changed', plantId, { changed: ['timeZone'] }, act.at);
}
