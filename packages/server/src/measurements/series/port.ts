import type { DayState, DaySample } from '../energy/day-state.ts';
import type { DbHandle } from './db-handle.ts';
import type { FieldLists } from './field-lists.ts';
import type { MonthState } from '../energy/month-state.ts';

/** A sample of a device. `seriesId` is device.series. */
export interface SampleRow {
  readonly seriesId: number;
  readonly sample: DaySample;
}

/** The state of a binding on one local day. */
export interface DayRow {
  readonly binding: number;
  /** yyyymmdd */
  readonly day: number;
  readonly state: DayState;
  /** Set on reading, if the binding has a mark: this row or others may be half-written. */
  readonly isMarked?: boolean;
}

/**
 * Shows that the rows of a binding, from a day on, are being changed. If the attempt that made the mark is no longer running, these rows may be
 * half-written.
 */
export interface Mark {
  readonly binding: number;
  /** yyyymmdd */
  readonly day: number;
  /** Id of the attempt that made the mark, and that removes it again. */
  readonly attempt: string;
  /** Where the samples lie that the attempt may write: fromAt <= at < toAt. Absent if it writes none. */
  readonly samples?: { readonly seriesId: number; readonly fromAt: number; readonly toAt: number };
}

/** The sums of a binding over the closed days of one month. */
export interface MonthRow {
  readonly binding: number;
  /** yyyymm */
  readonly month: number;
  readonly state: MonthState;
  /** Set on reading, as in DayRow. */
  readonly isMarked?: boolean;
}

/** Rows that are written together; keys within each list are distinct. */
export interface SeriesRows {
  /** Keyed by (seriesId, at). */
  readonly samples?: readonly SampleRow[];
  /** Keyed by (binding, day). */
  readonly days?: readonly DayRow[];
  /** Keyed by (binding, month). */
  readonly months?: readonly MonthRow[];
}

/** A span of time of a device's samples, both ends included. */
export interface SampleSpan {
  readonly seriesId: number;
  readonly fromAt: number;
  readonly toAt: number;
}

/** A request for at most this many days of each of some bindings. */
export interface DaysWanted {
  readonly bindings: readonly number[];
  /** 1 or more. */
  readonly count: number;
}

/**
 * The engine that stores samples and roll-ups. It requires only what any engine can provide (docs/adr/0025-series-without-transactions.md):
 * idempotent upserts by key, ranges within one device, the newest day of many, roll-ups written as a whole by one writer per device, and rows that
 * are durable when the caller's transaction has ended (or, without transactions, when the call resolves). How an engine divides writes into batches
 * is its own affair.
 */
export interface Series {
  /** Which engine it is, however it is addressed and with whatever rights: `database`, or a name that its address yields. Says where the series are. */
  readonly name: string;
  /** The field lists that samples refer to. They are stored in the main database and passed to the engine. */
  readonly fieldLists: FieldLists;
  /**
   * Whether the engine works in the caller's transaction: if that fails, nothing is stored, and marks are not needed. Otherwise
   * each row becomes durable by itself, and marks show which rows may be half-written (ingest/attempt.ts).
   */
  readonly sharesTransaction: boolean;
  /**
   * The engine as one attempt writes to it: each call that writes takes the next revision. Of two writes to a row, the one with the larger revision wins,
   * even if it arrives first: writes of an attempt that failed may arrive late. Without revisions, writes only fill an engine that nobody reports to yet;
   * those of attempts win over them. An engine that shares the transaction needs none.
   */
  withRevisions(next: () => number): Series;
  /** Connects to the engine. Does nothing if the engine is the main database, and neither do `migrate` and `close`. */
  open(): Promise<void>;
  /** Whether the engine's schema is up to date. */
  isMigrated(): Promise<boolean>;
  /** Brings the engine's schema up to date. Only one process at a time may do so. */
  migrate(): Promise<void>;
  /** What is wrong with an open engine, one sentence for each thing. @throws SeriesFault if it cannot be used */
  examine(): Promise<readonly string[]>;
  /** The machines of an engine that is a cluster, by whether they answer. */
  nodes(): { readonly up: number; readonly down: number };
  /** Whether the engine answers. One that shares the caller's transaction answers when the main database does. */
  isReady(): Promise<boolean>;
  close(): Promise<void>;

