import type { Clock } from '../../packages/server/src/platform/kernel/clock.ts';
import type { IdSource } from '../../packages/server/src/platform/kernel/ids.ts';
import { createLogger } from '../../packages/server/src/platform/kernel/logger.ts';
import type { OperationDependencies } from '../../packages/server/src/interfaces/operations/dependencies.ts';
import {
  createOperations,
  type Operations,
} from '../../packages/server/src/interfaces/operations/index.ts';
import { createFigureCaches } from '../../packages/server/src/measurements/figures/sources.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import { createEgress } from '../../packages/server/src/platform/egress/egress.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import { createTelemetry } from '../../packages/server/src/measurements/telemetry/create-telemetry.ts';
import { settledReads } from '../../packages/server/src/measurements/ingest/settled-reads.ts';
import { credentials } from './credentials.ts';
import { isStorageAway } from '../../packages/server/src/platform/storage/away.ts';

/** What operations are built from, on a database that holds the samples too; `change` replaces some of it. Nothing is sent, and only to the public internet if it is. */
export const operationSources = (
  db: Db,
  clock: Clock,
  ids: IdSource,
  change: Partial<OperationDependencies> = {},
): OperationDependencies => ({
  db,
  clock,
  ids,
  telemetry: createTelemetry(settledReads(db, createSqlSeries(db))),
  caches: createFigureCaches(),
  credentials,
  outbound: { egress: createEgress({ allow: [] }), logger: createLogger('silent', isStorageAway) },
  gatewayUrl: 'https://gateway.example.org',
  closedRetention: 14,
  readingsKept: { thinning: null, expiry: null },
  notifications: { outbox: null, portalUrl: 'https://portal.example.org' },
  ...change,
});

/** All operations, on such a database. */
export const operationsOn = (
  db: Db,
  clock: Clock,
  ids: IdSource,
  change: Partial<OperationDependencies> = {},
): Operations => createOperations(operationSources(db, clock, ids, change));
