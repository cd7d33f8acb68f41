import { operations, readRequest, type Operation, type OperationId } from '@helioport/contract';
import type { Clock } from '../../packages/server/src/platform/kernel/clock.ts';
import { createIdSource } from '../../packages/server/src/platform/kernel/ids.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import { createTelemetry } from '../../packages/server/src/measurements/telemetry/create-telemetry.ts';
import { settledReads } from '../../packages/server/src/measurements/ingest/settled-reads.ts';
import { userCaller } from '../../test/support/world.ts';
import { clock } from './installation.ts';
import { operationsOn } from '../../test/support/operations.ts';

/** Does what a listener does once it knows the caller: reads the request, calls the handler, projects the answer. Resolves to the data. */
export type Ask = (
  accountId: string,
  id: OperationId,
  body: Record<string, unknown>,
) => Promise<any>;

export function createDesk(db: Db, series = createSqlSeries(db), at: Clock = clock): Ask {
  const handlers = operationsOn(db, at, createIdSource(at), {
    telemetry: createTelemetry(settledReads(db, series)),
  });
  return async (accountId, id, body) => {
    const operation: Operation = operations[id];
    const read = readRequest(operation, body);
    if ('fault' in read) throw new Error(`${id} refuses ${JSON.stringify(body)}`);
    const output = await handlers[id](userCaller(accountId), read.input as never);
    return (operation.response.project as (output: unknown) => unknown)(output);
  };
}

/** The tables that a statement reads, in order: enough to identify it. */
export const tablesOf = (text: string): string =>
  [
    ...new Set(
      [...text.matchAll(/(?:from|join) (?:lateral )?"(\w+)"/g)].map(([, table]) => table!),
    ),
  ].join('+');

export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}
