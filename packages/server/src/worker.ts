import { sweepPageEnds } from './alarms/pages.ts';
import { createWatch } from './alarms/watch.ts';
import { createJobs, type JobHandler, type Jobs } from './work/jobs.ts';
import type { Clock } from './kernel/clock.ts';
import type { IdSource } from './kernel/ids.ts';
import type { Logger } from './kernel/logger.ts';
import { sweepOauth } from './oauth/housekeeping.ts';
import { foldCounts } from './plants/fleet/fold-counts.ts';
import { RECALCULATE } from './plants/tariffs/recalculation.ts';
import type { Db } from './storage/database.ts';
import { createTelemetry } from './telemetry/create-telemetry.ts';
import { createRecalculation } from './ingest/recalculate.ts';
import type { Series } from './series/port.ts';

export interface WorkerDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  readonly series: Series;
}

const ROWS_AT_ONCE = 500;

/** What is done by time instead of on request. Every instance with the role `worker` does its share. */
export function createWorker({ db, clock, ids, logger, series }: WorkerDeps): Jobs {
  /** Goes on at once while there is something left. */
  const inBatches = (everySeconds: number, batch: () => Promise<number>): JobHandler => ({
    everySeconds,
    run: async () => ((await batch()) > 0 ? { dueAt: clock.now() } : undefined),
  });
  return createJobs({
    db,
    clock,
    logger,
    handlers: {
      watch: createWatch({ db, clock, logger, newId: ids, telemetry: createTelemetry({ db, series }) }),
      [RECALCULATE]: createRecalculation({ db, clock, series }),
      foldCounts: inBatches(10, () => foldCounts(db, ROWS_AT_ONCE)),
      sweepAlarmPages: inBatches(3600, () => sweepPageEnds(db, clock.now(), ROWS_AT_ONCE)),
      sweepOauth: inBatches(30, () => sweepOauth(db, clock.now())),
    },
  });
}
