import { sql } from 'kysely';
import { Failure } from '../../platform/kernel/failure.ts';
import { hashSecret } from '../../platform/kernel/secrets.ts';
import { isOvertaken, Overtaken } from '../../platform/storage/away.ts';
import type { Db, Instant, Trx } from '../../platform/storage/database.ts';
import { locksRows } from '../../platform/storage/lock.ts';
import { prepareLookup } from '../../platform/storage/lookup.ts';
import { prepareQuery } from '../../platform/storage/prepare.ts';
import type { PostingCollector } from './presence.ts';

/** The sender of a report: a collector, with one of its tokens. */
export interface ReportSender {
  /** device.id */
  readonly collectorId: string;
  /** collectorToken.id; absent if an external broker has checked the token and does not say which one: any of the collector's must be valid. */
  readonly tokenId?: string;
}

/** A collector that may report, with the token that it has presented; without one if an external broker has checked it. */
export interface ReportingCollector extends PostingCollector {
  readonly sn: string;
  readonly tokenId?: string;
  /** Its plant, and the plant's owner. */
  readonly plantId: string;
  readonly ownerId: string;
}

/** A collector as the sender of what it reports. */
export const reportSenderOf = ({ id, tokenId }: ReportingCollector): ReportSender => ({
  collectorId: id,
  ...(tokenId !== undefined && { tokenId }),
});

export interface CollectorStanding {
  readonly plantId: string | null;
  readonly ownerId: string | null;
  readonly ownerDisabledAt: Instant | null;
}

/** Collectors of a closed account go on until its data is removed: devices get back what strategies have changed, and the closing may be taken back. */
export const refusedSince = sql<Instant | null>`nullif(${sql.ref('owner.disabledAt')}, ${sql.ref('owner.closedAt')})`;

const standing = (db: Db) =>
  db
    .selectFrom('device')
    .leftJoin('plant', 'plant.id', 'device.plantId')
    .leftJoin('account as owner', 'owner.id', 'plant.ownerId')
    .select(['device.plantId', 'plant.ownerId', refusedSince.as('ownerDisabledAt')])
    .where('device.kind', '=', sql.lit('collector'));

const withAnyToken = (db: Db) =>
  standing(db)
    .innerJoin('collectorToken as token', 'token.collectorId', 'device.id')
    .select('token.id as tokenId');

/** Collectors with their valid tokens. */
export const withToken = (db: Db, now: Instant) =>
  withAnyToken(db).where((eb) =>
    eb.or([eb('token.expiresAt', 'is', null), eb('token.expiresAt', '>', now)]),
  );

type Found = CollectorStanding & Omit<ReportingCollector, 'plantId' | 'ownerId'>;

const POSTING = [
  'device.id',
  'device.sn',
  'device.state',
  'device.reportedAt',
  'device.expectedSeconds',
  'device.clockOffsetSeconds',
  'device.backlogAt',
] as const;

/** The collectors that may report, each with its valid tokens. */
export const withRightToReport = (db: Db, now: Instant) =>
  withToken(db, now)
    .clearSelect()
    .where('device.plantId', 'is not', null)
    .where(refusedSince, 'is', null);

interface FoundByToken extends Found {
  readonly lookupKey: Uint8Array;
  readonly expiresAt: Instant | null;
}

const byAnyHash = prepareLookup<FoundByToken>('token.hash', (db, found) =>
  withAnyToken(db)
    .select(POSTING)
    .select(['token.hash as lookupKey', 'token.expiresAt'])
    .where(found),
);

async function byToken(db: Db, token: string, now: Instant): Promise<Found | undefined> {
  const found = await byAnyHash(db, hashSecret(token));
  if (!found || (found.expiresAt !== null && found.expiresAt <= now)) return undefined;
  const { lookupKey: _, expiresAt: __, ...collector } = found;
  return collector;
}

const bySender = prepareQuery<{ tokenId: string; collectorId: string; now: Instant }, Found>(
  (db, p) =>
    withToken(db, p('now'))
      .select(POSTING)
      .where('token.id', '=', p('tokenId'))
      .where('device.id', '=', p('collectorId')),
);

const byAnyToken = prepareQuery<{ collectorId: string; now: Instant }, Found>((db, p) =>
  withToken(db, p('now')).select(POSTING).where('device.id', '=', p('collectorId')).limit(1),
);

/**
 * The collector that a token belongs to, if it may report. It is read from the database for every
 * report, so that a revoked token stops working at once. Throws notAuthenticated, collectorRefused.
 */
export async function authenticateCollector(
  db: Db,
  token: string,
  now: Instant,
): Promise<ReportingCollector> {
  const collector = await byToken(db, token, now);
  if (!collector) throw new Failure('notAuthenticated', { message: 'no collector has this token' });
  return reportingOf(collector);
}

/**
 * A collector that has been authenticated before, as it is now: by us, with a token that must still be valid, or by an external broker, in
 * which case any of its tokens must be. Throws notAuthenticated, collectorRefused.
 */
export async function getReportingCollector(
  db: Db,
  { collectorId, tokenId }: ReportSender,
  now: Instant,
): Promise<ReportingCollector> {
  if (tokenId !== undefined) {
    const [collector] = await bySender(db, { collectorId, tokenId, now });
    if (!collector) throw new Failure('notAuthenticated', { message: REVOKED });
    return reportingOf(collector);
  }
  const [collector] = await byAnyToken(db, { collectorId, now });
  if (!collector)
    throw new Failure('notAuthenticated', { message: 'the collector has no valid token' });
  const { tokenId: _, ...reporting } = reportingOf(collector);
  return reporting;
}

