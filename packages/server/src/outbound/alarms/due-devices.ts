import type { DeviceFacts } from '@helioport/contract';
import { sql, type SqlBool } from 'kysely';
import { siteOf } from '../../fleet/devices/daylight.ts';
import type { Watched } from '../../fleet/devices/silence.ts';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import type { Db, DeviceTable, Flag, Instant } from '../../platform/storage/database.ts';
import { engineOf } from '../../platform/storage/engine.ts';
import { prepareQuery } from '../../platform/storage/prepare.ts';
import { inTransaction } from '../../platform/storage/transactions/transaction.ts';
import type { Learned } from './observations/learned.ts';

/** A device that the watch must check. */
export interface DueDevice extends Watched {
  readonly id: string;
  readonly seriesId: number;
  readonly plantId: string | null;
  readonly stateSince: Instant;
  readonly ratedPowerW: number | null;
  readonly facts: DeviceFacts;
  readonly timeZone: string;
  readonly checkAt: Instant;
  readonly reportedAt: Instant | null;
  readonly evaluatedAt: Instant;
  /** The intervals at which its own samples, and the posts of its collector, are expected. */
  readonly sampleSeconds: number;
  readonly collectorSeconds: number | null;
  /** Whether the collector that reports for it is silent itself. */
  readonly collectorSilent: boolean;
  /** Its binding to its present plant; null if it is in none. */
  readonly binding: { readonly no: number; readonly fromAt: Instant } | null;
  /** What the alarm rules have learned about it so far. */
  readonly learned: Learned | null;
}

interface DueRow {
  id: string;
  seriesId: number;
  kind: DeviceTable['kind'];
  plantId: string | null;
  state: number;
  stateSince: Instant;
  offlineAbnormal: Flag;
  expectedSeconds: number;
  ratedPowerW: number | null;
  facts: string;
  learned: string | null;
  checkAt: Instant | null;
  reportedAt: Instant | null;
  evaluatedAt: Instant;
  latitude: number | null;
  longitude: number | null;
  timeZone: string | null;
  collectorSeconds: number | null;
  collectorState: number | null;
  collectorAt: Instant | null;
  bindingNo: number | null;
  boundAt: Instant | null;
  missed: unknown;
}

/** Number of parts of the fleet; each is watched by one instance at a time. */
const PARTS = 4;

/** Numbers of the parts, which are also the keys of the watch's tasks. */
export const fleetParts: readonly string[] = Array.from({ length: PARTS }, (_, part) =>
  String(part),
);

// PARTS is a literal instead of a parameter, so that both engines calculate with whole numbers.
const inPart = (part: number) => sql<SqlBool>`device.series % ${sql.lit(PARTS)} = ${part}`;

const rows = prepareQuery<{ now: Instant; part: number; limit: number }, DueRow>((db, p) =>
  db
    .selectFrom('device')
    .leftJoin('plant', 'plant.id', 'device.plantId')
    .leftJoin('device as collector', 'collector.id', 'device.collectorId')
    .leftJoin('binding', (join) =>
      join
        .onRef('binding.deviceId', '=', 'device.id')
        .onRef('binding.plantId', '=', 'device.plantId')
        .on('binding.toAt', 'is', null),
    )
    .select([
      'device.id',
      'device.series as seriesId',
      'device.kind',
      'device.plantId',
      'device.state',
      'device.stateSince',
      'device.offlineAbnormal',
      'device.expectedSeconds',
    ])
    .select([
      'device.ratedPowerW',
      'device.facts',
      'device.learned',
      'device.checkAt',
      'device.reportedAt',
      'device.evaluatedAt',
    ])
    .select([
      'plant.latitude',
      'plant.longitude',
      'plant.timeZone',
      'binding.no as bindingNo',
      'binding.fromAt as boundAt',
    ])
    .select([
      'collector.expectedSeconds as collectorSeconds',
      'collector.state as collectorState',
      'collector.reportedAt as collectorAt',
    ])
    .select((e) =>
      e
        .exists(
          e
            .selectFrom('device as behind')
            .select('behind.id')
            .whereRef('behind.collectorId', '=', 'device.id')
            .where('behind.offlineAbnormal', '=', 1),
        )
        .as('missed'),
    )
    .where('device.checkAt', '<=', p('now'))
    .where(inPart(p('part')))
    .orderBy('device.checkAt')
    .limit(p('limit')),
);

const OFFLINE = 2;

/** At most `limit` devices of a part of the fleet: those that have been due longest. */
export async function listDue(
  db: Db,
  now: Instant,
  part: number,
  limit: number,
): Promise<DueDevice[]> {
  return (await rows(db, { now, part, limit })).map((row) => dueDevice(row, now));
}

/** Brings forward the checks of one part's devices: all that are due later become due now. */
export async function appointAll(trx: Db, part: number, now: Instant): Promise<void> {
  const later = trx
    .selectFrom('device')
    .select('id')
    .where('checkAt', '>', now)
    .where(inPart(part))
    .orderBy('id');
  // Devices are locked in order of their ids, as everywhere else, so that there are no deadlocks.
  const locked = await (engineOf(trx) === 'postgres' ? later.forNoKeyUpdate() : later).execute();
  const ids = listParameter(
    trx,
    locked.map(({ id }) => id),
  );
  await trx
    .updateTable('device')
    .set({ checkAt: now })
    .where(anyOf(trx, 'id', ids))
    .execute();
}

function dueDevice(row: DueRow, now: Instant): DueDevice {
  const facts = JSON.parse(row.facts) as DeviceFacts;
  return {
    ...row,
    facts,
    learned: row.learned === null ? null : (JSON.parse(row.learned) as Learned),
    checkAt: row.checkAt!,
    storage: facts.storage === true,
    missed: Boolean(row.missed),
    sampleSeconds: row.expectedSeconds,
    expectedSeconds: Math.max(row.expectedSeconds, row.collectorSeconds ?? 0),
    // A collector that has never posted does not count as silent: the data of its devices may arrive in other ways.
    collectorSilent: row.collectorState === OFFLINE && row.collectorAt !== null,
    timeZone: row.timeZone ?? 'UTC',
    site: row.timeZone === null ? null : siteOf({ ...row, timeZone: row.timeZone }, now),
    binding: row.bindingNo === null ? null : { no: row.bindingNo, fromAt: row.boundAt! },
  };
}

/** Has all devices checked as soon as possible. */
export const appointFleet = (db: Db, now: Instant): Promise<void> =>
  inTransaction(db, async (trx) => {
    for (const part of fleetParts) await appointAll(trx, Number(part), now);
  });
