import type { Db } from '../storage/database.ts';
import { dayCurves } from './day-curves.ts';
import { presentOf } from './present.ts';
import { readingOf, downsample } from './downsampling.ts';
import { dayRollup, latestOfRow, monthRollups } from './rollups.ts';
import type { Series } from '../series/port.ts';
import { settledReads } from './settled-reads.ts';
import type { Latest, Span, Telemetry } from './telemetry.ts';

/** Reads telemetry from an engine; `db` is the main database. */
export function createTelemetry({ db, series: engine }: { readonly db: Db; readonly series: Series }): Telemetry {
  const series = settledReads(db, engine);
  return {
    async latestOf(from, bindingNos, now = Number.POSITIVE_INFINITY) {
      const found = new Map<number, Latest>();
      for (const [binding, row] of await series.newestDays(from, bindingNos)) found.set(binding, latestOfRow(row));
      return presentOf(from, series, found, now);
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
    async chartReadings(from, seriesId, spans) {
      if (spans.length === 0) return [];
      const samples = await series.range(from, seriesId, Math.min(...spans.map(({ fromAt }) => fromAt)), Math.max(...spans.map(({ toAt }) => toAt)));
      const within = ({ fromAt, toAt }: Span) => samples.filter(({ at }) => at >= fromAt && at < toAt);
      return spans.flatMap((span) => downsample(within(span), span.fromAt, span.toAt).map(readingOf));
    },
    async readingsOf(from, parts) {
      if (parts.length === 0) return [];
      const [fromAt, toAt] = [Math.min(...parts.map((part) => part.fromAt)), Math.max(...parts.map((part) => part.toAt))];
      const samples = await series.ranges(from, [...new Set(parts.map(({ seriesId }) => seriesId))], fromAt, toAt);
      return parts.map((part) => (samples.get(part.seriesId) ?? []).filter(({ at }) => at >= part.fromAt && at < part.toAt).map(readingOf));
    },
    dayCurves: (from, day, parts, withTotals) => dayCurves(from, series, day, parts, withTotals),
  };
}
