import process from 'node:process';
import { createDispatcher } from '../../../packages/server/src/outbound/forwarding/dispatcher/dispatcher.ts';
import { createForwardingWatch } from '../../../packages/server/src/outbound/forwarding/dispatcher/watch.ts';
import { FORWARD } from '../../../packages/server/src/outbound/forwarding/destinations/shards.ts';
import { createEgress } from '../../../packages/server/src/platform/egress/egress.ts';
import { openSink } from '../../../packages/server/src/outbound/sinks/open.ts';
import { systemClock } from '../../../packages/server/src/platform/kernel/clock.ts';
import { createIdSource } from '../../../packages/server/src/platform/kernel/ids.ts';
import { createLogger } from '../../../packages/server/src/platform/kernel/logger.ts';
import { createDatabaseClock } from '../../../packages/server/src/platform/storage/database-clock.ts';
import { openStorage } from '../../../packages/server/src/platform/storage/open.ts';
import { createSqlSeries } from '../../../packages/server/src/measurements/series/sql/sql-series.ts';
import { createTelemetry } from '../../../packages/server/src/measurements/telemetry/create-telemetry.ts';
import { settledReads } from '../../../packages/server/src/measurements/ingest/settled-reads.ts';
import { createRunner } from '../../../packages/server/src/platform/work/runner.ts';
import { credentials } from '../../support/credentials.ts';
import { isStorageAway } from '../../../packages/server/src/platform/storage/away.ts';

// An instance that delivers, of its own: `node instance.ts DATABASE`. Ends with its standard input.
const { db, wakeUps } = openStorage(process.argv[2]!);
const clock = createDatabaseClock(db, systemClock);
const logger = createLogger('error', isStorageAway);
const egress = createEgress({ allow: ['127.0.0.0/8'] });
const dispatcher = createDispatcher({
  db,
  clock,
  ids: createIdSource(systemClock),
  logger,
  secretBox: await credentials.secretBox(),
  telemetry: createTelemetry(settledReads(db, createSqlSeries(db))),
  openSink: (destination) => openSink(destination, { egress, clock: systemClock, logger }),
  // So that a destination is back soon after its instance was killed.
  random: () => 0,
});
await createRunner({
  db,
  clock,
  logger,
  wakeUps,
  lanes: { [FORWARD]: { runsAtOnce: 4, limitSeconds: 60, run: dispatcher.run } },
}).start();
createForwardingWatch({ db, clock, logger }).start();
process.stdout.write('started\n');
process.stdin.resume().once('end', () => process.exit());
