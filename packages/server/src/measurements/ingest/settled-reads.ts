import { whileClaimed } from './claims.ts';
import { mendBindings } from './mend.ts';
import type { DayRow, MonthRow, Series, SettledReads } from '../series/port.ts';
import type { Db } from '../../platform/storage/database.ts';

/**
 * Reads of an engine that return nothing half-written. If rows are marked, they are recalculated and read again; this waits for attempts that are
 * still changing them. An engine that shares transactions has no such rows.
 */
export function settledReads(db: Db, series: Series): SettledReads {
  async function settled<Found>(
    read: () => Promise<Found>,
    rowsOf: (found: Found) => Iterable<DayRow | MonthRow>,
  ): Promise<Found> {
    if (series.sharesTransaction) return read();
    const readOnce = async (): Promise<{
      readonly found: Found;
      readonly marked: readonly number[];
    }> => {
      const found = await read();
      return {
        found,
        marked: [...rowsOf(found)].filter(({ isMarked }) => isMarked).map(({ binding }) => binding),
      };
    };
    for (;;) {
      const first = await readOnce();
      if (first.marked.length === 0) return first.found;
      // Most are of reports that are just being stored.
      await whileClaimed(db, first.marked);
      const second = await readOnce();
      if (second.marked.length === 0) return second.found;
      await mendBindings(db, series, second.marked);
    }
  }

  return {
    isSettled: true,
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
