import { Failure } from '../kernel/failure.ts';
import { hashSecret } from '../kernel/secrets.ts';
import type { Db, Instant } from '../storage/database.ts';
import { engineOf } from '../storage/engine.ts';
import { prepareQuery } from '../storage/prepare.ts';
import type { PostingCollector } from './presence.ts';

/** The sender of a report: a collector, with one of its tokens. */
export interface Sender {
  /** device.id */
  readonly collectorId: string;
  /** collectorToken.id; absent if the sender has no token, and then none is required. */
  readonly tokenId?: string;
}

/** A collector as read with its token. */
export interface ReportingCollector extends PostingCollector {
  readonly sn: string;
  readonly tokenId: string;
  /** Its plant, and the plant's owner. */
  readonly plantId: string;
  readonly ownerId: string;
}

interface Standing {
  readonly plantId: string | null;
  readonly ownerId: string | null;
  readonly ownerDisabledAt: Instant | null;
}

const standing = (db: Db) =>
  db
    .selectFrom('device')
    .leftJoin('plant', 'plant.id', 'device.plantId')
    .leftJoin('account as owner', 'owner.id', 'plant.ownerId')
    .select(['device.plantId', 'plant.ownerId', 'owner.disabledAt as ownerDisabledAt'])
    .where('device.kind', '=', 'collector')
    .where('device.removedAt', 'is', null);

const withToken = (db: Db, now: Instant) =>
  standing(db)
    .innerJoin('collectorToken as token', 'token.collectorId', 'device.id')
    .select('token.id as tokenId')
    .where((eb) => eb.or([eb('token.expiresAt', 'is', null), eb('token.expiresAt', '>', now)]));

const byToken = prepareQuery<{ hash: Uint8Array; now: Instant }, Standing & Omit<ReportingCollector, 'plantId' | 'ownerId'>>((db, p) =>
  withToken(db, p('now')).select(['device.id', 'device.sn', 'device.state', 'device.reportedAt', 'device.expectedSeconds']).where('token.hash', '=', p('hash')),
);

/**
 * The collector that a token belongs to, if it may report. Read again for every report, so that a revoked token stops working at once.
 * Throws notAuthenticated, collectorRefused.
 */
export async function authenticateCollector(db: Db, token: string, now: Instant): Promise<ReportingCollector> {
  const [collector] = await byToken(db, { hash: hashSecret(token), now });
  if (!collector) throw new Failure('notAuthenticated', { message: 'no collector has this token' });
  const { ownerDisabledAt: _, ...reporting } = collector;
  return { ...reporting, ...reportingPlace(collector) };
}

/** The collector (device.id) that a token belongs to, in whatever plant. */
export const findCollectorOfToken = async (db: Db, token: string, now: Instant): Promise<string | undefined> =>
  (await byToken(db, { hash: hashSecret(token), now }))[0]?.id;

const byId = prepareQuery<{ collectorId: string }, Standing>((db, p) => standing(db).where('device.id', '=', p('collectorId')));

const held = prepareQuery<{ tokenId: string; collectorId: string; now: Instant }, Standing>((db, p) => {
  const found = withToken(db, p('now')).where('token.id', '=', p('tokenId')).where('device.id', '=', p('collectorId'));
  // SQLite's write transactions are exclusive anyway.
  return engineOf(db) === 'postgres' ? found.forShare('token') : found;
});

/**
 * Checks again, in the transaction that stores a report, whether its sender may report, and locks its token until the transaction
 * ends, so that revoking the token waits for it. Returns the sender's owner. Throws notAuthenticated, collectorRefused.
 */
export async function holdSender(trx: Db, { collectorId, tokenId }: Sender, now: Instant): Promise<{ ownerId: string }> {
  const [found] = tokenId === undefined ? await byId(trx, { collectorId }) : await held(trx, { tokenId, collectorId, now });
  if (!found) throw new Failure('notAuthenticated', { message: 'the token has been revoked' });
  return reportingPlace(found);
}

/** Refuses a collector that is not in a plant, or whose owner is disabled: it keeps its readings in memory until that changes. */
function reportingPlace({ plantId, ownerId, ownerDisabledAt }: Standing): { plantId: string; ownerId: string } {
  if (plantId === null || ownerId === null)
    throw new Failure('collectorRefused', { message: 'the collector is not in a plant: keep the report and send it once the collector has been bound' });
  if (ownerDisabledAt !== null) throw new Failure('collectorRefused', { message: 'the account of the plant’s owner is disabled: keep the report' });
  return { plantId, ownerId };
}
