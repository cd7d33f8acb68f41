import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import { Overtaken } from '../../platform/storage/away.ts';
import type { Db, Instant, Trx } from '../../platform/storage/database.ts';
import { locksRows } from '../../platform/storage/lock.ts';
import { prepareQuery } from '../../platform/storage/prepare.ts';
import {
  refusedSince,
  unchanged,
  withToken,
  type ReportSender,
  type CollectorStanding,
} from './authenticate.ts';

/** Where a collector that may report is. */
export interface SenderPlace {
  readonly collectorId: string;
  readonly plantId: string;
  /** The owner of the plant. */
  readonly ownerId: string;
}

interface Held extends CollectorStanding {
  readonly collectorId: string;
  readonly tokenId: string;
}

// A writer that changes a token is not waited for: the others would have to wait as well.
const holding = (db: Db, found: ReturnType<typeof withToken>) =>
  locksRows(db) ? found.forShare('token').skipLocked() : found;

const held = prepareQuery<{ collectorIds: unknown; now: Instant }, Held>((db, p) =>
  holding(db, withToken(db, p('now')).where(anyOf(db, 'device.id', p('collectorIds')))).select(
    'device.id as collectorId',
  ),
);

/**
 * Like the check of `storeAsSender`, for the senders of several reports that are stored in one transaction: locks their tokens until it ends. Those
 * that may not report are left out, and so are those whose tokens are being changed at this moment.
 */
export async function holdSenders<S extends ReportSender>(
  trx: Trx,
  senders: readonly S[],
  now: Instant,
): Promise<Map<S, SenderPlace>> {
  const collectorIds = listParameter(trx, [
    ...new Set(senders.map(({ collectorId }) => collectorId)),
  ]);
  const rows = Map.groupBy(
    await held(trx, { collectorIds, now }),
    ({ collectorId }) => collectorId,
  );
  const places = new Map<S, SenderPlace>();
  for (const sender of senders) {
    const { collectorId, tokenId } = sender;
    const found = rows
      .get(collectorId)
      ?.find((row) => tokenId === undefined || row.tokenId === tokenId);
    if (
      !found ||
      found.ownerDisabledAt !== null ||
      found.plantId === null ||
      found.ownerId === null
    )
      continue;
    places.set(sender, { collectorId, plantId: found.plantId, ownerId: found.ownerId });
  }
  return places;
}

const stillIn = prepareQuery<{ collectorIds: unknown }, { id: string; plantId: string | null }>(
  (db, p) =>
    unchanged(db)
      .select('device.plantId')
      .where(anyOf(db, 'device.id', p('collectorIds')))
      .where(refusedSince, 'is', null)
      // As in storeAsSender.
      .skipLocked(),
);

/** Checks that collectors are still in their plants and the accounts of the owners enabled, and keeps both so until the transaction ends. Throws Overtaken. */
export async function keepPlaces(trx: Trx, places: Iterable<SenderPlace>): Promise<void> {
  if (!locksRows(trx)) return;
  const plants = new Map(Array.from(places, ({ collectorId, plantId }) => [collectorId, plantId]));
  const kept = await stillIn(trx, { collectorIds: listParameter(trx, [...plants.keys()]) });
  const isKept =
    kept.length === plants.size && kept.every(({ id, plantId }) => plants.get(id) === plantId);
  if (!isKept) throw new Overtaken('a collector or its owner is being changed');
}
