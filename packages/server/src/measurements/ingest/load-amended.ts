import {
  addDays,
  daysBetween,
  LAST_MONTH,
  monthOf,
} from '../../platform/calendar/plant-calendar.ts';
import type { DaySample } from '../energy/day-state.ts';
import type { DayRow, Series } from '../series/port.ts';
import type { Db } from '../../platform/storage/database.ts';
import type { BoundDevice } from '../bindings/bound-device.ts';
import type { LoadedDays } from './day-workspace.ts';
import type { Loaded } from './refold.ts';

/** Readings of a device that may be older than stored ones or replace them. */
export interface LateReadings {
  readonly device: BoundDevice;
  /** Ascending. */
  readonly readings: readonly DaySample[];
  /** The device's newest day as stored; undefined if it is not known. */
  readonly newest: DayRow | undefined;
}

/** What is stored of the days that late readings belong to. */
export interface LoadedLate {
  readonly late: LateReadings;
  /** The samples of these days, ascending. */
  readonly samples: readonly DaySample[];
  /** What recalculates the days once these samples have been added or replaced. */
  loaded(changed: readonly DaySample[]): Loaded;
}

/** A device whose days change. */
interface Changing {
  readonly late: LateReadings;
  readonly newest: DayRow;
}

/** The days of a device that late readings belong to. */
interface Stretch extends Changing {
  readonly days: readonly number[];
  readonly fromAt: number;
  readonly toAt: number;
}

// So many devices are read at once: a day may have thousands of samples.
const DEVICES_AT_ONCE = 10;

// Readings of more days are left to the general way, and so are those of so long ago that it reads less.
const DAYS_AT_MOST = 3;
const DAYS_BACK_AT_MOST = 62;

// Days of more samples are left to the general way as well, which holds those of one device at a time.
const SAMPLES_AT_MOST = 10_000;

/**
 * Reads at once, for several devices, what late readings of a day or two need: one question for their samples, and a few for their days. Devices
 * are left out that have moved between plants, or whose readings reach far. Without transactions, roll-ups follow once the samples are stored.
 */
export async function* loadAmended(
  db: Db,
  series: Series,
  all: readonly LateReadings[],
): AsyncGenerator<LoadedLate> {
  if (!series.sharesTransaction) return;
  const stretches = all.flatMap((late) => stretchOf(late) ?? []);
  // Plants in one zone share their days.
  for (const alike of Map.groupBy(
    stretches,
    ({ days, fromAt, toAt }) => `${days[0]} ${fromAt} ${toAt}`,
  ).values()) {
    for (let first = 0; first < alike.length; first += DEVICES_AT_ONCE) {
      const some = alike.slice(first, first + DEVICES_AT_ONCE);
      const { fromAt, toAt, days } = some[0]!;
      const daysOf = await loadDays(db, series, days[0]!, some);
      const readable = some.filter((stretch) => countOf(stretch, daysOf) <= SAMPLES_AT_MOST);
      const samples =
        readable.length === 0
          ? new Map<number, DaySample[]>()
          : await series.ranges(
              db,
              readable.map(({ late }) => late.device.seriesId),
              fromAt,
              toAt,
            );
      for (const stretch of readable) {
        const { device } = stretch.late;
        const own = (samples.get(device.seriesId) ?? []).filter(
          ({ at }) => at >= device.fromAt && at < device.toAt,
        );
        const loaded = (changed: readonly DaySample[]): Loaded => ({
          newest: stretch.newest,
          ...daysOf(stretch),
          samples: byDays(stretch, own, changed),
        });
        yield { late: stretch.late, samples: own, loaded };
      }
    }
  }
}

/** How many samples the days of a stretch have. */
const countOf = (stretch: Stretch, daysOf: (stretch: Changing) => Pick<Loaded, 'days'>): number =>
  daysOf(stretch).days.days.reduce(
    (sum, { day, state }) => sum + (stretch.days.includes(day) ? state.samples : 0),
    0,
  );

