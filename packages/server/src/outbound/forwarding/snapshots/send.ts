import type { Db, Instant } from '../../../platform/storage/database.ts';
import type { Transact } from '../../../platform/storage/transactions/transact.ts';
import {
  deliveryPauseAfter,
  SNAPSHOT_GIVEN_UP_AFTER_MS,
  type Random,
} from '../../delivery/schedule.ts';
import type { DestinationDelivery } from '../dispatcher/delivery.ts';
import type { Pending } from '../dispatcher/outgoing.ts';
import type { Snapshot } from './snapshots.ts';
import { snapshotEndOf, readAgain, readPiece, type SnapshotSource } from './read.ts';

export interface SnapshotDeps extends Pick<SnapshotSource, 'db' | 'telemetry'> {
  readonly db: Db;
  readonly transaction: Transact;
  readonly signal: AbortSignal;
  readonly random: Random;
  now(): Instant;
}

const LANES = 8;
const REPEATING_LANES = 2;
/** How often all of a piece may be refused before it counts. */
const PATIENCE = 2;
/** A destination that refuses more of a snapshot than this does not get the rest. */
const REFUSED_AT_MOST = 1_000;

type Change = Partial<Omit<Snapshot, 'destinationId' | 'number' | 'createdAt'>>;

/** Sends a snapshot piece by piece until it has ended, nothing may be sent for now, or what was refused has to wait. */
export async function serveSnapshot(
  deps: SnapshotDeps,
  delivery: DestinationDelivery,
  snapshot: Snapshot,
): Promise<void> {
  if (deps.signal.aborted || delivery.isHeld()) return;
  const { destinationId, number } = snapshot;
  const source = {
    db: deps.db,
    telemetry: deps.telemetry,
    destination: delivery.destination,
    number,
  };
  const change =
    snapshot.state === 'sending'
      ? await sendPiece(deps, delivery, source, snapshot)
      : await repeat(deps, delivery, source, snapshot);
  if (!change) return;
  if (delivery.isHeld()) change.nextAt = Math.max(change.nextAt ?? 0, delivery.heldUntil);
  await deps.transaction(async (trx) => {
    await trx
      .updateTable('snapshot')
      .set(change)
      .where('destinationId', '=', destinationId)
      .where('number', '=', number)
      .execute();
  });
  const next = { ...snapshot, ...change };
  if (next.state !== 'sending') delivery.goOnWithStream();
  if (next.endedAt === null && next.nextAt <= deps.now()) await serveSnapshot(deps, delivery, next);
}

/** The next plants, or the end of the first round. Undefined if the destination is not to be served any more. */
async function sendPiece(
  { now, random }: SnapshotDeps,
  delivery: DestinationDelivery,
  source: SnapshotSource,
  snapshot: Snapshot,
): Promise<Change | undefined> {
  const piece = await readPiece(source, snapshot, now());
  if (!piece) return undefined;
  const sent = new Set(JSON.parse(snapshot.sent) as string[]);
  const missing = piece.events.filter(({ event }) => !sent.has(event.subject));
  const { delivered, refused, reason, isWhole } = await send(delivery, missing, { lanes: LANES });
  // Perhaps the destination takes nothing at all for the time being: then, the stream waits on.
  const attempts = delivered.length > 0 || refused.length === 0 ? 0 : snapshot.attempts + 1;
  if (attempts > 0 && attempts <= PATIENCE)
    return {
      attempts,
      reason: reason ?? null,
      nextAt: now() + deliveryPauseAfter(attempts, random())!,
    };
  const all = [...(JSON.parse(snapshot.refused) as string[]), ...refused];
  const counted = new Set([...delivered, ...refused]);
  const count = (kind: string): number =>
    missing.filter(({ event }) => event.kind === kind && counted.has(event.subject)).length;
  const [plants, devices] = [
    snapshot.plants + count('snapshot.plant'),
    snapshot.devices + count('snapshot.device'),
  ];
  const change: Change = {
    plants,
    devices,
    attempts,
    refused: JSON.stringify(all),
    ...(reason !== undefined && { reason }),
  };
  if (all.length > REFUSED_AT_MOST) return { ...change, state: 'failed', endedAt: now() };
  // The last plants are not sent again for the end's sake either.
  const unfinished = (): Change => {
    const { failingSince } = delivery;
    if (failingSince !== null && now() - failingSince >= SNAPSHOT_GIVEN_UP_AFTER_MS)
      return { ...change, state: 'failed', endedAt: now() };
    return { ...change, sent: JSON.stringify([...sent, ...counted]) };
  };
  if (!isWhole) return unfinished();
  if (piece.place)
    return {
      ...change,
      accountId: piece.place.accountId,
      plantId: piece.place.plantId,
      sent: '[]',
    };
  const end = await send(
    delivery,
    snapshotEndOf(source, { plants, devices, refused: all.length }, now()),
    {},
  );
  if (!end.isWhole) return unfinished();
  all.push(...end.refused);
  if (all.length === 0) return { ...change, state: 'done', endedAt: now() };
  return {
    ...change,
    refused: JSON.stringify(all),
    state: 'repeating',
    attempts: 1,
    nextAt: now() + deliveryPauseAfter(1, random())!,
  };
}

/** What was refused, as it is now, following the schedule of events. */
async function repeat(
  { now, random }: SnapshotDeps,
  delivery: DestinationDelivery,
  source: SnapshotSource,
  snapshot: Snapshot,
): Promise<Change | undefined> {
  const refused = JSON.parse(snapshot.refused) as string[];
  const events = await readAgain(source, refused, now());
  if (!events) return undefined;
  const { id } = source.destination;
  const { plants, devices } = snapshot;
  const end = refused.includes(id)
    ? snapshotEndOf(source, { plants, devices, refused: refused.length - 1 }, now())
    : [];
  const outcome = await send(delivery, [...events, ...end], {
    lanes: REPEATING_LANES,
    atMost: 1,
    isRetry: true,
  });
  const left = [...events, ...end]
    .map(({ event }) => event.subject)
    .filter((subject) => !outcome.delivered.includes(subject));
  const change: Change = {
    refused: JSON.stringify(left),
    ...(outcome.reason !== undefined && { reason: outcome.reason }),
  };
  if (left.length === 0) return { ...change, state: 'done', endedAt: now() };
  if (!outcome.isWhole) return { ...change, nextAt: now() };
  const attempts = snapshot.attempts + 1;
  const pause = deliveryPauseAfter(attempts, random());
  return pause === undefined
    ? { ...change, state: 'failed', endedAt: now() }
    : { ...change, attempts, nextAt: now() + pause };
}

interface Sent {
  /** Plants and devices. */
  readonly delivered: readonly string[];
  readonly refused: readonly string[];
  readonly reason: string | undefined;
  /** Whether each was delivered or refused, unless it may not be sent any more. A destination that is left alone has refused nothing. */
  readonly isWhole: boolean;
}

async function send(
  delivery: DestinationDelivery,
  events: readonly Pending[],
  options: Parameters<DestinationDelivery['again']>[1],
): Promise<Sent> {
  const { failed, untried, delivered } = await delivery.again(events, options);
  const isLeft = delivery.isHeld();
  return {
    delivered: delivered.map(({ event }) => event.subject),
    refused: isLeft ? [] : [...failed.keys()],
    reason: failed.values().next().value?.outcome.reason,
    isWhole: untried.length === 0 && (failed.size === 0 || !isLeft),
  };
}
