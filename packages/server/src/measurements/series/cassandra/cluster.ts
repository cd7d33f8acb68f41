import { Client, policies, types, type Host } from 'cassandra-driver';
import { readNamedFile } from '../../../platform/kernel/files/read-file.ts';
import type { ClusterAddress } from '../../../platform/config/cluster-address.ts';
import { eachOf } from '../../../platform/kernel/each-of.ts';
import { connectFault, requestFault } from './faults.ts';

/** A statement that may be repeated: each has its own timestamp. */
export interface Statement {
  readonly query: string;
  readonly params: readonly unknown[];
  /** Of statements in a row that name the same one, a node makes one write. */
  readonly partition?: number;
}

export type Row = types.Row;

/** Learns of each request: how long it took, and whether it failed. */
export type Observe = (kind: 'read' | 'write', seconds: number, failed: boolean) => void;

/** Connections to a cluster. */
export interface Cluster {
  readonly address: ClusterAddress;
  /** @throws SeriesFault */
  connect(): Promise<void>;
  /** All rows of a SELECT. */
  read(query: string, params: readonly unknown[]): Promise<Row[]>;
  /** At most `limit` first rows of a SELECT. */
  readSome(query: string, params: readonly unknown[], limit: number): Promise<Row[]>;
  /** The few rows of a SELECT in one piece: nodes refuse to divide what they have ordered over several partitions. */
  readFew(query: string, params: readonly unknown[]): Promise<Row[]>;
  /** Resolves when all are durable; if it rejects, any of them may be. */
  write(statements: readonly Statement[]): Promise<void>;
  /** A statement of the schema. */
  define(query: string): Promise<void>;
  /** Asks one node. */
  ask(host: Host, query: string): Promise<Row[]>;
  hosts(): readonly Host[];
  close(): Promise<void>;
}

/** A node that has not answered after this time is not waited for: another is asked as well. */
const SPECULATE_AFTER_MS = 400;
const SPECULATIONS = 2;
const READ_TIMEOUT_MS = 5_000;
const CONNECT_TIMEOUT_MS = 5_000;
const RECONNECT_MS = 1_000;
/** Requests in progress for one call. */
const AT_ONCE = 64;
/** A batch of several partitions puts work on one node that others could share. */
const BATCH_AT_MOST = 20;
const PARTITION_BATCH_AT_MOST = 100;
/** From 50 KiB on, nodes refuse such batches. */
const BATCH_BYTES = 32 * 1024;
const PAGE_ROWS = 5_000;

export function createCluster(address: ClusterAddress, observe: Observe = () => {}): Cluster {
  let client: Client | undefined;
  const consistency =
    address.consistency === 'quorum' ? types.consistencies.quorum : types.consistencies.localQuorum;

  const open = (): Client => (client ??= new Client(clientOptions(address, consistency)));

  /** All requests go through here. @throws SeriesAway if too little of the cluster answers */
  async function request<T>(body: (client: Client) => Promise<T>): Promise<T> {
    try {
      return await body(open());
    } catch (error) {
      throw requestFault(error);
    }
  }

  async function observed<T>(
    kind: 'read' | 'write',
    body: (client: Client) => Promise<T>,
  ): Promise<T> {
    const since = performance.now();
    let failed = true;
    try {
      const value = await request(body);
      failed = false;
      return value;
    } finally {
      observe(kind, (performance.now() - since) / 1000, failed);
    }
  }

  return {
    address,
    async connect() {
      try {
        await open().connect();
      } catch (error) {
        await client?.shutdown().catch(() => {});
        client = undefined;
        throw connectFault(error, address);
      }
    },
    async read(query, params) {
      const rows: Row[] = [];
      let pageState: string | undefined;
      do {
        const page = await observed('read', (at) =>
          at.execute(query, [...params], {
            prepare: true,
            fetchSize: PAGE_ROWS,
            ...(pageState !== undefined && { pageState }),
          }),
        );
        for (const row of page.rows) rows.push(row);
        pageState = page.pageState ?? undefined;
      } while (pageState !== undefined);
      return rows;
    },
    async readSome(query, params, limit) {
      return (
        await observed('read', (at) =>
          at.execute(query, [...params, limit], { prepare: true, fetchSize: limit }),
        )
      ).rows;
    },
    async readFew(query, params) {
      return (
        await observed('read', (at) =>
          at.execute(query, [...params], { prepare: true, fetchSize: 0 }),
        )
      ).rows;
    },
    async write(statements) {
      await eachOf(batches(statements), AT_ONCE, async (batch) => {
        const [first] = batch;
        await observed('write', (at) =>
          batch.length === 1
            ? at.execute(first!.query, [...first!.params], { prepare: true })
            : at.batch(
                batch.map(({ query, params }) => ({ query, params: [...params] })),
                { prepare: true, logged: false },
              ),
        );
      });
    },
    define: async (query) =>
      void (await request((at) =>
        at.execute(query, [], { readTimeout: 30_000, isIdempotent: true }),
      )),
    ask: async (host, query) =>
      (await request((at) => at.execute(query, [], { host, consistency: types.consistencies.one })))
        .rows,
    hosts: () => client?.hosts.values() ?? [],
    async close() {
      const closing = client;
      client = undefined;
      await closing?.shutdown();
    },
  };
}

const clientOptions = (
  { hosts, port, user, dataCenter, tls, caFile }: ClusterAddress,
  consistency: types.consistencies,
) => ({
  contactPoints: hosts.map((host) => `${host}:${port}`),
  localDataCenter: dataCenter,
  protocolOptions: { port },
  ...(user && { credentials: { username: user.name, password: user.password } }),
  ...(tls !== 'off' && {
    sslOptions: {
      // The driver would otherwise trust anybody.
      rejectUnauthorized: true,
      ...(caFile !== undefined && { ca: [readNamedFile(caFile)] }),
      ...(tls === 'chain' && { checkServerIdentity: () => undefined }),
    },
  }),
  // All statements have timestamps of ours, so that they may be repeated.
  queryOptions: { consistency, isIdempotent: true },
  policies: {
    speculativeExecution: new policies.speculativeExecution.ConstantSpeculativeExecutionPolicy(
      SPECULATE_AFTER_MS,
      SPECULATIONS,
    ),
    reconnection: new policies.reconnection.ConstantReconnectionPolicy(RECONNECT_MS),
  },
  socketOptions: { readTimeout: READ_TIMEOUT_MS, connectTimeout: CONNECT_TIMEOUT_MS },
  isMetadataSyncEnabled: true,
});

function batches(statements: readonly Statement[]): Statement[][] {
  const all: Statement[][] = [];
  let bytes = 0;
  for (const statement of statements) {
    const own = statement.params.reduce<number>(
      (sum, param) => sum + (Buffer.isBuffer(param) ? param.length : 8),
      0,
    );
    const last = all.at(-1);
    const atMost = statement.partition === undefined ? BATCH_AT_MOST : PARTITION_BATCH_AT_MOST;
    if (
      last &&
      last[0]!.partition === statement.partition &&
      last.length < atMost &&
      bytes + own <= BATCH_BYTES
    ) {
      last.push(statement);
      bytes += own;
    } else {
      all.push([statement]);
      bytes = own;
    }
  }
  return all;
}
