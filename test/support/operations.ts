import type { Clock } from '../../packages/server/src/platform/kernel/clock.ts';
import type { IdSource } from '../../packages/server/src/platform/kernel/ids.ts';
import {
  createOperations,
  type Operations,
  type OperationSources,
} from '../../packages/server/src/interfaces/operations/index.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import { createTelemetry } from '../../packages/server/src/measurements/telemetry/create-telemetry.ts';
import { credentials } from './credentials.ts';

/** All operations, on a database that holds the samples too; `change` replaces some of their parts. */
export const operationsOn = (
  db: Db,
  clock: Clock,
  ids: IdSource,
  change: Partial<OperationSources> = {},
): Operations =>
  createOperations({
    db,
    clock,
    ids,
    telemetry: createTelemetry({ db, series: createSqlSeries(db) }),
    credentials,
    ...change,
  });
