import { dayCurves } from './day-curves.ts';
import { withPreloadedDays } from './preloaded-days.ts';
import { presentOf } from './present.ts';
import { samplePages } from '../series/sample-pages.ts';
import { createThinning, readingOf } from './thinning.ts';
import { eachReading } from './each-reading.ts';
import { dayRollup, latestOfRow, monthRollups } from './rollups.ts';
import type { SettledReads } from '../series/port.ts';
import type { DayRollup, Latest, StoredReading, Telemetry } from './telemetry.ts';

/** Most devices have produced something within this many days. */
const FIRST_DAYS = 31;

/** Reads telemetry from an engine. */
export function createTelemetry(series: SettledReads): Telemetry {
  return {
    async latestOf(from, bindingNos, now = Number.POSITIVE_INFINITY) {
      const found = new Map<number, Latest>();
      for (const [binding, row] of await series.newestDays(from, bindingNos))
        found.set(binding, latestOfRow(row));
      return presentOf(from, series, found, now);
    },
    async endsOf(from, { bindingNos, first, now }) {
      const ends = await series.endDays(
        from,
        { bindings: bindingNos, count: 2 },
        { bindings: first, count: FIRST_DAYS },
      );
      const latest = new Map<number, Latest>();
      const before = new Map<number, DayRollup>();
      for (const rows of Map.groupBy(ends.newest, ({ binding }) => binding).values()) {
        latest.set(rows[0]!.binding, latestOfRow(rows.at(-1)!));
        if (rows.length > 1) before.set(rows[0]!.binding, dayRollup(rows[0]!));
      }
      const firstDays = Map.groupBy(ends.first, ({ binding }) => binding);
      return {
        latest: await presentOf(from, series, latest, now),
        before,
        beginnings: createTelemetry(withPreloadedDays(series, firstDays)),
        first: new Map(
          [...firstDays].map(([no, rows]) => [
            no,
            { days: rows.map(dayRollup), isAll: rows.length < FIRST_DAYS },
          ]),
        ),
      };
    },
    firstReportsOf: (from, bindingNos) => series.firstReports(from, bindingNos),
    async daysOf(from, bindingNos, fromDay, toDay) {
      return (await series.days(from, bindingNos, fromDay, toDay)).map(dayRollup);
    },
    async monthsOf(from, bindingNos, fromMonth, toMonth) {
      const months = await series.months(from, bindingNos, fromMonth, toMonth);
      return monthRollups(months, await series.newestDays(from, bindingNos), fromMonth, toMonth);
    },
    async readingsBetween(from, seriesId, fromAt, toAt) {
      return (await series.range(from, seriesId, fromAt, toAt)).map(readingOf);
    },
    async *readingPages(from, seriesId, fromAt, toAt) {
      for await (const page of samplePages(from, series, seriesId, fromAt, toAt))
        if (page.length > 0) yield page.map(readingOf);
    },
    async chartReadings(from, seriesId, spans) {
      if (spans.length === 0) return [];
      const charts = spans.map((span) => ({
        ...span,
        rows: createThinning<StoredReading>(span.fromAt, span.toAt),
      }));
      const [fromAt, toAt] = [
        Math.min(...spans.map((span) => span.fromAt)),
        Math.max(...spans.map((span) => span.toAt)),
      ];
      for await (const page of samplePages(from, series, seriesId, fromAt, toAt))
        for (const sample of page)
          for (const chart of charts)
            if (sample.at >= chart.fromAt && sample.at < chart.toAt)
              chart.rows.add(sample.at, () => readingOf(sample));
      return charts.flatMap(({ rows }) => rows.end());
    },
    eachReading: (from, parts, visit) => eachReading(from, series, parts, visit),
    dayCurves: (from, day, parts, withTotals) => dayCurves(from, series, day, parts, withTotals),
  };
}
