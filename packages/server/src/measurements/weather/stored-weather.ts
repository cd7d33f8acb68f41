import { HOUR_MS } from '@helioport/contract/durations';
import type { SunObserver } from '../../fleet/devices/sun.ts';
import { calendarOfZone } from '../../platform/calendar/plant-calendar.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { prepareQuery } from '../../platform/storage/prepare.ts';
import { cellOf, type WeatherCell } from './cell.ts';
import type { ServiceSample } from './read-answer.ts';

const UTC = calendarOfZone('UTC');
export const utcDayOf = (at: Instant): number => UTC.dayOf(at);

/** A day of a square as it is kept. */
export interface WeatherDay {
  readonly day: number;
  readonly samples: string;
  readonly licence: string;
}

const selectDays = prepareQuery<WeatherCell & { fromDay: number; toDay: number }, WeatherDay>(
  (db, p) =>
    db
      .selectFrom('weatherDay')
      .select(['day', 'samples', 'licence'])
      .where('latitude', '=', p('latitude'))
      .where('longitude', '=', p('longitude'))
      .where('day', '>=', p('fromDay'))
      .where('day', '<=', p('toDay'))
      .orderBy('day'),
);

/** What a weather service said of a place from an hour before a time to an hour after another one, by days of UTC. */
export const weatherOf = (
  db: Db,
  place: SunObserver,
  fromAt: Instant,
  toAt: Instant,
): Promise<WeatherDay[]> =>
  selectDays(db, {
    ...cellOf(place),
    fromDay: utcDayOf(fromAt - HOUR_MS),
    toDay: utcDayOf(toAt + HOUR_MS),
  });

/** Has a weather service asked for a place from now on. */
export async function wantWeather(db: Db, place: SunObserver, now: Instant): Promise<void> {
  const cell = cellOf(place);
  await db
    .insertInto('weatherCell')
    .values({ ...cell, wantedAt: now, dueAt: now, address: null, tag: null })
    .onConflict((conflict) =>
      conflict.columns(['latitude', 'longitude']).doUpdateSet({ wantedAt: now }),
    )
    .execute();
}

/** Keeps what was said of days, in place of what was said before. */
export async function keepWeather(
  trx: Db,
  { latitude, longitude }: WeatherCell,
  samples: readonly ServiceSample[],
  licence: string,
): Promise<void> {
  for (const [day, own] of Map.groupBy(samples, ({ at }) => utcDayOf(at))) {
    const row = { samples: JSON.stringify(own), licence };
    await trx
      .insertInto('weatherDay')
      .values({ latitude, longitude, day, ...row })
      .onConflict((conflict) => conflict.columns(['latitude', 'longitude', 'day']).doUpdateSet(row))
      .execute();
  }
}
