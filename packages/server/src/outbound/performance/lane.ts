import { HOUR_MS } from '@helioport/contract/durations';
import type { Logger } from '../../platform/kernel/logger.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { addDays, dayWindow, dayOf } from '../../platform/calendar/plant-calendar.ts';
import type { LaneHandler } from '../../platform/work/lane.ts';
import { listPlants } from '../../fleet/plants/fleet/plant-list.ts';
import type { VisiblePlant } from '../../fleet/plants/access.ts';
import { zonesOf } from '../../fleet/plants/zones.ts';
import { arraysOf } from '../../fleet/plants/arrays.ts';
import { wantWeather } from '../../measurements/weather/stored-weather.ts';
import type { FigureSources } from '../../measurements/figures/sources.ts';
import { settleLosses } from './loss-days.ts';
import { tellLosses } from './tell-losses.ts';
import { learnOf } from './learn-of.ts';
import { dropLosses } from './stored-losses.ts';

/** Its runs keep the losses of plants up to date. */
export const LOSSES_LANE = 'losses';

const PLANTS_AT_ONCE = 10;
/** So many days are worked out for a plant before it is another one’s turn. */
const DAYS_AT_ONCE = 14;
/** Days of which later readings are looked for every night; those before, when somebody asks. */
const LOOKED_AT_DAYS = 40;
/** How far back the losses of a plant are worked out that were never looked at. */
const HISTORY_DAYS = 366;
/** At least, until a plant is looked at again. */
const SOON_MS = 10_000;
/** Last readings of a day may be late. */
const AFTER_MIDNIGHT_MS = 2 * HOUR_MS;
/** A plant whose losses cannot be worked out must not keep the others waiting. */
const SETBACK_MS = 24 * HOUR_MS;

export interface LossesDependencies extends FigureSources {
  readonly logger: Pick<Logger, 'error'>;
  /** Whether there is a weather service, which is asked about the places of plants. */
  readonly isWeatherAsked?: boolean;
}

/** Works out the losses of plants after each of their days, those first that have waited longest. */
export const createLossesLane = (deps: LossesDependencies): LaneHandler => ({
  async run() {
    const { db, clock } = deps;
    const now = clock.now();
    const due = await listDue(db, now);
    const plantIds = due.map(({ plantId }) => plantId);
    const plants = await listPlants(
      db,
      { reach: { accountId: null, levels: ['owner'], plantIds } },
      { pageNo: 1, pageSize: PLANTS_AT_ONCE },
    );
    const found = new Map(plants.map((plant) => [plant.id, plant]));
    let isMoreLeft = due.length === PLANTS_AT_ONCE;
    for (const { plantId, lossesDueAt } of due) {
      const plant = found.get(plantId);
      const next = plant ? await settle(deps, plant, lossesDueAt, now) : now + SETBACK_MS;
      isMoreLeft ||= next <= now;
      await db
        .updateTable('plantStanding')
        .set({ lossesDueAt: next })
        .where('plantId', '=', plantId)
        .execute();
    }
    return isMoreLeft ? { dueAt: now } : undefined;
  },
});

const listDue = (db: Db, now: Instant): Promise<{ plantId: string; lossesDueAt: Instant }[]> =>
  db
    .selectFrom('plantStanding')
    .select(['plantId', 'lossesDueAt'])
    .where('lossesDueAt', '<=', now)
    .orderBy('lossesDueAt')
    .limit(PLANTS_AT_ONCE)
    .execute();

/** Works out some days of a plant; returns when to look at it again. Until its history is done, `dueAt` counts up from 0. */
async function settle(
  deps: LossesDependencies,
  plant: VisiblePlant,
  dueAt: Instant,
  now: Instant,
): Promise<Instant> {
  try {
    const { latitude, longitude } = plant;
    const isExpected = latitude !== null && longitude !== null && arraysOf(plant).arrays.length > 0;
    if (deps.isWeatherAsked && isExpected) await wantWeather(deps.db, { latitude, longitude }, now);
    const zones = (await zonesOf(deps.db, [{ ...plant, plantId: plant.id }])).get(plant.id)!;
    const today = dayOf(zones, now);
    const isNew = dueAt < HISTORY_DAYS;
    const range = {
      fromDay: addDays(today, isNew ? -HISTORY_DAYS : -LOOKED_AT_DAYS),
      toDay: addDays(today, -1),
    };
    if ((await learnOf(deps, plant, zones, range)) > 0) return isNew ? dueAt + 1 : now;
    const { left, missing } = await settleLosses(deps, plant, {
      ...range,
      atMost: DAYS_AT_ONCE,
    });
    if (missing) await dropLosses(deps.db, plant.id);
    if (left > 0) return isNew ? dueAt + 1 : now;
    await tellLosses(deps, plant.id);
    // The history of a new plant may be arriving.
    const soon = now + Math.max(SOON_MS, (now - plant.createdAt) / 2);
    return Math.floor(Math.min(dayWindow(zones, today).endAt + AFTER_MIDNIGHT_MS, soon));
  } catch (err) {
    deps.logger.error({ err, plant: plant.id }, 'the losses of a plant could not be worked out');
    return now + SETBACK_MS;
  }
}
