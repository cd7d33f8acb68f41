import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import { instantText } from '../../../platform/calendar/instant-text.ts';
import type { Zones } from '../../../platform/calendar/plant-calendar.ts';
import type { ExportReadings } from './source.ts';

/** Readings as a Parquet file, a row group for each day, or several if it has very many readings; no more than that is in memory. */
export async function* parquetOf(
  readings: ExportReadings,
  zones: Zones,
): AsyncGenerator<Uint8Array> {
  const names = await readings.names();
  if (names.length === 0) return;
  const columns: SchemaElement[] = [
    {
      name: 'time_utc',
      type: 'INT64',
      converted_type: 'TIMESTAMP_MILLIS',
      repetition_type: 'REQUIRED',
    },
    { name: 'time_local', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
    ...names.map((name): SchemaElement => ({ name, type: 'DOUBLE', repetition_type: 'OPTIONAL' })),
  ];
  const writer = new ByteWriter();
  const parquet = new ParquetWriter({
    writer,
    schema: [{ name: 'root', num_children: columns.length }, ...columns],
    createdBy: 'Helioport',
  });
  // The writer counts what it has written apart from what it holds.
  const taken = (): Uint8Array => {
    const bytes = writer.getBytes().slice();
    writer.index = 0;
    return bytes;
  };
  for await (const day of readings.days()) {
    const data = [
      { name: 'time_utc', data: day.map(({ at }) => new Date(at)) },
      { name: 'time_local', data: day.map(({ at }) => instantText(zones, at)) },
      ...names.map((name) => ({
        name,
        data: day.map(({ values }) => (values as Readonly<Record<string, number>>)[name] ?? null),
      })),
    ];
    await parquet.write({ columnData: data, rowGroupSize: day.length });
    yield taken();
  }
  await parquet.finish();
  yield taken();
}
