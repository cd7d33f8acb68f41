import type { GeneratedAlways } from 'kysely';
import type { Bytes, Instant } from '../columns.ts';

export interface SampleTable {
  series: number;
  at: Instant;
  fields: number;
  /** float64 little-endian, one per field of the field list. */
  values: Bytes;
}

export interface FieldListTable {
  id: GeneratedAlways<number>;
  /** Comma-separated quantity names in the order of the values. */
  names: string;
  /** Of the plant for whose readings it was created. Null: not known any more, or the operator’s. */
  ownerId: string | null;
}

export interface DeviceDayTable {
  binding: number;
  /** Local calendar day as yyyymmdd. */
  day: number;
  /** Time of the last sample of that day. */
  lastAt: Instant;
  state: Bytes;
}

export interface DeviceMonthTable {
  binding: number;
  /** Local calendar month as yyyymm. */
  month: number;
  state: Bytes;
}

export interface SeriesClaimTable {
  /** device.series */
  series: number;
  /** The attempt that writes at present. */
  attempt: string | null;
  /** When the claim ends by itself, by the database's clock. */
  until: Instant;
  /** Timestamps below it have been used, in microseconds. */
  revision: number;
  /** The last attempt that was stored as a whole. */
  stored: string | null;
}
