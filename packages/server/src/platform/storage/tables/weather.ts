import type { Generated } from 'kysely';
import type { Instant, Json } from '../columns.ts';

/** A square of 0.1 degrees for which a weather service is asked. */
export interface WeatherCellTable {
  /** In tenths of a degree, like the longitude. */
  latitude: number;
  longitude: number;
  /** When a plant was last seen there that wants it. */
  wantedAt: Instant;
  dueAt: Instant;
  /** In a row. */
  failures: Generated<number>;
  /** The last address that was answered, and the tag of the answer. */
  address: string | null;
  tag: string | null;
}

/** What the weather service said of a day. */
export interface WeatherDayTable {
  latitude: number;
  longitude: number;
  /** Of UTC, yyyymmdd. */
  day: number;
  /** Shape `ServiceSample[]`. */
  samples: Json;
  /** What is to be said where the figures are shown. */
  licence: string;
}
