import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { sql } from 'kysely';
import { systemClock } from '../../packages/server/src/platform/kernel/clock.ts';
import { createIdSource } from '../../packages/server/src/platform/kernel/ids.ts';
import { createLogger } from '../../packages/server/src/platform/kernel/logger.ts';
import { RECALCULATE } from '../../packages/server/src/fleet/plants/tariffs/recalculation.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import { createDatabaseClock } from '../../packages/server/src/platform/storage/database-clock.ts';
import { openStorage } from '../../packages/server/src/platform/storage/open.ts';
import type { Lane, Lanes, Run } from '../../packages/server/src/platform/work/lane.ts';
import { createRunner } from '../../packages/server/src/platform/work/runner.ts';
import { createFigureCaches } from '../../packages/server/src/measurements/figures/sources.ts';
import { createTelemetry } from '../../packages/server/src/measurements/telemetry/create-telemetry.ts';
import { settledReads } from '../../packages/server/src/measurements/ingest/settled-reads.ts';
import { lanesWith } from './lanes.ts';
import { isStorageAway } from '../../packages/server/src/platform/storage/away.ts';

// An instance of its own with the lanes of the server: `node instance.ts DATABASE`. Each run leaves a witness at its begin and, when
// its changes were committed, at its end; a recalculation of a binding below zero hangs. Ends with its standard input.
const { db, wakeUps } = openStorage(process.argv[2]!);
const clock = createDatabaseClock(db, systemClock);
const logger = createLogger('error', isStorageAway);
const series = createSqlSeries(db);

const witness = (event: string, kind: string, { key }: Run, run: string) =>
  sql`insert into witness (event, kind, key, run, process, at) values (${event}, ${kind}, ${key}, ${run}, ${process.pid}, ${systemClock.now()})`;

const witnessed = (kind: string, lane: Lane): Lane => ({
  ...lane,
  async run(run) {
    const id = randomUUID();
    await witness('begin', kind, run, id).execute(db);
    if (kind === RECALCULATE && run.key.startsWith('-')) return new Promise(() => {});
    const again = await lane.run({
      ...run,
      // With what the run changes, and thus once.
      finish: (body) =>
        run.finish(async (trx) => {
          if (kind === RECALCULATE)
            await sql`insert into effect (key) values (${run.key})`.execute(trx);
          return body(trx);
        }),
    });
    await witness('end', kind, run, id).execute(db);
    return again;
  },
});

const lanes: Lanes = Object.fromEntries(
  Object.entries(
    lanesWith({
      db,
      clock,
      ids: createIdSource(clock),
      logger,
      series,
      telemetry: createTelemetry(settledReads(db, series)),
      caches: createFigureCaches(),
    }),
  ).map(([kind, lane]) => [kind, witnessed(kind, lane)]),
);
await createRunner({ db, clock, logger, lanes, wakeUps }).start();
process.stdout.write('started\n');
process.stdin.resume().once('end', () => process.exit());
