import { forgetWaiting, nextWaiting } from '../../fleet/devices/waiting-readings.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { Db } from '../../platform/storage/database.ts';
import type { LaneHandler } from '../../platform/work/lane.ts';
import type { Ingest } from './ingest.ts';

const READINGS_AT_ONCE = 500;

/** Stores what waited for a device until it was bound, as its collector would report it now. A run that is repeated stores nothing twice. */
export const createWaitingDelivery = ({
  db,
  clock,
  ingest,
}: {
  db: Db;
  clock: Clock;
  ingest: Ingest;
}): LaneHandler => ({
  async run({ key, finish }) {
    const waiting = await nextWaiting(db, key, { now: clock.now(), limit: READINGS_AT_ONCE });
    if (!waiting) return;
    const intake = ingest.begin();
    await intake.add(waiting.readings);
    const { collectorId, ownerId } = waiting;
    await intake.store({ collectorId }, { isBacklog: true, ownerId });
    await finish(async (trx) => {
      await forgetWaiting(trx, waiting);
      return { dueAt: clock.now() };
    });
  },
});
