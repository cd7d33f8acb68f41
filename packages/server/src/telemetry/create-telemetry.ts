import type { Db } from '../storage/database.ts';
import { dayCourse } from './day-course.ts';
import { readingOf, thinned } from './readings.ts';
import { dayRollup, latestOfRow, monthRollups } from './rollups.ts';
import type { Series } from './series.ts';
import { createSqlSeries } from './sql-series.ts';
import type { Latest, Telemetry } from './telemetry.ts';

/** What is read of telemetry, over the series of a database. */
export function createTelemetry({ db, series = createSqlSeries(db) }: { db: Db; series?: Series }): Telemetry {
  return {
    async latestOf(from, bindings) {
      const found = new Map<number, Latest>();
      for (const [binding, row] of await series.newestDays(from, bindings)) found.set(binding, latestOfRow(row));
      return found;
    },
    async daysOf(from, bindings, fromDay, toDay) {
      return (await series.days(from, bindings, fromDay, toDay)).map(dayRollup);
    },
    async monthsOf(from, bindings, fromMonth, toMonth) {
      const months = await series.months(from, bindings, fromMonth, toMonth);
      return monthRollups(months, await series.newestDays(from, bindings), fromMonth, toMonth);
    },
    async readingsBetween(from, number, fromAt, toAt) {
      return (await series.range(from, number, fromAt, toAt)).map(readingOf);
    },
    async chartReadings(from, number, fromAt, toAt) {
      return thinned(await series.range(from, number, fromAt, toAt), fromAt, toAt).map(readingOf);
    },
    dayCourse: (from, day) => dayCourse(from, series, day),
  };
}
