import type { Host } from 'cassandra-driver';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { SeriesAway, SeriesFault } from '../series-fault.ts';
import type { Cluster } from './cluster.ts';
import { readCopies } from './schema.ts';

/** How far clocks of nodes may differ from this machine's without a word, in milliseconds. */
const CLOCK_TOLERANCE_MS = 60_000;

/**
 * What is wrong with a cluster, one sentence for each thing. Rows have timestamps of ours, so that a wrong clock of a node loses none; but it removes
 * deleted rows for good too early or too late.
 * @throws SeriesFault if it does not store or answer
 */
export async function examineCluster(cluster: Cluster, clock: Clock): Promise<readonly string[]> {
  await tryOut(cluster, clock);
  const copies = Object.values((await readCopies(cluster)) ?? {}).reduce(
    (sum, count) => sum + count,
    0,
  );
  const found: string[] = [];
  for (const host of cluster.hosts()) {
    if (!host.isUp()) {
      found.push(`the node ${host.address} does not answer`);
      continue;
    }
    const before = clock.now();
    const [row] = await cluster
      .ask(host, 'select totimestamp(now()) as at from system.local')
      .catch(() => []);
    if (!row) {
      found.push(`the node ${host.address} does not answer`);
      continue;
    }
    const aheadMs = (row['at'] as Date).getTime() - (before + clock.now()) / 2;
    if (Math.abs(aheadMs) > CLOCK_TOLERANCE_MS)
      found.push(
        `the clock of the node ${host.address} is ${Math.round(Math.abs(aheadMs) / 1000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} this machine’s`,
      );
    if (copies === 1 && (await acknowledgesEarly(cluster, host)))
      found.push(
        `the node ${host.address} loses what it acknowledged last when it is killed, and no other has a copy: set its commitlog_sync to batch, or keep three copies`,
      );
  }
  return found;
}

/** Whether a node acknowledges rows before its commit log has them: Cassandra does so unless set otherwise. */
async function acknowledgesEarly(cluster: Cluster, host: Host): Promise<boolean> {
  const [row] = await cluster
    .ask(host, "select value from system_views.settings where name = 'commitlog_sync'")
    .catch(() => []);
  return row?.['value'] === 'periodic';
}

async function tryOut(cluster: Cluster, clock: Clock): Promise<void> {
  const table = `${cluster.address.keyspace}.installation`;
  try {
    await cluster.write([
      {
        query: `insert into ${table} (name, value) values ('trial', ?) using timestamp ?`,
        params: [String(clock.now()), clock.now() * 1000],
      },
    ]);
  } catch (error) {
    if (!(error instanceof SeriesAway)) throw error;
    throw new SeriesFault(
      `the Cassandra cluster does not accept writes: ${(error as Error).message}`,
    );
  }
  try {
    await cluster.read(`select value from ${table} where name = 'trial'`, []);
  } catch (error) {
    if (!(error instanceof SeriesAway)) throw error;
    throw new SeriesFault(
      `the Cassandra cluster accepts writes but does not answer reads: ${(error as Error).message}`,
    );
  }
}
