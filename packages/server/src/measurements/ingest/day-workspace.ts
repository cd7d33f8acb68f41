import { END_OF_DAYS } from '../../platform/calendar/plant-calendar.ts';
import type { Db } from '../../platform/storage/database.ts';
import { encodeDay } from '../energy/codec/day-codec.ts';
import type { DayState } from '../energy/day-state.ts';
import type { DayRow, Series } from '../series/port.ts';

/** What is stored of a binding from a day on. */
export interface LoadedDays {
  readonly fromDay: number;
  /** All its days from there on, ascending. */
  readonly days: readonly DayRow[];
  /** The last one before. */
  readonly before: DayRow | undefined;
}

/** The days of a binding while some of them are being recalculated, each with its current state and its stored state. */
export interface DayWorkspace {
  find(day: number): Promise<DayState | undefined>;
  /** The last existing day before `day`; `after` finds the first one after it. */
  before(day: number): Promise<{ readonly day: number; readonly state: DayState } | undefined>;
  after(day: number): Promise<{ readonly day: number; readonly state: DayState } | undefined>;
  /** The stored days from one to another, both included, with their current states. */
  stored(fromDay: number, toDay: number): Promise<readonly DayRow[]>;
  /** Withdraws the receipts that `byDay` gave to earlier days, from `fromDay` on. */
  withdraw(byDay: number, fromDay: number): Promise<void>;
  /** Removes all days from one on, and withdraws the receipts that they gave. */
  removeFrom(fromDay: number): Promise<void>;
  /** Replaces the state of a day; undefined = the day no longer exists. */
  put(day: number, state: DayState | undefined): void;
  /** Like `find` and its neighbours, but only for days that have already been read or replaced: these two methods do not query the database. */
  peekDay(day: number): DayState | undefined;
  peekLast(beforeDay: number): DayState | undefined;
  /** All days that differ from what is stored; undefined = removed. */
  changed(): Map<number, DayState | undefined>;
}

interface WorkspaceDay {
  state: DayState | undefined;
  /** The encoded state as stored; undefined = the day is not stored. */
  readonly stored: Buffer | undefined;
  readonly storedLastAt: number;
}

/** Reads the stored days of a binding; those that are loaded already without asking the database. */
function readerOf(db: Db, series: Series, binding: number, loaded: LoadedDays | undefined) {
  // Of nothing loaded, everything lies before.
  const {
    fromDay: loadedFrom,
    days,
    before,
  } = loaded ?? { fromDay: Number.POSITIVE_INFINITY, days: [], before: undefined };
  const knownFrom = before?.day ?? loadedFrom;
  const known = before ? [before, ...days] : days;
  return {
    async between(fromDay: number, toDay: number): Promise<readonly DayRow[]> {
      return fromDay >= knownFrom
        ? known.filter(({ day }) => day >= fromDay && day <= toDay)
        : series.days(db, [binding], fromDay, toDay);
    },
    async neighbour(from: number, side: 'before' | 'after'): Promise<DayRow | undefined> {
      if (side === 'after' && from >= knownFrom) return known.find(({ day }) => day > from);
      if (side === 'before' && from > knownFrom) return known.findLast(({ day }) => day < from);
      if (side === 'before' && from === loadedFrom) return undefined;
      return series.neighbourDay(db, binding, from, side);
    },
  };
}

export function createDayWorkspace(
  db: Db,
  series: Series,
  binding: number,
  loaded?: LoadedDays,
): DayWorkspace {
  const places = new Map<number, WorkspaceDay>();
  const reader = readerOf(db, series, binding, loaded);

  const shelve = ({ day, state }: DayRow): WorkspaceDay => {
    let place = places.get(day);
    if (!place)
      places.set(day, (place = { state, stored: encodeDay(state), storedLastAt: state.last.at }));
    return place;
  };

  // The state that was loaded may have lost its receipts to the one that took its place.
  const current = (row: DayRow): DayRow | undefined => {
    const place = places.get(row.day);
    if (!place) return row;
    return place.state && { ...row, state: place.state };
  };

  const neighbour = async (
    from: number,
    side: 'before' | 'after',
  ): Promise<{ day: number; state: DayState } | undefined> => {
    const isBeyond = (day: number): boolean => (side === 'before' ? day < from : day > from);
    let stored = await reader.neighbour(from, side);
    while (stored && !shelve(stored).state) stored = await reader.neighbour(stored.day, side);
    let nearest = stored?.day;
    for (const [day, { state }] of places) {
      if (
        state &&
        isBeyond(day) &&
        (nearest === undefined || (side === 'before' ? day > nearest : day < nearest))
      )
        nearest = day;
    }
    return nearest === undefined ? undefined : { day: nearest, state: places.get(nearest)!.state! };
  };

  const sorted = (): [number, WorkspaceDay][] => [...places].toSorted(([a], [b]) => a - b);

  return {
    async find(day) {
      if (!places.has(day)) for (const row of await reader.between(day, day)) shelve(row);
      return places.get(day)?.state;
    },
    before: (day) => neighbour(day, 'before'),
    after: (day) => neighbour(day, 'after'),
    stored: async (fromDay, toDay) =>
      (await reader.between(fromDay, toDay)).flatMap((row) => current(row) ?? []),
    async withdraw(byDay, fromDay) {
      for (const row of await reader.between(fromDay, byDay - 1)) shelve(row);
      for (const [day, place] of places)
        if (
          place.state &&
          day >= fromDay &&
          day < byDay &&
          isEmptied(place.state, (by) => by === byDay)
        )
          place.state = undefined;
    },
    async removeFrom(fromDay) {
      for (const row of await reader.between(0, END_OF_DAYS)) shelve(row);
      for (const [day, place] of places)
        if (place.state && (day >= fromDay || isEmptied(place.state, (by) => by >= fromDay)))
          place.state = undefined;
    },
    put(day, state) {
      const place = places.get(day);
      if (place) place.state = state;
      else places.set(day, { state, stored: undefined, storedLastAt: 0 });
    },
    peekDay: (day) => places.get(day)?.state,
    peekLast: (beforeDay) =>
      sorted().findLast(([day, { state }]) => state && day < beforeDay)?.[1].state,
    changed: () =>
      new Map(
        sorted().flatMap(([day, place]) => (isChanged(place) ? [[day, place.state] as const] : [])),
      ),
  };
}

const isChanged = ({ state, stored, storedLastAt }: WorkspaceDay): boolean =>
  state
    ? !stored || stored.compare(encodeDay(state)) !== 0 || storedLastAt !== state.last.at
    : stored !== undefined;

/** Drops the receipts that certain days gave to a day; returns whether nothing is known about that day any more. */
function isEmptied(state: DayState, isGiver: (day: number) => boolean): boolean {
  let [dropped, left] = [false, state.samples > 0];
  for (const channel of state.channels) {
    if (!channel?.receipts) continue;
    const kept = channel.receipts.filter((receipt) => !isGiver(receipt.byDay));
    dropped ||= kept.length < channel.receipts.length;
    channel.receipts = kept.length > 0 ? kept : undefined;
    left ||= kept.length > 0;
  }
  return dropped && !left;
}
