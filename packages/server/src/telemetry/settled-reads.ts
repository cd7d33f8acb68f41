import { mendBindings } from '../ingest/mend.ts';
import type { DayRow, MonthRow, Series } from '../series/port.ts';
import type { Db } from '../storage/database.ts';

/** The reads that telemetry needs from an engine. */
export type SeriesReads = Pick<Series, 'range' | 'ranges' | 'newestDays' | 'endDays' | 'firstReports' | 'days' | 'months'>;

/**
 * Reads of an engine that return nothing half-written. If rows are marked, they are recalculated and read again; this waits for attempts that are
 * still changing them. An engine that shares transactions has no such rows.
 */
export function settledReads(db: Db, series: Series): SeriesReads {
  if (series.sharesTransaction) return series;

  async function settled<Found>(read: () => Promise<Found>, rowsOf: (found: Found) => Iterable<DayRow | MonthRow>): Promise<Found> {
    for (;;) {
      const found = await read();
      const marked = [...rowsOf(found)].filter(({ isMarked }) => isMarked);
      if (marked.length === 0) return found;
      await mendBindings(
        db,
        series,
        marked.map(({ binding }) => binding),
      );
    }
  }

  return {
    range: (...asked) => series.range(...asked),
    ranges: (...asked) => series.ranges(...asked),
    firstReports: (...asked) => series.firstReports(...asked),
    newestDays: (...asked) =>
      settled(
        () => series.newestDays(...asked),
        (found) => found.values(),
      ),
    endDays: (...asked) =>
      settled(
        () => series.endDays(...asked),
        ({ newest, first }) => [...newest, ...first],
      ),
    days: (...asked) =>
      settled(
        () => series.days(...asked),
        (rows) => rows,
      ),
    months: (...asked) =>
      settled(
        () => series.months(...asked),
        (rows) => rows,
      ),
  };
}
