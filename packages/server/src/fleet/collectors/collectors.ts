import type { Act } from '../../identity/accounts/audit.ts';
import { sql } from 'kysely';
import { findDevice, insertDevice, type Device } from '../devices/devices.ts';
import { Failure } from '../../platform/kernel/failure.ts';
import { bindDevice } from '../plants/bindings.ts';
import { lockPlant } from '../plants/lock.ts';
import { randomReadable } from '../../platform/kernel/secrets.ts';
import { withinBounds } from '../../platform/storage/bounds/within.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { issueToken, type IssuedToken } from './tokens.ts';

export interface NewCollector {
  readonly sn: string;
  readonly model?: string | null | undefined;
  /** The only account that may bind it; null = any account that names it. */
  readonly accountId?: string | null | undefined;
}

/** Registers a collector, not yet bound, and issues its first token. Throws invalidValue. */
export async function insertCollector(
  trx: Db,
  act: Act,
  input: NewCollector,
): Promise<{ readonly id: string } & IssuedToken> {
  const id = await insertDevice(trx, act, { ...input, kind: 'collector' });
  return { id, ...(await issueToken(trx, act, { id, sn: input.sn })) };
}

/**
 * Adds a collector to a plant, for an account or, if neither is given, for the person who names it first. A collector that was added
 * for somebody can be bound by others only if they present its token. Throws invalidValue, and noPermission for the plant.
 */
export async function addCollector(
  trx: Db,
  act: Act,
  { plantId, accountId, ...input }: NewCollector & { readonly plantId?: string | undefined },
): Promise<{ readonly id: string } & IssuedToken> {
  if (plantId === undefined)
    return insertCollector(trx, act, { ...input, accountId: accountId ?? null });
  const { ownerId } = await lockPlant(trx, plantId);
  const made = await insertCollector(trx, act, { ...input, accountId: ownerId });
  await bindDevice(trx, act, made.id, plantId);
  return made;
}

const SERIAL_LETTERS = 10;

/** Creates a collector in a plant, for its owner, with a serial number of its own. Throws invalidValue if the owner has too many. */
export async function createCollectorOfOwner(
  trx: Db,
  act: Act,
  { id: plantId, ownerId }: { readonly id: string; readonly ownerId: string },
): Promise<{ readonly id: string; readonly sn: string } & IssuedToken> {
  await withinBounds(trx, 'collectors', { accountId: ownerId }, act);
  const sn = `SITE-${randomReadable(SERIAL_LETTERS)}`;
  return { sn, ...(await addCollector(trx, act, { sn, model: 'On-site collector', plantId })) };
}

/** When a collector last posted, to the minute, regardless of its devices' clocks; null = never. */
export async function lastReportOf(db: Db, collectorId: string): Promise<Instant | null> {
  const row = await db
    .selectFrom('device')
    .select('reportedAt')
    .where('id', '=', collectorId)
    .executeTakeFirst();
  return row?.reportedAt ?? null;
}

/** Finds a collector by its serial number. Throws collectorUnknown. */
export async function getCollector(db: Db, sn: string): Promise<Device> {
  const known = await findDevice(db, sn);
  if (known?.kind !== 'collector') throw new Failure('collectorUnknown');
  return known;
}

/** Finds a collector in a plant that is locked. Throws noPermission, alike for those of others and unknown ones. */
export async function getCollectorIn(db: Db, plantId: string, sn: string): Promise<Device> {
  const known = await findDevice(db, sn);
  if (known?.kind !== 'collector' || known.plantId !== plantId) throw new Failure('noPermission');
  return known;
}

/** A collector, its plant, and the number of devices it reports for. */
export interface KnownCollector extends Pick<
  Device,
  'id' | 'sn' | 'name' | 'model' | 'plantId' | 'createdAt' | 'clockOffsetSeconds'
> {
  readonly lastReportAt: Instant | null;
  readonly deviceCount: number;
}

/** All collectors, or those in a plant; in id order. */
export async function listCollectors(db: Db, plantId?: string): Promise<KnownCollector[]> {
  let query = db
    .selectFrom('device')
    .select([
      'id',
      'sn',
      'name',
      'model',
      'plantId',
      'createdAt',
      'reportedAt as lastReportAt',
      'clockOffsetSeconds',
    ])
    .select((eb) =>
      eb
        .selectFrom('device as behind')
        .select(sql<number>`count(*)`.as('amount'))
        .whereRef('behind.collectorId', '=', 'device.id')
        .$asScalar()
        .$notNull()
        .as('deviceCount'),
    )
    .where('kind', '=', 'collector');
  if (plantId !== undefined) query = query.where('plantId', '=', plantId);
  return query.orderBy('id').execute();
}