const REVOKED = 'the token has been revoked';

function reportingOf(found: Found): ReportingCollector {
  const { ownerDisabledAt: _, ...reporting } = found;
  return { ...reporting, ...reportingPlace(found) };
}

/** The collector (device.id) that a token belongs to, in any plant or none. */
export const findCollectorOfToken = async (
  db: Db,
  token: string,
  now: Instant,
): Promise<string | undefined> => (await byToken(db, token, now))?.id;

// SQLite needs no lock here, since its write transactions exclude each other.
const holding = (db: Db, found: ReturnType<typeof withToken>) =>
  locksRows(db) ? found.forShare('token') : found;

const held = prepareQuery<
  { tokenId: string; collectorId: string; now: Instant },
  CollectorStanding
>((db, p) =>
  holding(
    db,
    withToken(db, p('now'))
      .where('token.id', '=', p('tokenId'))
      .where('device.id', '=', p('collectorId')),
  ),
);

const heldByAny = prepareQuery<{ collectorId: string; now: Instant }, CollectorStanding>((db, p) =>
  holding(db, withToken(db, p('now')).where('device.id', '=', p('collectorId')).limit(1)),
);

/**
 * Checks again, in the transaction that stores a report, whether its sender may report. Locks the sender's token until the transaction ends, so that
 * a revocation of the token waits for it. Returns the sender's plant and owner. Throws notAuthenticated, collectorRefused.
 */
async function holdSender(
  trx: Db,
  { collectorId, tokenId }: ReportSender,
  now: Instant,
): Promise<{ plantId: string; ownerId: string }> {
  const [found] =
    tokenId === undefined
      ? await heldByAny(trx, { collectorId, now })
      : await held(trx, { tokenId, collectorId, now });
  if (!found) throw new Failure('notAuthenticated', { message: REVOKED });
  return reportingPlace(found);
}

const ATTEMPTS = 5;

/**
 * Stores what a sender reports in one transaction, which either commits before the collector is unbound or its owner disabled, or not at all. If
 * another transaction is changing the collector or the owner, this one is rolled back, waits for the other one and starts over. So `store` may lock plants and devices in their usual
 * order. Throws notAuthenticated, collectorRefused.
 */
export async function storeAsSender<T>(
  db: Db,
  transaction: (work: (trx: Trx) => Promise<T>) => Promise<T>,
  { sender, now }: { readonly sender: ReportSender; readonly now: Instant },
  store: (trx: Trx, from: { readonly ownerId: string }) => Promise<T>,
): Promise<T> {
  for (let left = ATTEMPTS - 1; ; left--) {
    try {
      return await transaction(async (trx) => {
        const place = await holdSender(trx, sender, now);
        const stored = await store(trx, place);
        await keepPlace(trx, sender, place.plantId);
        return stored;
      });
    } catch (error) {
      if (!isOvertaken(error) || left === 0) throw error;
      // The transaction has ended and holds no locks, so waiting here blocks nobody.
      if (locksRows(db)) await unchanging(db, { collectorId: sender.collectorId });
    }
  }
}

/** A collector's row and its owner's, both locked against changes. */
export const unchanged = (db: Db) =>
  db
    .selectFrom('device')
    .innerJoin('plant', 'plant.id', 'device.plantId')
    .innerJoin('account as owner', 'owner.id', 'plant.ownerId')
    .select('device.id')
    .forShare(['device', 'owner']);

const unchanging = prepareQuery<{ collectorId: string }, { id: string }>((db, p) =>
  unchanged(db).where('device.id', '=', p('collectorId')),
);

const stillIn = prepareQuery<{ collectorId: string; plantId: string }, { id: string }>((db, p) =>
  unchanged(db)
    .where('device.id', '=', p('collectorId'))
    .where('device.plantId', '=', p('plantId'))
    .where(refusedSince, 'is', null)
    // It does not wait for a locked row, because this transaction may hold what the other one is waiting for.
    .skipLocked(),
);

/** Checks that the collector is still in its plant and its owner's account enabled, and keeps both so until the transaction ends. Throws Overtaken. */
async function keepPlace(trx: Db, { collectorId }: ReportSender, plantId: string): Promise<void> {
  // SQLite needs no lock here, since its write transactions exclude each other.
  if (!locksRows(trx)) return;
  if ((await stillIn(trx, { collectorId, plantId })).length === 0)
    throw new Overtaken('the collector or its owner is being changed');
}

/**
 * The plant and owner of a collector that reports. Throws collectorRefused if it is in no plant or its owner's account is disabled; until that
 * changes, it should keep its reports.
 */
function reportingPlace({ plantId, ownerId, ownerDisabledAt }: CollectorStanding): {
  plantId: string;
  ownerId: string;
} {
  if (plantId === null || ownerId === null)
    throw new Failure('collectorRefused', {
      message:
        'the collector is not in a plant: keep the report and send it once the collector has been bound',
    });
  if (ownerDisabledAt !== null)
    throw new Failure('collectorRefused', {
      message: 'the account of the plant’s owner is disabled: keep the report',
    });
  return { plantId, ownerId };
}
