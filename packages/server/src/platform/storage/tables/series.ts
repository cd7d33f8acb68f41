import type { ColumnType } from 'kysely';

/** Where the series are; one row at most. */
export interface SeriesHomeTable {
  id: ColumnType<number, 1, never>;
  /** Series.name of the engine in force. */
  engine: string;
  /** Series.name of the engine that they are being copied to: until that is over, nobody writes to them. */
  copyingTo: string | null;
  /** Identifies the process that copies. */
  copier: string | null;
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
