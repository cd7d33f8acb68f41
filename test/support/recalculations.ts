import { createRunner } from '../../packages/server/src/platform/work/runner.ts';
import type { Clock } from '../../packages/server/src/platform/kernel/clock.ts';
import { RECALCULATE } from '../../packages/server/src/fleet/plants/tariffs/recalculation.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import { createRecalculation } from '../../packages/server/src/measurements/ingest/recalculation/recalculate.ts';
import type { Series } from '../../packages/server/src/measurements/series/port.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';

const logger = {
  error: (fault: object): never => {
    throw new Error('a recalculation failed', { cause: fault });
  },
  warn: (): void => {},
};

/** An instance that does nothing but make anew what changes have asked for. */
export const createRecalculations = (db: Db, clock: Clock, series: Series = createSqlSeries(db)) =>
  createRunner({
    db,
    clock,
    logger,
    lanes: {
      [RECALCULATE]: {
        runsAtOnce: 4,
        limitSeconds: 60,
        ...createRecalculation({ db, clock, series }),
      },
    },
  });
