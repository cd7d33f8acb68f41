import process from 'node:process';
import { createIngest } from '../../packages/server/src/measurements/ingest/ingest.ts';
import { recalculateWaiting } from '../../packages/server/src/measurements/ingest/recalculation/recalculate.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import { openStorage } from '../../packages/server/src/platform/storage/open.ts';
import { stepwiseCommits, stepwiseSeries } from '../support/step-by-step.ts';
import { settableClock } from '../support/world.ts';
import type { Deed } from './step-kill.prove.ts';

// A process that stores a report or recalculates what was asked for, and kills itself at a step: `node storing-instance.ts DATABASE DEED`.
// The process that started it sees from the signal whether it came so far.
const deed = JSON.parse(process.argv[3]!) as Deed;
const storage = openStorage(process.argv[2]!);
let left = deed.killAt;
const step = (): void => {
  if (left-- === 0) process.kill(process.pid, 'SIGKILL');
};
const db = stepwiseCommits(storage.db, step);
const series = stepwiseSeries(createSqlSeries(storage.db), step);
if (deed.readings)
  await createIngest({ db, clock: settableClock(deed.now), series })(
    { collectorId: deed.collectorId! },
    deed.readings,
  );
else await recalculateWaiting(db, series, () => {});
await storage.close();
