import { DAY_MS } from '@helioport/contract/durations';
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

/** From when readings are thinned: after so many days, to one in so many minutes. */
export interface ReadingThinning {
  readonly days: number;
  readonly minutes: number;
}

/** How long readings are kept; null = for ever, as they were measured. */
export interface ReadingRetention {
  readonly thinning: ReadingThinning | null;
  /** In days. */
  readonly expiry: number | null;
}

interface RetentionDeps extends ReadingRetention {
  readonly db: Db;
  readonly clock: Clock;
  readonly series: Series;
}

type Column = 'thinnedBefore' | 'expiredBefore';

const DEVICES_AT_ONCE = 20;
/** Days of one device in one transaction. */
const DAYS_AT_ONCE = 31;
/** Older than a limit by this much, a whole day of any time zone is older than it. */
const MARGIN_MS = 2 * DAY_MS;

/**
 * Thins and deletes old readings, a few days of a few devices per run. Roll-ups stay as they are: what is older than a device's limit is frozen
 * (BoundDevice.frozenBefore), so that nothing is calculated again from fewer readings.
 */
export const createReadingRetention = (deps: RetentionDeps): LaneHandler => ({
  async run() {
    const { thinning, expiry, clock } = deps;
    let done = 0;
    if (expiry !== null)
      done += await reduce(deps, 'expiredBefore', clock.now() - expiry * DAY_MS, () => []);
    if (thinning !== null)
      done += await reduce(deps, 'thinnedBefore', clock.now() - thinning.days * DAY_MS, (day) =>
        keptSamples(day, thinning.minutes).map(({ at }) => at),
      );
    return done > 0 ? { dueAt: clock.now() } : undefined;
  },
});

type Keep = (day: Awaited<ReturnType<Series['range']>>) => readonly number[];

/** Returns how many devices had something to reduce. */
async function reduce(
  { db, series }: RetentionDeps,
  column: Column,
  before: Instant,
  keep: Keep,
): Promise<number> {
  const found = await findOld(db, column, before - MARGIN_MS);
  const transact = transactionsOf(db);
  for (const { binding, from } of found)
    await attempt<[trx: Db], BoundDevice | undefined, Instant, void, void>(
      series,
      { db, first: (body) => transact(body), last: (body) => transact(body) },
      {
        begin: (trx) => lockBoundDevice(trx, binding),
        written: (device) => (device ? [device.seriesId] : []),
        change: async (own, trx, device) =>
          device ? reduceDays(trx, own.series, device, { from, before, keep }) : from,
        end: async (device, until, trx) => {
          if (device) await freeze(trx, device, column, until);
        },
      },
    );
  return found.length;
}

/** The first binding of some devices in which readings are due, with when the oldest of them was measured. */
async function findOld(
  db: Db,
  column: Column,
  before: Instant,
): Promise<{ binding: number; from: Instant }[]> {
  const rows = await db
    .selectFrom((from) =>
      from
        .selectFrom('device')
        .innerJoin('binding', 'binding.deviceId', 'device.id')
        .select((eb) => [
          'device.series',
          'binding.no',
          'binding.fromAt',
          eb
            .selectFrom('sample')
            .select('sample.at')
            .whereRef('sample.series', '=', 'device.series')
            .whereRef('sample.at', '>=', `device.${column}`)
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
    .where('oldestAt', '<', before)
    .orderBy('series')
    .orderBy('fromAt')
    .limit(DEVICES_AT_ONCE)
    .execute();
  const first = new Map(rows.toReversed().map((row) => [row.series, row]));
  return [...first.values()].map(({ no, oldestAt }) => ({ binding: no, from: oldestAt! }));
}

interface Task {
  /** When the oldest of the readings was measured. */
  readonly from: Instant;
  readonly before: Instant;
  readonly keep: Keep;
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
  { seriesId }: BoundDevice,
  column: Column,
  until: Instant,
): Promise<void> {
  await trx
    .updateTable('device')
    .set({ [column]: until })
    .where('series', '=', seriesId)
    .where(column, '<', until)
    .execute();
}
