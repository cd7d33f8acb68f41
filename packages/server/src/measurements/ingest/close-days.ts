import { NO_CARRY } from '../energy/day-state.ts';
import { daysOfMonth, monthOf } from '../../platform/calendar/plant-calendar.ts';
import type { Db } from '../../platform/storage/database.ts';
import type { DayRow, MonthRow, Series } from '../series/port.ts';
import { carryFromMonths, isEmptyMonth, monthsOfDays, sumsAfter } from '../series/sums.ts';
import type { AppendedDays } from './append-days.ts';

/**
 * For each binding, closes all days but the last: adds them to their months, and calculates the carry of the day that stays open. Only reads, and
 * only if a day closes. Returns the months.
 */
export async function closeDays(
  db: Db,
  series: Series,
  appended: readonly AppendedDays[],
): Promise<MonthRow[]> {
  for (const { days } of appended) if (days.length === 1) days[0]!.state.carry ??= NO_CARRY;
  const closing = appended.filter(({ days }) => days.length > 1);
  if (closing.length === 0) return [];
  const firsts = closing.flatMap(({ days, isFirst }) => (isFirst ? [] : [days[0]!]));
  // If a failure may leave the months of a binding stored without its days, sums are calculated again instead of continued.
  const months = await (series.sharesTransaction ? continuedMonths : monthsAnew)(
    db,
    series,
    closing,
    firsts,
  );
  return months.filter((month) => !isEmptyMonth(month));
}

/** Continues the stored months and the carry of the newest day. */
async function continuedMonths(
  db: Db,
  series: Series,
  closing: readonly AppendedDays[],
  firsts: readonly DayRow[],
): Promise<MonthRow[]> {
  const begun = new Map<number, MonthRow>();
  for (const [month, ofMonth] of byMonth(firsts)) {
    const bindings = ofMonth.map(({ binding }) => binding);
    for (const row of await series.months(db, bindings, month, month)) begun.set(row.binding, row);
  }
  return closing.flatMap(({ device: { binding }, days }) => {
    const months = monthsOfDays(binding, days.slice(0, -1), begun.get(binding));
    for (const [i, row] of days.slice(0, -1).entries()) {
      days[i + 1]!.state.carry = sumsAfter(row);
      row.state.carry = undefined;
    }
    return months;
  });
}

/** Calculates the months from their days, and the carry from all months. */
async function monthsAnew(
  db: Db,
  series: Series,
  closing: readonly AppendedDays[],
  firsts: readonly DayRow[],
): Promise<MonthRow[]> {
  const { daysBefore, monthsBefore } = await storedBefore(db, series, firsts);
  return closing.flatMap(({ device: { binding }, days }) => {
    const closed = days.slice(0, -1);
    for (const { state } of closed) state.carry = undefined;
    const months = monthsOfDays(binding, [...(daysBefore.get(binding) ?? []), ...closed]);
    days.at(-1)!.state.carry = carryFromMonths(
      [...(monthsBefore.get(binding) ?? []), ...months],
      closed.at(-1)!,
    );
    return months;
  });
}

// There is usually one month: the days of all devices close in the same night.
const byMonth = (firsts: readonly DayRow[]): Map<number, DayRow[]> =>
  Map.groupBy(firsts, ({ day }) => monthOf(day));

/** The stored rows of bindings before the given days: the earlier days of the same month, and the earlier months; both by binding. */
async function storedBefore(db: Db, series: Series, firsts: readonly DayRow[]) {
  const [daysBefore, monthsBefore] = [new Map<number, DayRow[]>(), new Map<number, MonthRow[]>()];
  for (const [month, ofMonth] of byMonth(firsts)) {
    const bindings = ofMonth.map(({ binding }) => binding);
    const firstDays = new Map(ofMonth.map(({ binding, day }) => [binding, day]));
    const { fromDay } = daysOfMonth(month);
    const toDay = Math.max(...firstDays.values()) - 1;
    const days = toDay < fromDay ? [] : await series.days(db, bindings, fromDay, toDay);
    for (const row of days)
      if (row.day < firstDays.get(row.binding)!) listIn(daysBefore, row).push(row);
    for (const row of await series.months(db, bindings, 0, month - 1))
      listIn(monthsBefore, row).push(row);
  }
  return { daysBefore, monthsBefore };
}

function listIn<Row extends { readonly binding: number }>(
  lists: Map<number, Row[]>,
  { binding }: Row,
): Row[] {
  let list = lists.get(binding);
  if (!list) lists.set(binding, (list = []));
  return list;
}
