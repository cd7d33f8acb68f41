import type { Db } from '../storage/database.ts';
import type { DayState, Sample } from '../energy/day-state.ts';
import type { FieldLists } from './field-lists.ts';
import type { MonthState } from '../energy/month-state.ts';

/** A sample of a device. `seriesId` is device.series. */
export interface SampleRow {
  readonly seriesId: number;
  readonly sample: Sample;
}

/** The state of a binding on one local day. */
export interface DayRow {
  readonly binding: number;
  /** yyyymmdd */
  readonly day: number;
  readonly state: DayState;
}

/** The sums of a binding over the closed days of one month. */
export interface MonthRow {
  readonly binding: number;
  /** yyyymm */
  readonly month: number;
  readonly state: MonthState;
}

/** What is written together; keys within each list are distinct. */
export interface SeriesRows {
  /** By (seriesId, at). */
  readonly samples?: readonly SampleRow[];
  /** By (binding, day). */
  readonly days?: readonly DayRow[];
  /** By (binding, month). */
  readonly months?: readonly MonthRow[];
}

/**
 * The store of samples and roll-ups. It requires no more than any engine can provide (ADR "Telemetry"): idempotent
 * upserts by key, ranges within one device, the newest day of many, roll-ups written as a whole by one writer per
 * device, and durability of what was put when the caller's transaction ends (or, without transactions, when the
 * call resolves). An engine other than the main database ignores `db`.
 */
export interface Series {
  readonly fieldLists: FieldLists;
  /** Inserts or replaces by key. Without transactions, samples come before what is derived from them. */
  put(db: Db, rows: SeriesRows): Promise<void>;
  /** Samples with fromAt <= at < toAt, ascending; at most the first `limit`, if given. */
  range(db: Db, seriesId: number, fromAt: number, toAt: number, limit?: number): Promise<Sample[]>;
  /** Samples of many devices with fromAt <= at < toAt, ascending, by seriesId; devices without any are omitted. */
  ranges(db: Db, seriesIds: readonly number[], fromAt: number, toAt: number): Promise<Map<number, Sample[]>>;
  /** The newest day of each binding that has one; the newest before a day when given. */
  newestDays(db: Db, bindings: readonly number[], beforeDay?: number): Promise<Map<number, DayRow>>;
  /** When each binding measured first, epoch ms. */
  firstReports(db: Db, bindings: readonly number[]): Promise<Map<number, number>>;
  /** Days from fromDay to toDay, both included, ordered by binding and day. */
  days(db: Db, bindings: readonly number[], fromDay: number, toDay: number): Promise<DayRow[]>;
  /** The last day before a day, or the first after it. */
  neighbourDay(db: Db, binding: number, day: number, side: 'before' | 'after'): Promise<DayRow | undefined>;
  /** Months from fromMonth to toMonth, both included, ordered by binding and month. */
  months(db: Db, bindings: readonly number[], fromMonth: number, toMonth: number): Promise<MonthRow[]>;
  /** Removes days of a binding. */
  removeDays(db: Db, binding: number, days: readonly number[]): Promise<void>;
}
