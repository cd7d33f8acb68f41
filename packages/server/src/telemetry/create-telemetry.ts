import type { Db } from '../storage/database.ts';
import { dayCourses } from './day-course.ts';
import { presentOf } from './present.ts';
import { readingOf, thinned } from './readings.ts';
import { dayRollup, latestOfRow, monthRollups } from './rollups.ts';
import type { Series } from '../series/port.ts';
import { createSqlSeries } from '../series/sql/sql-series.ts';
import type { Latest, Span, Telemetry } from './telemetry.ts';

/** What is read of telemetry, over the series of a database. */
export function createTelemetry({ db, series = createSqlSeries(db) }: { db: Db; series?: Series }): Telemetry {
  return {
    async latestOf(from, bindings, now = Number.POSITIVE_INFINITY) {
      const found = new Map<number, Latest>();
      for (const [binding, row] of await series.newestDays(from, bindings)) found.set(binding, latestOfRow(row));
      return presentOf(from, series, found, now);
    },
    firstReportsOf: (from, bindings) => series.firstReports(from, bindings),
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
    async chartReadings(from, number, spans) {
      if (spans.length === 0) return [];
      const samples = await series.range(from, number, Math.min(...spans.map(({ fromAt }) => fromAt)), Math.max(...spans.map(({ toAt }) => toAt)));
      const within = ({ fromAt, toAt }: Span) => samples.filter(({ at }) => at >= fromAt && at < toAt);
      return spans.flatMap((span) => thinned(within(span), span.fromAt, span.toAt).map(readingOf));
    },
    dayCourses: (from, day, stretches, withTotals) => dayCourses(from, series, day, stretches, withTotals),
  };
}
