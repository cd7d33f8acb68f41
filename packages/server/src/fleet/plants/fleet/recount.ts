import { sql } from 'kysely';
import type { Db } from '../../../platform/storage/database.ts';
import { locksRows } from '../../../platform/storage/lock.ts';
import { countAnew, countedThings } from './counters.ts';
import { lockAllPlants } from '../lock.ts';
import { plantStateOf, presence, reports } from '../presence.ts';
import { turnRankingFigures } from '../ranking/ranking-figures.ts';

/** Counters of a plant, computed from its devices. */
const plantTallies = (db: Db) =>
  db
    .selectFrom('plant')
    .leftJoin('device', 'device.plantId', 'plant.id')
    .select([
      'plant.id',
      'plant.state',
      'plant.deviceCount',
      'plant.onlineDevices',
      'plant.alarmDevices',
      'plant.abnormalDevices',
    ])
    .select([
      sql<number>`count(device.id)`.as('devices'),
      sql<number>`count(case when device.state = ${sql.lit(presence.online)} then 1 end)`.as(
        'online',
      ),
      sql<number>`count(case when device.state = ${sql.lit(presence.alarm)} then 1 end)`.as(
        'alarm',
      ),
      sql<number>`count(case when device."offlineAbnormal" = 1 then 1 end)`.as('abnormal'),
    ])
    .groupBy('plant.id');

/** Plants whose state or counters do not match their devices, with the correct values. */
async function wrongPlants(db: Db) {
  const plants = await plantTallies(db).execute();
  return plants.flatMap(({ id, state, devices, online, alarm, abnormal, ...kept }) => {
    const tally = {
      deviceCount: devices,
      onlineDevices: online,
      alarmDevices: alarm,
      abnormalDevices: abnormal,
    };
    const right = { ...tally, state: plantStateOf(tally) };
    const same =
      state === right.state &&
      Object.entries(tally).every(([name, number]) => kept[name as keyof typeof tally] === number);
    return same ? [] : [{ id, right }];
  });
}

/** How many counters of accounts differ from a count from scratch. */
async function wrongCounters(db: Db): Promise<number> {
  const counted = db
    .selectFrom(countedThings(db).as('counted'))
    .select(['accountId', 'owned', 'kind', 'state', 'amount']);
  const kept = db
    .selectFrom('visibleCount')
    .select(['accountId', 'owned', 'kind', 'state', sql<number>`-amount`.as('amount')]);
  const rows = await db
    .selectFrom(counted.unionAll(kept).as('both'))
    .select(['accountId'])
    .groupBy(['accountId', 'owned', 'kind', 'state'])
    .having(sql<boolean>`sum(amount) <> 0`)
    .execute();
  return rows.length;
}

/** How many plants and counters differ from a count from scratch; 0 unless something is broken. */
export async function countMiscounts(db: Db): Promise<number> {
  return (await wrongPlants(db)).length + (await wrongCounters(db));
}

/** Corrects the states of all plants and all counters by counting everything; returns how many were wrong. */
export async function recount(db: Db): Promise<number> {
  return db.transaction().execute(async (trx) => {
    // Concurrent changes wait, and then add to what is counted here.
    await lockAllPlants(trx);
    // Folding changes counters without locking any plant, so their table is locked as well.
    if (locksRows(trx)) await sql`lock table "visibleCount" in exclusive mode`.execute(trx);
    const plants = await wrongPlants(trx);
    for (const { id, right } of plants) {
      await trx.updateTable('plant').set(right).where('id', '=', id).execute();
      await turnRankingFigures(trx, id, { state: right.state, reports: reports(right.state) });
    }
    const counters = await wrongCounters(trx);
    if (counters > 0) {
      await countAnew(trx);
    }
    return plants.length + counters;
  });
}
