import { createHash } from 'node:crypto';
import { END_OF_DAYS, LAST_MONTH } from '../../platform/calendar/plant-calendar.ts';
import { encodeDay } from '../energy/codec/day-codec.ts';
import { encodeMonth } from '../energy/month-state.ts';
import type { Series } from '../series/port.ts';
import { samplePages } from '../series/sample-pages.ts';
import type { Db } from '../../platform/storage/database.ts';
import type { SeriesDevice } from './devices.ts';

/** What an engine holds of a device. */
export interface Digest {
  readonly samples: number;
  readonly days: number;
  readonly months: number;
  /** SHA-256 over all rows, in hexadecimal digits. */
  readonly checksum: string;
}

/** Reads everything that an engine holds of a device. */
export async function copyDigestOf(
  db: Db,
  series: Series,
  { series: seriesId, bindings }: SeriesDevice,
): Promise<Digest> {
  const hash = createHash('sha256');
  const add = (numbers: readonly number[], bytes: Uint8Array): void =>
    void hash.update(Float64Array.from([...numbers, bytes.length])).update(bytes);
  let samples = 0;
  for await (const page of samplePages(db, series, seriesId, 0, Infinity)) {
    for (const { at, fields, values } of page)
      add([at, fields.id], new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
    samples += page.length;
  }
  const days = await series.days(db, bindings, 0, END_OF_DAYS);
  for (const { binding, day, state } of days) add([binding, day, state.last.at], encodeDay(state));
  const months = await series.months(db, bindings, 0, LAST_MONTH);
  for (const { binding, month, state } of months) add([binding, month], encodeMonth(state));
  return { samples, days: days.length, months: months.length, checksum: hash.digest('hex') };
}
