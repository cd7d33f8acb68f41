import type { DayRow } from '../series/port.ts';
import { monthsOfDays } from '../series/sums.ts';
import type { SettledReads } from '../series/port.ts';

/** Reads in which the bindings in `first` have only the days given there, so that these need no query. For all other bindings, they ask the engine. */
export function withPreloadedDays(
  series: SettledReads,
  first: ReadonlyMap<number, readonly DayRow[]>,
): SettledReads {
  const others = (bindings: readonly number[]): number[] =>
    bindings.filter((binding) => !first.has(binding));
  const rowsOf = (bindings: readonly number[]): (readonly DayRow[])[] =>
    bindings.flatMap((binding) => (first.has(binding) ? [first.get(binding)!] : []));
  return {
    ...series,
    async newestDays(db, bindings, beforeDay = Infinity) {
      const asked = others(bindings);
      const found =
        asked.length > 0
          ? await series.newestDays(db, asked, beforeDay)
          : new Map<number, DayRow>();
      for (const rows of rowsOf(bindings)) {
        const newest = rows.findLast(({ day }) => day < beforeDay);
        if (newest) found.set(newest.binding, newest);
      }
      return found;
    },
    async firstReports(db, bindings) {
      const asked = others(bindings);
      const found =
        asked.length > 0 ? await series.firstReports(db, asked) : new Map<number, number>();
      for (const [row] of rowsOf(bindings)) if (row) found.set(row.binding, row.state.firstAt);
      return found;
    },
    async days(db, bindings, fromDay, toDay) {
      const asked = others(bindings);
      const found = asked.length > 0 ? await series.days(db, asked, fromDay, toDay) : [];
      const own = rowsOf(bindings).flatMap((rows) =>
        rows.filter(({ day }) => day >= fromDay && day <= toDay),
      );
      return [...found, ...own].toSorted((a, b) => a.binding - b.binding || a.day - b.day);
    },
    async months(db, bindings, fromMonth, toMonth) {
      const asked = others(bindings);
      const found = asked.length > 0 ? await series.months(db, asked, fromMonth, toMonth) : [];
      const own = rowsOf(bindings).flatMap((rows) =>
        monthsOfDays(rows[0]?.binding ?? 0, rows.slice(0, -1)),
      );
      return [
        ...found,
        ...own.filter(({ month }) => month >= fromMonth && month <= toMonth),
      ].toSorted((a, b) => a.binding - b.binding || a.month - b.month);
    },
  };
}
