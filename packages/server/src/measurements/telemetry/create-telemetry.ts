import type { Db } from '../../platform/storage/database.ts';
import { dayCurves } from './day-curves.ts';
import { daysAtHand } from './days-at-hand.ts';
import { presentOf } from './present.ts';
import { readingOf, downsample } from './downsampling.ts';
import { dayRollup, latestOfRow, monthRollups } from './rollups.ts';
import type { Series } from '../series/port.ts';
import { settledReads, type SeriesReads } from './settled-reads.ts';
import type { DayRollup, Latest, Span, Telemetry } from './telemetry.ts';

/** Most devices have produced something within this many days. */
const FIRST_DAYS = 31;

/** Reads telemetry from an engine; `db` is the main database. */
export function createTelemetry({
  db,
  series: engine,
}: {
  readonly db: Db;
  readonly series: Series;
}): Telemetry {
  return telemetryOver(settledReads(db, engine));
}

function telemetryOver(series: SeriesReads): Telemetry {
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
        beginnings: telemetryOver(daysAtHand(series, firstDays)),
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
    async chartReadings(from, seriesId, spans) {
      if (spans.length === 0) return [];
      const samples = await series.range(
        from,
        seriesId,
        Math.min(...spans.map(({ fromAt }) => fromAt)),
        Math.max(...spans.map(({ toAt }) => toAt)),
      );
      const within = ({ fromAt, toAt }: Span) =>
        samples.filter(({ at }) => at >= fromAt && at < toAt);
      return spans.flatMap((span) =>
        downsample(within(span), span.fromAt, span.toAt).map(readingOf),
      );
    },
    async readingsOf(from, parts) {
      if (parts.length === 0) return [];
      const [fromAt, toAt] = [
        Math.min(...parts.map((part) => part.fromAt)),
        Math.max(...parts.map((part) => part.toAt)),
      ];
      const samples = await series.ranges(
        from,
        [...new Set(parts.map(({ seriesId }) => seriesId))],
        fromAt,
        toAt,
      );
      return parts.map((part) =>
        (samples.get(part.seriesId) ?? [])
          .filter(({ at }) => at >= part.fromAt && at < part.toAt)
          .map(readingOf),
      );
    },
    dayCurves: (from, day, parts, withTotals) => dayCurves(from, series, day, parts, withTotals),
  };
}
