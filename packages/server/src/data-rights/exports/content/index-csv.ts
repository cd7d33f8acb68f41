import { csvField } from '../../../platform/kernel/csv-field.ts';
import { daysName } from './days.ts';
import { bindingsOf, readingsFolder } from './readings.ts';
import type { ExportSource } from './source.ts';

const BINDINGS_AT_ONCE = 500;

const HEADER = [
  'path',
  'plant_id',
  'plant',
  'serial_number',
  'device_kind',
  'device',
  'from_utc',
  'to_utc',
];

/** Which plant and which device each file of days and each folder of readings is of, by name: lines of CSV. */
export async function* indexLines(source: ExportSource): AsyncGenerator<string> {
  yield line(HEADER);
  yield* plantLines(source);
  yield* deviceLines(source);
}

async function* plantLines({ db, accountId }: ExportSource): AsyncGenerator<string> {
  const plants = await db
    .selectFrom('plant')
    .select(['id', 'name'])
    .where('ownerId', '=', accountId)
    .where('archivedAt', 'is', null)
    .orderBy('id')
    .execute();
  for (const { id, name } of plants) yield line([daysName(id), id, name]);
}

async function* deviceLines(source: ExportSource): AsyncGenerator<string> {
  const { db, telemetry } = source;
  for (let after = 0; ;) {
    const bindings = await bindingsOf(source)
      .innerJoin('device', 'device.id', 'binding.deviceId')
      .select([
        'binding.no',
        'binding.plantId',
        'binding.fromAt',
        'binding.toAt',
        'device.sn',
        'device.kind',
        'device.name',
        'plant.name as plantName',
      ])
      .where('binding.no', '>', after)
      .orderBy('binding.no')
      .limit(BINDINGS_AT_ONCE)
      .execute();
    // Devices that have never reported there have no folder.
    const reported = await telemetry.firstReportsOf(
      db,
      bindings.map(({ no }) => no),
    );
    for (const binding of bindings) {
      if (!reported.has(binding.no)) continue;
      const { plantId, plantName, sn, kind, name, fromAt, toAt } = binding;
      yield line([
        readingsFolder(binding),
        plantId,
        plantName,
        sn,
        kind,
        name ?? '',
        // Readings from before it was bound may have been given to the plant.
        fromAt > 0 ? instant(fromAt) : '',
        toAt === null ? '' : instant(toAt),
      ]);
    }
    if (bindings.length < BINDINGS_AT_ONCE) return;
    after = bindings.at(-1)!.no;
  }
}

const line = (fields: readonly string[]): string =>
  `${HEADER.map((_name, i) => csvField(fields[i])).join(',')}\r\n`;

const instant = (at: number): string => new Date(at).toISOString();
