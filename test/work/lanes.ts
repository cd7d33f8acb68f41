import { createLanes, type LaneDeps } from '../../packages/server/src/compose/lanes.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import type { Lanes } from '../../packages/server/src/platform/work/lane.ts';

const nobody = { run: async () => {} };

/** The lanes of the server without what sends anything. What is left out of `deps` must not be needed. */
export const lanesWith = (deps: Partial<LaneDeps>): Lanes =>
  createLanes({
    outbox: null,
    mail: undefined,
    writeExports: nobody,
    notifications: {},
    forward: nobody,
    config: {
      auditRetention: 400,
      eventRetention: 7,
      eventLimit: 1_000,
      readingRetention: null,
      readingThinning: null,
      controlRetention: null,
      alarmRetention: null,
    },
    ...(deps.db && { series: createSqlSeries(deps.db) }),
    ...deps,
  } as LaneDeps);
