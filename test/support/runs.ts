import { fleetParts } from '../../packages/server/src/outbound/alarms/due-devices.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import { transactionsOf } from '../../packages/server/src/platform/storage/transactions/transact.ts';
import type { LaneHandler, Run } from '../../packages/server/src/platform/work/lane.ts';

/** A run beside all lanes, for a test of a handler alone: nobody ever takes its task away. */
export const runOf = (db: Db, key: string): Run => ({
  key,
  failures: 0,
  signal: new AbortController().signal,
  transaction: transactionsOf(db),
  finish: async (body) => void (await db.transaction().execute(body)),
});

/** Has the watch look at all parts of the fleet until nothing is due. */
export async function lookAtFleet(watch: LaneHandler, db: Db): Promise<void> {
  for (const part of fleetParts) while (await watch.run(runOf(db, part)));
}
