import type { Cluster } from './cluster.ts';
import { SeriesFault } from '../series-fault.ts';

/** Version of the tables. A cluster with a higher one was written by a newer Helioport; version 1 was in no release. */
const VERSION = 2;

/**
 * A partition holds the samples of a device of one UTC day; `ms` is the time since its start. Days and months of a binding are one partition each.
 * Marks come and go with each report, so their remains are removed after an hour: one that came back would only cause a recalculation.
 */
const tables = (keyspace: string): readonly string[] => [
  `create table if not exists ${keyspace}.installation (name text primary key, value text)`,
  `create table if not exists ${keyspace}.sample (series int, bucket int, ms int, state blob, primary key ((series, bucket), ms)) with ${COMPACTION} and ${COMPRESSION}`,
  `create table if not exists ${keyspace}.sample_bucket (series int, bucket int, primary key (series, bucket)) with ${COMPACTION}`,
  `create table if not exists ${keyspace}.device_day (binding int, day int, state blob, primary key (binding, day)) with clustering order by (day desc) and ${COMPACTION}`,
  `create table if not exists ${keyspace}.device_month (binding int, month int, state blob, primary key (binding, month)) with ${COMPACTION}`,
  `create table if not exists ${keyspace}.binding_mark (part int, binding int, writer text, attempt text, day int, series int, from_at bigint, to_at bigint,
     primary key (part, binding, writer)) with ${COMPACTION} and gc_grace_seconds = 3600 and memtable_flush_period_in_ms = 600000`,
];

// A sample of twelve values takes 31 bytes so, and 49 with the default: LZ4, in chunks of 16 KiB.
const COMPRESSION = "compression = {'class': 'ZstdCompressor', 'chunk_length_in_kb': 32}";
const COMPACTION = "compaction = {'class': 'UnifiedCompactionStrategy'}";

/** What a cluster says of itself. */
interface Standing {
  /** Version of the tables, 0 = there are none. */
  readonly version: number;
}

/**
 * Checks that the keyspace, if there is one, is of this installation and version, and that enough nodes may hold its copies.
 * @throws SeriesFault
 */
export async function checkSchema(cluster: Cluster, installation: string): Promise<Standing> {
  const { keyspace } = cluster.address;
  const copies = await readCopies(cluster);
  checkCopies(cluster, copies ?? cluster.address.replication);
  if (!copies) return { version: 0 };
  const named = await cluster.read(
    'select table_name from system_schema.tables where keyspace_name = ?',
    [keyspace],
  );
  if (named.length === 0) return { version: 0 };
  if (!named.some((row) => row['table_name'] === 'installation'))
    throw new SeriesFault(
      `the keyspace ${keyspace} holds tables of something else: name one of its own for Helioport`,
    );
  const rows = await cluster.read(`select name, value from ${keyspace}.installation`, []);
  const values = new Map(rows.map((row) => [row['name'] as string, row['value'] as string]));
  const owner = values.get('id');
  if (owner !== undefined && owner !== installation)
    throw new SeriesFault(
      `the keyspace ${keyspace} belongs to another installation: its rows are of other devices`,
    );
  const version = Number(values.get('version') ?? 0);
  if (version > VERSION)
    throw new SeriesFault(`the keyspace ${keyspace} was written by a newer version of Helioport`);
  return { version };
}

/** Creates the keyspace and its tables, unless that is done. Only one process at a time may do so: nodes do not agree on tables that are created twice at once. */
export async function createSchema(cluster: Cluster, installation: string): Promise<void> {
  const { keyspace, replication } = cluster.address;
  const copies = Object.entries(replication).map(
    ([dataCenter, count]) => `'${dataCenter}': ${count}`,
  );
  await cluster.define(
    `create keyspace if not exists ${keyspace} with replication = {'class': 'NetworkTopologyStrategy', ${copies.join(', ')}}`,
  );
  for (const table of tables(keyspace)) await cluster.define(table);
  const insert = `insert into ${keyspace}.installation (name, value) values (?, ?)`;
  await cluster.write([{ query: insert, params: ['id', installation] }]);
  // Last, so that what was interrupted is done again.
  await cluster.write([{ query: insert, params: ['version', String(VERSION)] }]);
}

export const isSchemaCurrent = ({ version }: Standing): boolean => version === VERSION;

/** How many copies of each row the keyspace keeps in each data center; undefined = there is no keyspace. */
export async function readCopies(cluster: Cluster): Promise<Record<string, number> | undefined> {
  const [found] = await cluster.read(
    'select replication from system_schema.keyspaces where keyspace_name = ?',
    [cluster.address.keyspace],
  );
  if (!found) return undefined;
  const { class: _, ...copies } = found['replication'] as Record<string, string>;
  return Object.fromEntries(
    Object.entries(copies).map(([dataCenter, count]) => [dataCenter, Number(count)]),
  );
}

function checkCopies(cluster: Cluster, copies: Readonly<Record<string, number>>): void {
  const { keyspace, dataCenter } = cluster.address;
  const wanted = copies[dataCenter];
  if (wanted === undefined)
    throw new SeriesFault(
      `the keyspace ${keyspace} keeps no copies in the data center ${dataCenter}`,
    );
  const nodes = cluster.hosts().filter((host) => host.datacenter === dataCenter).length;
  if (wanted > nodes)
    throw new SeriesFault(
      `the keyspace ${keyspace} is to keep ${wanted} copies of each row in the data center ${dataCenter}, which has fewer nodes (${nodes}): add some, or lower the replication`,
    );
}
