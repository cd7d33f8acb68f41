import { setTimeout as pause } from 'node:timers/promises';
import type { PeriodAmounts } from '@helioport/contract';
import type { Updateable } from 'kysely';
import {
  dayWindow,
  daysOfMonth,
  monthOf,
  yearOf,
} from '../../../platform/calendar/plant-calendar.ts';
import type { Logger } from '../../../platform/kernel/logger.ts';
import { listPlants } from '../../../fleet/plants/fleet/plant-list.ts';
import { nameKey, searchKey } from '../../../fleet/plants/ranking/keys.ts';
import { reports } from '../../../fleet/plants/presence.ts';
import type { Db, Instant, PlantStandingTable } from '../../../platform/storage/database.ts';
import { onEngine } from '../../../platform/storage/engine.ts';
import type { LaneHandler, Run } from '../../../platform/work/lane.ts';
import type { FigureSources } from '../sources.ts';
import { plantYesterdays, type Yesterday } from '../energy/plant-periods.ts';
import { describePlants, type DescribedPlant } from './plant-record.ts';
import type { VisiblePlant } from '../../../fleet/plants/access.ts';

/** Its runs work out the figures of plants that lists are sorted by. */
export const RANKING_LANE = 'standings';

const PLANTS_AT_ONCE = 100;
const PLANTS_BETWEEN_RESTS = 20;
/** How long figures are good for: of plants that report, and of others. */
const GOOD_MS = { reporting: 120_000, silent: 300_000 } as const;
/** Of a new plant, whose history may be arriving, for half of its age, but at least for so long. */
const GOOD_AT_LEAST_MS = 10_000;
/** A plant whose figures cannot be worked out must not keep the others waiting. */
const SETBACK_MS = 3_600_000;

export interface RankingFigureDependencies extends FigureSources {
  readonly logger: Pick<Logger, 'error'>;
}

/** Works out the figures that are due, those that have been due longest first. */
export const createRankingFigures = (deps: RankingFigureDependencies): LaneHandler => ({
  async run(run) {
    const now = deps.clock.now();
    const due = await listDue(deps.db, now);
    if (due.length > 0) await settle(deps, run, due, now);
    return due.length === PLANTS_AT_ONCE ? { dueAt: now } : undefined;
  },
});

interface Due {
  readonly plantId: string;
  readonly createdAt: Instant;
}

const listDue = (db: Db, now: Instant): Promise<Due[]> =>
  db
    .selectFrom('plantStanding')
    .innerJoin('plant', 'plant.id', 'plantStanding.plantId')
    .select(['plantStanding.plantId', 'plant.createdAt'])
    .where('plantStanding.dueAt', '<=', now)
    .orderBy('plantStanding.dueAt')
    .limit(PLANTS_AT_ONCE)
    .execute();

async function settle(
  deps: RankingFigureDependencies,
  { transaction }: Run,
  due: readonly Due[],
  now: Instant,
): Promise<void> {
  const plantIds = due.map(({ plantId }) => plantId);
  const plants = await listPlants(
    deps.db,
    { reach: { accountId: null, levels: ['owner'], plantIds } },
    { pageNo: 1, pageSize: plantIds.length },
  );
  const described = await describeWithRests(deps, plants);
  await transaction(async (trx) => {
    for (const { plantId, createdAt } of due) {
      const plant = described.get(plantId);
      const figures = plant ? figuresOf(plant, now, createdAt) : { dueAt: now + SETBACK_MS };
      await trx.updateTable('plantStanding').set(figures).where('plantId', '=', plantId).execute();
      if (plant) await nameStanding(trx, plant.stored);
    }
  });
}

/** The keys of a plant that was there before standings were; otherwise, they follow the plant. */
const nameStanding = (trx: Db, { id, name, address }: VisiblePlant): Promise<unknown> =>
  trx
    .updateTable('plantStanding')
    .set({ nameKey: nameKey(name), searchKey: searchKey(name, address) })
    .where('plantId', '=', id)
    .where('nameKey', '=', '')
    .execute();

interface Plant {
  readonly stored: VisiblePlant;
  readonly described: DescribedPlant;
  readonly yesterday: Yesterday;
}

/** On SQLite, which answers on the thread that serves requests, it rests for as long as it has worked: thousands of plants may be due at once. */
async function describeWithRests(
  deps: RankingFigureDependencies,
  plants: readonly VisiblePlant[],
): Promise<Map<string, Plant>> {
  const described = new Map<string, Plant>();
  for (let i = 0; i < plants.length; i += PLANTS_BETWEEN_RESTS) {
    const begunAt = performance.now();
    for (const [id, plant] of await describeEach(deps, plants.slice(i, i + PLANTS_BETWEEN_RESTS)))
      described.set(id, plant);
    const tookMs = performance.now() - begunAt;
    await onEngine(deps.db, { sqlite: () => pause(tookMs), postgres: async () => {} });
  }
  return described;
}

async function describeEach(
  deps: RankingFigureDependencies,
  plants: readonly VisiblePlant[],
): Promise<Map<string, Plant>> {
  try {
    const described = await describePlants(deps, plants);
    // Afterwards: at a midnight in between, it is of a later day than the rest, which has ended then, and never of an earlier one.
    const yesterdays = await plantYesterdays(deps, plants);
    return new Map(
      plants.map((stored, i) => [
        stored.id,
        { stored, described: described[i]!, yesterday: yesterdays[i]! },
      ]),
    );
  } catch (err) {
    if (plants.length === 1)
      deps.logger.error(
        { err, plant: plants[0]!.id },
        'the figures of a plant could not be worked out',
      );
    if (plants.length <= 1) return new Map();
    const half = Math.ceil(plants.length / 2);
    return new Map([
      ...(await describeEach(deps, plants.slice(0, half))),
      ...(await describeEach(deps, plants.slice(half))),
    ]);
  }
}

function figuresOf(
  { stored: { state }, described, yesterday }: Plant,
  now: Instant,
  createdAt: Instant,
): Updateable<PlantStandingTable> {
  const { record, zones, today } = described;
  const { energies, worth, values, connection } = record;
  const year = yearOf(today);
  const dayEndsAt = dayWindow(zones, today).endAt;
  const good = Math.min(
    reports(state) ? GOOD_MS.reporting : GOOD_MS.silent,
    Math.max(GOOD_AT_LEAST_MS, (now - createdAt) / 2),
  );
  const amount = (period: keyof PeriodAmounts): number | null => worth?.sum[period] ?? null;
  return {
    powerW: connection === 'live' ? (values.acPowerW ?? null) : null,
    dayKwh: energies.production?.todayKwh ?? null,
    monthKwh: energies.production?.monthKwh ?? null,
    yearKwh: energies.production?.yearKwh ?? null,
    totalKwh: energies.production?.totalKwh ?? null,
    yesterdayFullHours: yesterday.fullHours ?? null,
    dayWorth: amount('today'),
    monthWorth: amount('month'),
    yearWorth: amount('year'),
    totalWorth: amount('total'),
    dayEndsAt,
    monthEndsAt: dayWindow(zones, daysOfMonth(monthOf(today)).toDay).endAt,
    yearEndsAt: dayWindow(zones, year * 10_000 + 1231).endAt,
    workedOutAt: now,
    dueAt: Math.min(dayEndsAt, now + Math.floor(good)),
  };
}
