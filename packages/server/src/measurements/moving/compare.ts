import type { Db } from '../../platform/storage/database.ts';
import { transactionsOf } from '../../platform/storage/transact.ts';
import { attempt } from '../ingest/attempt.ts';
import type { BoundDevice } from '../ingest/bound-device.ts';
import { mendDevices } from '../ingest/mend.ts';
import { lockBoundDevice } from '../ingest/reporters.ts';
import { holdCopy } from './begin.ts';
import { asCopier, type Way } from './bring.ts';
import { bringInside, bringSome } from './catch-up.ts';
import { digestOf, type Digest } from './digest.ts';
import { listDevice, type Whole } from './work-list.ts';

/** A device whose rows are not the same on both sides. */
export interface Difference {
  readonly sn: string;
  readonly source: Digest;
  readonly target: Digest;
}

/** Some devices that are still to be compared, in the order of device.series, after one. */
export async function uncompared(db: Db, after: number, atMost: number): Promise<Whole[]> {
  const devices = await db
    .selectFrom('device')
    .leftJoin('seriesComparison', 'seriesComparison.series', 'device.series')
    .select(['device.series', 'device.sn', 'device.id'])
    .where('seriesComparison.series', 'is', null)
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

/** How often a device is compared while reports go on; then once more while its reports wait. */
const TRIES_BESIDE = 3;

/** Brings what is left of a device, and compares all its rows. Keeps the result if they are the same, and returns what differs otherwise. */
export async function compareDevice(way: Way, device: Whole): Promise<Difference | undefined> {
  for (let tries = 0; tries < TRIES_BESIDE; tries++) {
    await bringSome(way, device);
    const found = await compare(way, device);
    // An attempt may also have written what it has not listed yet.
    if (!found) return undefined;
  }
  // Nobody else writes the device meanwhile.
  const { db, source, copier } = way;
  const transact = transactionsOf(db);
  return attempt<
    [trx: Db],
    BoundDevice | undefined,
    Difference | undefined,
    Difference | undefined,
    Difference | undefined
  >(
    source,
    { db, first: (body) => transact(body), last: (body) => transact(body) },
    {
      async begin(trx) {
        await holdCopy(trx, copier);
        return device.bindings.length > 0 ? lockBoundDevice(trx, device.bindings[0]!) : undefined;
      },
      written: () => [device.series],
      async change(own, handle, bound) {
        const alone: Way = { ...way, db: handle };
        // An attempt that never ended may have written what nobody has listed.
        if (bound && (await mendDevices(handle, own, [bound]))) await listDevice(handle, device);
        if (source.sharesTransaction) await bringInside(alone, device);
        else while ((await bringSome(alone, device)).stretches.length > 0);
        return compare(alone, device);
      },
      end: async (_, found) => found,
    },
  );
}

async function compare(way: Way, device: Whole): Promise<Difference | undefined> {
  const { db, source, target } = way;
  const digest = await digestOf(db, source, device);
  const copied = await digestOf(db, target, device);
  if (digest.checksum !== copied.checksum) return { sn: device.sn, source: digest, target: copied };
  await asCopier(way, (trx) =>
    trx
      .insertInto('seriesComparison')
      .values({ series: device.series, ...digest })
      .onConflict((conflict) => conflict.column('series').doUpdateSet(digest))
      .execute(),
  );
  return undefined;
}

/** How many devices are left to compare. */
export async function countUncompared(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('device')
    .leftJoin('seriesComparison', 'seriesComparison.series', 'device.series')
    .where('seriesComparison.series', 'is', null)
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** What was the same on both sides when it was compared. */
export interface Compared {
  readonly devices: number;
  readonly samples: number;
  readonly days: number;
  readonly months: number;
}

/** What all comparisons so far have counted. */
export async function countCompared(db: Db): Promise<Compared> {
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
