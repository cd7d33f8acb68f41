import { createServer } from 'node:http';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { inject } from 'vitest';
import { freePort } from '../free-port.ts';
import { startCassandra, type CassandraCluster } from './cluster.ts';

/** The node of the run. */
export interface SharedNode {
  readonly port: number;
  /** Where it keeps its tables. */
  readonly data: string;
  readonly nodetool: readonly string[];
}

/** A node for the whole run, started when the first file asks for it. */
export interface LazyCassandra {
  /** Where files ask. */
  readonly url: string;
  close(): Promise<void>;
}

export async function offerCassandra(jars: string): Promise<LazyCassandra> {
  let started: Promise<CassandraCluster> | undefined;
  const server = createServer((_, response) => {
    void (started ??= startCassandra(jars)).then(
      (cluster) => response.end(JSON.stringify(nodeOf(cluster))),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  const port = await freePort();
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${port}/`,
    async close() {
      server.close();
      await (await started?.catch(() => undefined))?.close();
    },
  };
}

const nodeOf = ({ port, folders, nodetoolCommand }: CassandraCluster): SharedNode => ({
  port,
  data: join(folders[0]!, 'data'),
  nodetool: nodetoolCommand(0),
});

export async function sharedNode(): Promise<SharedNode> {
  const answer = await fetch(inject('cassandraUrl'));
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as SharedNode;
}

/** The address of a keyspace that does not exist yet, in the node of the run. */
export async function newKeyspace(name = `t${randomBytes(8).toString('hex')}`): Promise<string> {
  const { port } = await sharedNode();
  return `cassandra://127.0.0.1:${port}/${name}?dc=datacenter1&replication=1`;
}
