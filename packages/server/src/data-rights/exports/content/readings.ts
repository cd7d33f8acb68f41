import { quantities } from '@helioport/contract';
import {
  addDays,
  dayOf,
  daysBetween,
  daysOfMonth,
  dayWindow,
  monthOf,
  type Zones,
} from '../../../platform/calendar/plant-calendar.ts';
import { instantText } from '../../../platform/calendar/instant-text.ts';
import { zonesOf } from '../../../fleet/plants/zones.ts';
import { zoneChanged } from '../../../fleet/plants/zone-changed.ts';
import type { StoredReading } from '../../../measurements/telemetry/telemetry.ts';
import type { ReadingFormat } from '../rows.ts';
import type { ArchiveEntry } from '../write-entry.ts';
import { parquetOf } from './parquet.ts';
import type { ExportSource, ExportReadings } from './source.ts';

/** A device's time in one of the account's plants, archived ones included, with the months in which it reported. */
export interface ExportedBinding {
  readonly no: number;
  readonly plantId: string;
  readonly sn: string;
  readonly seriesId: number;
  readonly fromAt: number;
  readonly toAt: number;
  readonly zones: Zones;
  /** yyyymm */
  readonly firstMonth: number;
  readonly lastMonth: number;
}

/** The times of devices in the account's plants, archived ones included. */
export const bindingsOf = ({ db, accountId }: ExportSource) =>
  db
    .selectFrom('binding')
    .innerJoin('plant', 'plant.id', 'binding.plantId')
    .where('plant.ownerId', '=', accountId);

/** Number of bindings whose readings are exported: those before one, or all. */
export async function countBindings(source: ExportSource, before?: number): Promise<number> {
  let bindings = bindingsOf(source).select((eb) => eb.fn.countAll<number>().as('amount'));
  if (before !== undefined) bindings = bindings.where('binding.no', '<', before);
  return (await bindings.executeTakeFirstOrThrow()).amount;
}

/** A binding that has never reported. */
interface SilentBinding {
  readonly no: number;
  readonly firstMonth?: undefined;
}

/** The first binding with this number or a higher one; undefined if there is none. */
export async function findBinding(
  source: ExportSource,
  from: number,
): Promise<ExportedBinding | SilentBinding | undefined> {
  const { db, telemetry } = source;
  const binding = await bindingsOf(source)
    .innerJoin('device', 'device.id', 'binding.deviceId')
    .select([
      'binding.no',
      'binding.plantId',
      'binding.fromAt',
      'binding.toAt',
      'device.sn',
      'device.series as seriesId',
      'plant.timeZone',
    ])
    .select(zoneChanged(db).as('zoneChanged'))
    .where('binding.no', '>=', from)
    .orderBy('binding.no')
    .limit(1)
    .executeTakeFirst();
  if (!binding) return undefined;
  const { no, plantId, toAt } = binding;
  const [firsts, latest] = [
    await telemetry.firstReportsOf(db, [no]),
    await telemetry.latestOf(db, [no]),
  ];
  const [first, last] = [firsts.get(no), latest.get(no)];
  if (first === undefined || !last) return { no };
  const zones = (await zonesOf(db, [binding])).get(plantId)!;
  return {
    ...binding,
    toAt: toAt ?? Number.MAX_SAFE_INTEGER,
    zones,
    firstMonth: monthOf(dayOf(zones, first)),
    lastMonth: monthOf(dayOf(zones, last.lastAt)),
  };
}

/** The month after one. */
export const monthAfter = (month: number): number => monthOf(addDays(daysOfMonth(month).toDay, 1));

/**
 * Where a device's readings from its time in a plant are in the archive: by ids, which differ where names do not, and by its serial number as far as every
 * file system can have it in a name.
 */
export const readingsFolder = ({
  plantId,
  sn,
  no,
}: Pick<ExportedBinding, 'plantId' | 'sn' | 'no'>): string =>
  `readings/${plantId}/${sn.replaceAll(/[^\w.-]/g, '_')}-${no}/`;

/** What a device measured in a month of its plant's calendar. */
export function readingsEntry(
  source: ExportSource,
  binding: ExportedBinding,
  month: number,
  format: ReadingFormat,
): ArchiveEntry {
  const name = `${readingsFolder(binding)}${Math.trunc(month / 100)}-${String(month % 100).padStart(2, '0')}.${format}`;
  return {
    name,
    isPacked: format === 'parquet',
    content: () =>
      (format === 'csv' ? csvOf : parquetOf)(
        monthOfReadings(source, binding, month),
        binding.zones,
      ),
  };
}

function monthOfReadings(
  { db, telemetry }: ExportSource,
  { zones, seriesId, fromAt, toAt }: ExportedBinding,
  month: number,
): ExportReadings {
  const { fromDay, toDay } = daysOfMonth(month);
  async function* days(): AsyncGenerator<readonly StoredReading[]> {
    for (const day of daysBetween(fromDay, toDay)) {
      const { startAt, endAt } = dayWindow(zones, day);
      const [from, to] = [Math.max(startAt, fromAt), Math.min(endAt, toAt)];
      if (from < to) yield* telemetry.readingPages(db, seriesId, from, to);
    }
  }
  return {
    days,
    async names() {
      const met = new Set<string>();
      for await (const readings of days())
        for (const { values } of readings) for (const name in values) met.add(name);
      return [...quantities.keys()].filter((name) => met.has(name));
    },
  };
}

/** An instant on the plant's clock as spreadsheets take it for a time. */
const sheetTime = (zones: Zones, at: number): string =>
  instantText(zones, at).slice(0, 'yyyy-MM-ddThh:mm:ss'.length).replace('T', ' ');

async function* csvOf(readings: ExportReadings, zones: Zones): AsyncGenerator<string> {
  const names = await readings.names();
  let header = `time_utc,time_local,${names.join(',')}\r\n`;
  for await (const day of readings.days()) {
    const lines = day.map(({ at, values }) => {
      const known = values as Readonly<Record<string, number>>;
      return `${new Date(at).toISOString()},${sheetTime(zones, at)},${names.map((name) => known[name] ?? '').join(',')}\r\n`;
    });
    yield `${header}${lines.join('')}`;
    header = '';
  }
}