function stretchOf(late: LateReadings): Stretch | undefined {
  const { device, readings, newest } = late;
  if (!newest || device.former || device.next) return undefined;
  const { calendar } = device;
  const [firstDay, lastDay] = [
    calendar.dayOf(readings[0]!.at),
    calendar.dayOf(readings.at(-1)!.at),
  ];
  if (
    addDays(firstDay, DAYS_AT_MOST) <= lastDay ||
    addDays(firstDay, DAYS_BACK_AT_MOST) < newest.day
  )
    return undefined;
  return {
    late,
    newest,
    days: daysBetween(firstDay, lastDay),
    fromAt: calendar.dayWindow(firstDay).startAt,
    toAt: calendar.dayWindow(lastDay).endAt,
  };
}

/** Reads the days of devices from the first one that changes on; if that is a closed one, from the beginning of its month, which is added up again. */
export async function loadDays(
  db: Db,
  series: Series,
  firstDay: number,
  stretches: readonly Changing[],
): Promise<(stretch: Changing) => Pick<Loaded, 'days' | 'months'>> {
  const bindingsOf = (some: readonly Changing[]): number[] =>
    some.map(({ late }) => late.device.binding);
  const [closed, open] = [
    stretches.filter(({ newest }) => newest.day > firstDay),
    stretches.filter(({ newest }) => newest.day <= firstDay),
  ];
  const monthStart = monthOf(firstDay) * 100 + 1;
  const lastDay = Math.max(...closed.map(({ newest }) => newest.day));
  const days =
    closed.length === 0 ? [] : await series.days(db, bindingsOf(closed), monthStart, lastDay);
  const beforeMonth =
    closed.length === 0
      ? new Map<number, DayRow>()
      : await series.newestDays(db, bindingsOf(closed), monthStart);
  const months =
    closed.length === 0 ? [] : await series.months(db, bindingsOf(closed), 0, LAST_MONTH);
  const daysOf = Map.groupBy(days, ({ binding }) => binding);
  const monthsOf = Map.groupBy(months, ({ binding }) => binding);
  const beforeNewest = new Map<number, DayRow>();
  for (const [day, some] of Map.groupBy(open, ({ newest }) => newest.day)) {
    for (const [binding, row] of await series.newestDays(db, bindingsOf(some), day))
      beforeNewest.set(binding, row);
  }
  return ({ late, newest }) => {
    const { binding } = late.device;
    if (newest.day <= firstDay)
      return {
        days: { fromDay: newest.day, days: [newest], before: beforeNewest.get(binding) },
        months: undefined,
      };
    const ofMonth: LoadedDays = {
      fromDay: monthStart,
      days: daysOf.get(binding) ?? [],
      before: beforeMonth.get(binding),
    };
    return { days: ofMonth, months: monthsOf.get(binding) ?? [] };
  };
}

/** The samples of the days that change, after `changed` has been added or has replaced some; both are ascending. */
function byDays(
  { late, days }: Stretch,
  stored: readonly DaySample[],
  changed: readonly DaySample[],
): Map<number, DaySample[]> {
  const { calendar } = late.device;
  const lists = new Map<number, DaySample[]>();
  const touched = new Set(changed.map(({ at }) => calendar.dayOf(at)));
  let [s, c] = [0, 0];
  for (const day of days) {
    const { endAt } = calendar.dayWindow(day);
    const list: DaySample[] = [];
    while ((stored[s]?.at ?? Infinity) < endAt || (changed[c]?.at ?? Infinity) < endAt) {
      const [old, news] = [stored[s], changed[c]];
      if (news && (!old || news.at <= old.at)) {
        list.push(news);
        c += 1;
        if (old?.at === news.at) s += 1;
      } else {
        list.push(old!);
        s += 1;
      }
    }
    if (touched.has(day)) lists.set(day, list);
  }
  return lists;
}
