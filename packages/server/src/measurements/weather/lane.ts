import { DAY_MS, HOUR_MS, MINUTE_MS } from '@helioport/contract/durations';
import type { Selectable } from 'kysely';
import { addDays, wallOfDay } from '../../platform/calendar/plant-calendar.ts';
import type { Egress } from '../../platform/egress/egress.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { Logger } from '../../platform/kernel/logger.ts';
import type { Db, Instant, WeatherCellTable } from '../../platform/storage/database.ts';
import type { LaneHandler, Run } from '../../platform/work/lane.ts';
import { askWeather } from './ask.ts';
import { weatherAddress } from './cell.ts';
import { readWeather, type ServiceSample } from './read-answer.ts';
import { keepWeather, utcDayOf } from './stored-weather.ts';

/** Its runs ask a weather service. */
export const WEATHER_LANE = 'weather';

/** So many squares are asked for in a run, one after the other; there is a run each minute. */
const CELLS_AT_ONCE = 5;
const GOOD_MS = 3 * HOUR_MS;
/** At first, and every time: models are corrected for a day or two. */
const [HISTORY_DAYS, AGAIN_DAYS] = [41, 2] as const;
/** Squares that no plant has wanted for so long are no longer asked for. */
const FORGOTTEN_MS = 7 * DAY_MS;
const [BACK_OFF_MS, BACK_OFF_AT_MOST_MS] = [5 * MINUTE_MS, 12 * HOUR_MS] as const;

export interface WeatherSource {
  readonly template: string;
  readonly licence: string;
}

export interface WeatherDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly egress: Egress;
  readonly logger: Pick<Logger, 'warn'>;
  readonly source: WeatherSource;
}

type Cell = Selectable<WeatherCellTable>;

/** Asks for the squares that are due. A service that refuses is left alone for all of them. */
export const createWeatherLane = (deps: WeatherDependencies): LaneHandler => ({
  async run(run) {
    const { db, clock } = deps;
    const now = clock.now();
    await db
      .deleteFrom('weatherCell')
      .where('wantedAt', '<', now - FORGOTTEN_MS)
      .execute();
    const due = await db
      .selectFrom('weatherCell')
      .selectAll()
      .where('dueAt', '<=', now)
      .orderBy('dueAt')
      .limit(CELLS_AT_ONCE)
      .execute();
    for (const cell of due) if (!(await settle(deps, run, cell, now))) return;
  },
});

/** Asks for one square; says whether the next one may be asked for. */
async function settle(
  deps: WeatherDependencies,
  run: Run,
  cell: Cell,
  now: Instant,
): Promise<boolean> {
  const { egress, logger, source } = deps;
  const isNew = cell.address === null;
  const today = utcDayOf(now);
  const from = addDays(today, -(isNew ? HISTORY_DAYS : AGAIN_DAYS));
  const address = weatherAddress(source.template, cell, isoDay(from), isoDay(today));
  try {
    const tag = cell.address === address ? cell.tag : null;
    const answer = await askWeather(egress, address, { tag, now, signal: run.signal });
    if (answer.kind === 'refused') {
      logger.warn({ status: answer.status }, 'the weather service refused to answer');
      await postpone(run, cell, now, answer.retryAfterMs, true);
      return false;
    }
    const samples = answer.kind === 'new' ? pastOf(readWeather(answer.text), now) : [];
    await run.transaction(async (trx) => {
      await keepWeather(trx, cell, samples, source.licence);
      await setCell(trx, cell, {
        dueAt: now + GOOD_MS,
        failures: 0,
        ...(answer.kind === 'new' && { address, tag: answer.tag }),
      });
    });
    return true;
  } catch (error) {
    if (run.signal.aborted) throw error;
    logger.warn({ reason: (error as Error).message }, 'the weather service gave no usable answer');
    await postpone(run, cell, now, undefined, false);
    return true;
  }
}

/** Forecasts are no measurements. */
const pastOf = (samples: readonly ServiceSample[], now: Instant): ServiceSample[] =>
  samples.filter(({ at }) => at <= now);

const postpone = (
  run: Run,
  cell: Cell,
  now: Instant,
  retryAfterMs: number | undefined,
  isForAll: boolean,
): Promise<void> =>
  run.transaction(async (trx) => {
    const backOff = Math.min(BACK_OFF_MS * 2 ** Math.min(cell.failures, 20), BACK_OFF_AT_MOST_MS);
    const until = now + Math.max(backOff, retryAfterMs ?? 0);
    await setCell(trx, cell, { dueAt: until, failures: cell.failures + 1 });
    if (isForAll)
      await trx
        .updateTable('weatherCell')
        .set({ dueAt: until })
        .where('dueAt', '<', until)
        .execute();
  });

const setCell = async (
  trx: Db,
  { latitude, longitude }: Cell,
  values: Partial<Pick<Cell, 'dueAt' | 'failures' | 'address' | 'tag'>>,
): Promise<void> => {
  await trx
    .updateTable('weatherCell')
    .set(values)
    .where('latitude', '=', latitude)
    .where('longitude', '=', longitude)
    .execute();
};

const isoDay = (day: number): string => new Date(wallOfDay(day)).toISOString().slice(0, 10);
