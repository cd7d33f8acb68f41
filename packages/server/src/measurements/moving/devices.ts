import type { Db } from '../../platform/storage/database.ts';

/** A device with all its bindings. */
export interface SeriesDevice {
  /** device.series */
  readonly series: number;
  readonly sn: string;
  /** binding.no */
  readonly bindings: readonly number[];
}

/** Devices without a comparison that found both sides the same. */
const leftOf = (db: Db) =>
  db
    .selectFrom('device')
    .leftJoin('seriesComparison', 'seriesComparison.series', 'device.series')
    .where('seriesComparison.series', 'is', null);

/** Some devices that are still to be copied, in the order of device.series, after one. */
export async function listDevicesLeft(
  db: Db,
  after: number,
  atMost: number,
): Promise<SeriesDevice[]> {
  const devices = await leftOf(db)
    .select(['device.series', 'device.sn', 'device.id'])
    .where('device.series', '>', after)
    .orderBy('device.series')
    .limit(atMost)
    .execute();
  if (devices.length === 0) return [];
  const bindings = await db
    .selectFrom('binding')
    .select(['no', 'deviceId'])
    .where(
      'deviceId',
      'in',
      devices.map(({ id }) => id),
    )
    .orderBy('no')
    .execute();
  const ofDevice = Map.groupBy(bindings, ({ deviceId }) => deviceId);
  return devices.map(({ series, sn, id }) => ({
    series,
    sn,
    bindings: (ofDevice.get(id) ?? []).map(({ no }) => no),
  }));
}

/** How many devices are still to be copied. */
export async function countDevicesLeft(db: Db): Promise<number> {
  const { count } = await leftOf(db)
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** What is the same on both sides. */
export interface CopiedRows {
  readonly devices: number;
  readonly samples: number;
  readonly days: number;
  readonly months: number;
}

/** What has been copied so far, by all processes that have worked on the copy. */
export async function countCopied(db: Db): Promise<CopiedRows> {
  const found = await db
    .selectFrom('seriesComparison')
    .select((eb) => [
      eb.fn.countAll<number | string>().as('devices'),
      eb.fn.sum<number | string | null>('samples').as('samples'),
      eb.fn.sum<number | string | null>('days').as('days'),
      eb.fn.sum<number | string | null>('months').as('months'),
    ])
    .executeTakeFirstOrThrow();
  return {
    devices: Number(found.devices),
    samples: Number(found.samples),
    days: Number(found.days),
    months: Number(found.months),
  };
}