  /** Inserts rows, or replaces those with the same key. An engine without transactions writes them in any order, also at the same time. */
  put(db: DbHandle, rows: SeriesRows): Promise<void>;
  /** Samples with fromAt <= at < toAt, ascending; at most the first `limit`, if given. `toAt` may be Infinity. */
  range(
    db: DbHandle,
    seriesId: number,
    fromAt: number,
    toAt: number,
    limit?: number,
  ): Promise<DaySample[]>;
  /** Samples of many devices with fromAt <= at < toAt, ascending, by seriesId; devices without any are omitted. */
  ranges(
    db: DbHandle,
    seriesIds: readonly number[],
    fromAt: number,
    toAt: number,
  ): Promise<Map<number, DaySample[]>>;
  /**
   * Samples of devices around spans of time: from the second one before each span to the first one after it, ascending, by seriesId. Engines that do not
   * share the caller's transaction need not have it.
   */
  around?(db: DbHandle, spans: readonly SampleSpan[]): Promise<Map<number, DaySample[]>>;
  /** When a device's first sample with fromAt <= at < toAt was measured, epoch ms. `toAt` may be Infinity. */
  firstSampleAt(
    db: DbHandle,
    seriesId: number,
    fromAt: number,
    toAt: number,
  ): Promise<number | undefined>;
  /** The newest day of each binding that has one, or the newest before `beforeDay`. A single query, however many bindings. */
  newestDays(
    db: DbHandle,
    bindings: readonly number[],
    beforeDay?: number,
  ): Promise<Map<number, DayRow>>;
  /** The newest days of some bindings and the first days of others, both ascending by binding and day. A single query, however many bindings. */
  endDays(
    db: DbHandle,
    newest: DaysWanted,
    first: DaysWanted,
  ): Promise<{ readonly newest: DayRow[]; readonly first: DayRow[] }>;
  /** When the first sample of each binding was measured, epoch ms. */
  firstReports(db: DbHandle, bindings: readonly number[]): Promise<Map<number, number>>;
  /** Days from fromDay to toDay, both included, ordered by binding and day. */
  days(
    db: DbHandle,
    bindings: readonly number[],
    fromDay: number,
    toDay: number,
  ): Promise<DayRow[]>;
  /** The last day before a day, or the first after it. */
  neighbourDay(
    db: DbHandle,
    binding: number,
    day: number,
    side: 'before' | 'after',
  ): Promise<DayRow | undefined>;
  /** Months from fromMonth to toMonth, both included, ordered by binding and month. */
  months(
    db: DbHandle,
    bindings: readonly number[],
    fromMonth: number,
    toMonth: number,
  ): Promise<MonthRow[]>;
  /** Stores marks, keyed by binding and attempt; durable when it resolves. */
  mark(marks: readonly Mark[]): Promise<void>;
  unmark(marks: readonly Mark[]): Promise<void>;
  /** The marks of the given bindings, or all marks. */
  marks(bindings?: readonly number[]): Promise<Mark[]>;
  /**
   * Puts an end to the writes of the attempts that made these marks: what can be seen of them by now stays, and whatever arrives later has no effect.
   * Needs a larger revision than theirs.
   */
  seal(db: DbHandle, marks: readonly Mark[]): Promise<void>;
  /** Removes the samples of a device with fromAt <= at < toAt, except those of the given instants. Engines that do not share the caller's transaction need not have it. */
  thin?(
    db: DbHandle,
    seriesId: number,
    fromAt: number,
    toAt: number,
    kept: readonly number[],
  ): Promise<void>;
  /** Removes days and months of a binding. */
  remove(
    db: DbHandle,
    binding: number,
    gone: { readonly days?: readonly number[]; readonly months?: readonly number[] },
  ): Promise<void>;
}

/** Reads that return nothing half-written (ingest/settled-reads.ts); all that telemetry reads from an engine. */
export interface SettledReads extends Pick<
  Series,
  'range' | 'ranges' | 'newestDays' | 'endDays' | 'firstReports' | 'days' | 'months'
> {
  readonly isSettled: true;
}
