import { DAY_MS } from '@helioport/contract/durations';
import { sql, type RawBuilder } from 'kysely';
import { retentionOf } from '../bindings/reading-retention.ts';
import type { PlantRetention } from '../../fleet/plants/plants.ts';
import type { ReadingRetention } from '@helioport/contract/reading-retention';
import { addDays } from '../../platform/calendar/plant-calendar.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { transactionsOf } from '../../platform/storage/transactions/transact.ts';
import type { LaneHandler } from '../../platform/work/lane.ts';
import type { Series } from '../series/port.ts';
import { attempt } from './attempt.ts';
import type { BoundDevice } from '../bindings/bound-device.ts';
import { keptSamples } from './kept-samples.ts';
import { lockBoundDevice } from '../bindings/reportable-devices.ts';

interface RetentionDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly series: Series;
  /** How long readings of all plants are kept at most. */
  readonly kept: ReadingRetention;
}

type Column = 'thinnedBefore' | 'expiredBefore';

const DEVICES_AT_ONCE = 10;
/** Days of one device in one transaction. */
const DAYS_AT_ONCE = 31;
/** Older than a limit by this much, a whole day of any time zone is older than it. */
const MARGIN_MS = 2 * DAY_MS;

/**
 * Thins and deletes old readings, a few days of a few devices per run, as the settings say and each plant. Roll-ups stay as they are: what is older than a
 * device's limit is frozen (BoundDevice.frozenBefore), so that nothing is calculated again from fewer readings.
 */
export const createReadingRetention = (deps: RetentionDeps): LaneHandler => ({
  async run() {
    const done =
      (await reduce(deps, 'expiredBefore', () => [])) +
      (await reduce(deps, 'thinnedBefore', (day, { thinning }) =>
        keptSamples(day, thinning!.minutes).map(({ at }) => at),
      ));
    return done > 0 ? { dueAt: deps.clock.now() } : undefined;
  },
});

type Day = Awaited<ReturnType<Series['range']>>;
type Keep = (day: Day, kept: ReadingRetention) => readonly number[];

/** Returns how many devices had something to reduce. */
async function reduce(
  { db, series, clock, kept: all }: RetentionDeps,
  column: Column,
  keep: Keep,
): Promise<number> {
  const now = clock.now();
  const found = await findOld(db, column, all, now - MARGIN_MS);
  const transact = transactionsOf(db);
  for (const { no, oldestAt: from, ...plant } of found) {
    const kept = retentionOf(plant, all);
    const days = column === 'expiredBefore' ? kept.expiry : kept.thinning?.days;
    const task = { from, before: now - days! * DAY_MS, keep: (day: Day) => keep(day, kept) };
    await attempt<[trx: Db], BoundDevice | undefined, Instant, void, void>(
      series,
      { db, first: (body) => transact(body), last: (body) => transact(body) },
      {
        begin: (trx) => lockBoundDevice(trx, no),
        written: (device) => (device ? [device.seriesId] : []),
        change: async (own, trx, device) =>
          device ? reduceDays(trx, own.series, device, task) : from,
        end: async (device, until, trx) => {
          if (device) await freeze(trx, device, column, until);
        },
      },
    );
  }
  return found.length;
}

/** A binding with readings that are due. */
interface OldBinding extends PlantRetention {
  readonly no: number;
  /** When the oldest of them was measured. */
  readonly oldestAt: Instant;
}

/** The first binding of some devices in which readings are due: those that are older than their plant's limit was at `before`. */
async function findOld(
  db: Db,
  column: Column,
  all: ReadingRetention,
  before: Instant,
): Promise<OldBinding[]> {
  const days = limitDays(column, all);
  const rows = await db
    .selectFrom((from) =>
      from
        .selectFrom('device')
        .innerJoin('binding', 'binding.deviceId', 'device.id')
        .innerJoin('plant', 'plant.id', 'binding.plantId')
        .where(days, 'is not', null)
        .select(['plant.readingsKeptDays', 'plant.readingsThinnedDays'])
        .select((eb) => [
          'plant.readingsThinnedMinutes',
          days.as('days'),
          'device.series',
          'binding.no',
          'binding.fromAt',
          eb
            .selectFrom('sample')
            .select('sample.at')
            .whereRef('sample.series', '=', 'device.series')
            .whereRef('sample.at', '>=', `binding.${column}`)
            .whereRef('sample.at', '>=', 'binding.fromAt')
            .where((own) =>
              own.or([
                own('binding.toAt', 'is', null),
                own('sample.at', '<', own.ref('binding.toAt')),
              ]),
            )
            .orderBy('sample.at')
            .limit(1)
            .as('oldestAt'),
        ])
        .as('found'),
    )
    .select(['series', 'no', 'oldestAt'])
    .select(['readingsKeptDays', 'readingsThinnedDays', 'readingsThinnedMinutes'])
    .where(sql<boolean>`"oldestAt" + days * ${sql.lit(DAY_MS)} < ${before}`)
    .orderBy('series')
    .orderBy('fromAt')
    .limit(DEVICES_AT_ONCE)
    .execute();
  const first = new Map(rows.toReversed().map((row) => [row.series, row]));
  return [...first.values()].map((row) => ({ ...row, oldestAt: row.oldestAt! }));
}

/** After how many days readings of a plant are due, as `retentionOf` says. */
function limitDays(column: Column, all: ReadingRetention): RawBuilder<number | null> {
  const own = sql.ref(
    column === 'expiredBefore' ? 'plant.readingsKeptDays' : 'plant.readingsThinnedDays',
  );
  const most = column === 'expiredBefore' ? all.expiry : (all.thinning?.days ?? null);
  return most === null
    ? sql`${own}`
    : sql`case when ${own} < ${sql.lit(most)} then ${own} else ${sql.lit(most)} end`;
}

interface Task {
  /** When the oldest of the readings was measured. */
  readonly from: Instant;
  readonly before: Instant;
  keep(day: Day): readonly number[];
}

/** Reduces some days. Returns the end of the last of them. */
async function reduceDays(
  trx: Db,
  series: Series,
  device: BoundDevice,
  { from, before, keep }: Task,
): Promise<Instant> {
  const { calendar, seriesId } = device;
  let day = calendar.dayOf(from);
  let until = from;
  for (let count = 0; count < DAYS_AT_ONCE; count++) {
    const { startAt, endAt } = calendar.dayWindow(day);
    if (endAt > before || startAt >= device.toAt) break;
    const [fromAt, toAt] = [Math.max(startAt, device.fromAt), Math.min(endAt, device.toAt)];
    const samples = await series.range(trx, seriesId, fromAt, toAt);
    await series.thin!(trx, seriesId, fromAt, toAt, keep(samples));
    until = toAt;
    day = addDays(day, 1);
  }
  return until;
}

/** Has nothing before an instant be calculated again or added. */
async function freeze(
  trx: Db,
  { binding }: BoundDevice,
  column: Column,
  until: Instant,
): Promise<void> {
  await trx
    .updateTable('binding')
    .set({ [column]: until })
    .where('no', '=', binding)
    .where(column, '<', until)
    .execute();
}
