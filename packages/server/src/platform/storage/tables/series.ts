import type { ColumnType } from 'kysely';
import type { Instant } from '../columns.ts';

/** Where the series are; one row at most. */
export interface SeriesHomeTable {
  id: ColumnType<number, 1, never>;
  /** Series.name of the engine in force. */
  engine: string;
  /** Series.name of the engine that they are being copied to. */
  copyingTo: string | null;
  /** Identifies the process that copies. */
  copier: string | null;
  /** Until then, by the database's clock, nobody begins to write. */
  shutUntil: Instant | null;
}

/** A stretch of rows that the copy has yet to bring. */
export interface SeriesChangeTable {
  /** 1 samples, 2 days, 3 months. */
  kind: number;
  /** device.series of samples, else binding.no. */
  subject: number;
  /** 1: the copier has begun with it. */
  taken: number;
  /** Epoch ms, yyyymmdd or yyyymm; both included. */
  fromKey: number;
  toKey: number;
}

/** A device that was the same on both sides when it was compared. */
export interface SeriesComparisonTable {
  series: number;
  samples: number;
  days: number;
  months: number;
  /** SHA-256 over all its rows, in hexadecimal digits. */
  checksum: string;
}
