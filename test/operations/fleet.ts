import {
  operations as contract,
  readRequest,
  type OperationId,
  type QuantityName,
} from '@helioport/contract';
import type { Caller } from '../../packages/server/src/identity/accounts/caller.ts';
import { createWatch } from '../../packages/server/src/outbound/alarms/watch.ts';
import type { LaneHandler } from '../../packages/server/src/platform/work/lane.ts';
import type { Operations } from '../../packages/server/src/interfaces/operations/index.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import { createIngest, type Ingest } from '../../packages/server/src/measurements/ingest/ingest.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import { createTelemetry } from '../../packages/server/src/measurements/telemetry/create-telemetry.ts';
import { settledReads } from '../../packages/server/src/measurements/ingest/settled-reads.ts';
import type { SeriesOf } from '../support/engines.ts';
import { createRecalculations } from '../support/recalculations.ts';
import { lookAtFleet } from '../support/runs.ts';
import { createWorld, type SettableClock } from '../support/world.ts';
import { operationsOn } from '../support/operations.ts';

export type Measurements = { readonly [Name in QuantityName]?: number };

/** A world whose devices report, and the operations over it, called as the wire calls them. */
export function createFleet(
  database: () => { db: Db },
  clock: SettableClock,
  seriesOf: SeriesOf = (db) => createSqlSeries(db),
) {
  const world = createWorld(database, clock);
  let made: { ingest: Ingest; handlers: Operations; watch: LaneHandler } | undefined;
  const over = (): NonNullable<typeof made> => {
    const { db } = database();
    const series = seriesOf(db);
    const telemetry = createTelemetry(settledReads(db, series));
    return (made ??= {
      ingest: createIngest({ db, clock, series }),
      handlers: operationsOn(db, clock, world.newId, { telemetry }),
      watch: createWatch({
        db,
        clock,
        newId: world.newId,
        telemetry,
        logger: {
          error: (fault: unknown) => {
            throw fault;
          },
        } as never,
      }),
    });
  };
  return {
    ...world,
    handlers: (): Operations => over().handlers,
    /** Stores readings of a device; each must be taken. */
    async report(
      sn: string,
      readings: readonly (readonly [at: number | string, values: Measurements])[],
    ): Promise<void> {
      const given = readings.map(([at, values]) => ({
        sn,
        at: typeof at === 'string' ? Date.parse(at) : at,
        values,
      }));
      const { refused } = await over().ingest('operator', given);
      if (refused.length > 0) throw new Error(`refused: ${JSON.stringify(refused)}`);
    },
    /** Lets the watch look at every device that is due. */
    async watch(): Promise<void> {
      await lookAtFleet(over().watch, database().db);
    },
    /** Does what the changes so far have asked for to be made anew; says how many runs that took. */
    runWork: () => createRecalculations(database().db, clock, seriesOf(database().db)).runDue(),
    /** A handler's output in our own words. */
    ask: <Id extends OperationId>(
      id: Id,
      caller: Caller,
      body: Record<string, unknown> = {},
    ): ReturnType<Operations[Id]> =>
      over().handlers[id](caller, inputOf(id, body) as never) as ReturnType<Operations[Id]>,
    /** What the wire holds as `data`, as a client parses it. */
    async wire(id: OperationId, caller: Caller, body: Record<string, unknown> = {}): Promise<any> {
      const output = await over().handlers[id](caller, inputOf(id, body) as never);
      return JSON.parse(JSON.stringify(contract[id].response.project(output as never)));
    },
  };
}

export function inputOf(id: OperationId, body: Record<string, unknown>): unknown {
  const read = readRequest(contract[id] as never, body) as { input: unknown } | { fault: unknown };
  if ('fault' in read)
    throw new Error(`the contract refuses ${JSON.stringify(body)}: ${JSON.stringify(read.fault)}`);
  return read.input;
}
