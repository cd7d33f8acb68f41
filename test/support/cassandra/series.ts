import {
  readClusterAddress,
  type ClusterAddress,
} from '../../../packages/server/src/platform/config/cluster-address.ts';
import { systemClock } from '../../../packages/server/src/platform/kernel/clock.ts';
import { createCassandraSeries } from '../../../packages/server/src/measurements/series/cassandra/cassandra-series.ts';
import { createFieldLists } from '../../../packages/server/src/measurements/series/field-lists.ts';
import { SeriesFault } from '../../../packages/server/src/measurements/series/series-fault.ts';
import type { Series } from '../../../packages/server/src/measurements/series/port.ts';
import type { Db } from '../../../packages/server/src/platform/storage/database.ts';
import { installationId } from '../../../packages/server/src/platform/storage/installation/id.ts';

export function clusterAddress(text: string): ClusterAddress {
  const address = readClusterAddress(text);
  if (typeof address === 'string') throw new Error(`the address must ${address}`);
  return address;
}

/** The series at an address, beside a main database whose installation it belongs to; with its keyspace. */
export async function openCassandraSeries(address: ClusterAddress, db: Db): Promise<Series> {
  const series = createCassandraSeries({
    address,
    fieldLists: createFieldLists(db),
    installation: () => installationId(db),
    clock: systemClock,
  });
  await patiently(() => series.open());
  await series.migrate();
  return series;
}

const PATIENCE_MS = 60_000;

/** A node that has just been started may take long to answer on a busy machine. */
async function patiently(open: () => Promise<void>): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof SeriesFault) || performance.now() > giveUpAt) throw error;
    }
  }
}
