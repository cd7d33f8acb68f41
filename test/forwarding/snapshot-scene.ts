import { beforeEach } from 'vitest';
import type { ForwardedEvent } from '@helioport/contract';
import { getDestination } from '../../packages/server/src/outbound/forwarding/destinations/destinations.ts';
import { listDestinations } from '../../packages/server/src/outbound/forwarding/destinations/reports.ts';
import { beginSnapshot } from '../../packages/server/src/outbound/forwarding/snapshots/snapshots.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import { createForwardingScene } from './scene.ts';

export const SECOND = 1_000;

/** Destinations that get snapshots; at the beginning of each test, those of others are paused. */
export function createSnapshotScene(database: () => { db: Db }) {
  const scene = createForwardingScene(database);
  const { clock } = scene;
  beforeEach(async () => {
    await database().db.updateTable('destination').set({ state: 'paused' }).execute();
  });
  const destination = (id: string) => getDestination(database().db, id, null);
  return {
    ...scene,
    stored: destination,
    /** A device measures something, a second after whatever was before. */
    measure: (to: { sn: string; collectorId: string }, acPowerW = 100) =>
      scene.report(to as never, [{ at: (clock.at += SECOND), values: { acPowerW } }]),
    begin: (id: string) =>
      scene.write(async (trx) => beginSnapshot(trx, scene.act(), await destination(id), 'id')),
    stateOf: async (id: string) =>
      (await listDestinations(database().db, clock.at, { id }))[0]!.snapshot,
    row: (id: string) =>
      database()
        .db.selectFrom('snapshot')
        .selectAll()
        .where('destinationId', '=', id)
        .executeTakeFirstOrThrow(),
  };
}

/** What the event says that ends a snapshot. */
export const complete = (events: readonly ForwardedEvent[]) =>
  events.find(({ kind }) => kind === 'snapshot.complete')?.data;
