import type { Socket } from 'node:net';
import pg from 'pg';
import { withTimeout } from '../../kernel/within.ts';
import { isStorageAway, StorageAway } from '../away.ts';
import { runDescribed } from './described-query.ts';

/** How long a database may take, in milliseconds. */
export interface TimeLimits {
  /** One statement, by the server's clock. The server reports an error when it is exceeded, and the connection stays usable. */
  readonly statementMs: number;
  /** Waiting for a lock. */
  readonly lockMs: number;
  /** Between two statements of a transaction: after this, the locks of a client that has gone away are released. */
  readonly idleInTransactionMs: number;
  /** One transaction, by our own clock. */
  readonly transactionMs: number;
}

/** The limits of a server: short enough that a request fails before most clients give up, and that whatever blocks everybody else is ended. */
export const SERVING_LIMITS: TimeLimits = {
  statementMs: 5_000,
  lockMs: 3_000,
  idleInTransactionMs: 5_000,
  transactionMs: 15_000,
};

/** A live server reports within this time that a statement took too long; a server that says nothing is gone. */
const SILENCE_MS = 1_000;

/** Nothing can be asked of a database that gives no connection, for whichever reason: an expired certificate, say. */
function withoutConnection(error: unknown): never {
  if (isStorageAway(error)) throw error;
  throw new StorageAway(`no connection to the database: ${String(error)}`, { cause: error });
}

/** How long connections may take to close cleanly. */
const END_LIMIT_MS = 500;

/** A connection for one statement or transaction, until it is released. */
export interface WatchedConnection {
  readonly processId: number;
  /** @throws StorageAway if nothing came back in time: the connection is then closed, and its transaction rolled back */
  query(query: pg.QueryConfig): Promise<pg.QueryResult>;
  release(): void;
}

/** Connections by what they are doing, and how many callers wait for one. */
export interface PoolLoad {
  readonly busy: number;
  readonly idle: number;
  readonly waiting: number;
}

export interface WatchedPool {
  readonly options: unknown;
  take(): Promise<WatchedConnection>;
  load(): PoolLoad;
  /** Closes all connections, including those that do not answer. */
  end(): Promise<void>;
}

type Client = Omit<pg.PoolClient, 'connection'> & {
  // pg has it, but does not declare it.
  readonly connection: { readonly stream: Socket };
  readonly processID: number;
  /** When the server last answered on this connection, by performance.now(). */
  answeredAt: number;
};

const clientOf = (client: pg.PoolClient): Client => client as unknown as Client;

const end = ({ connection }: Client, reason: string): void =>
  void connection.stream.destroy(new StorageAway(reason));

/**
 * A pool that drops dead connections. TCP does not report that the other side is gone (fail-over, a forgotten NAT entry). So if nothing comes back on
 * a connection in time, it is closed, and so are all others that have been silent for as long.
 */
export function createWatchedPool(
  config: pg.PoolConfig,
  limits: TimeLimits | undefined,
): WatchedPool {
  const pool = new pg.Pool({
    ...config,
    ...(limits && {
      statement_timeout: limits.statementMs,
      lock_timeout: limits.lockMs,
      idle_in_transaction_session_timeout: limits.idleInTransactionMs,
    }),
  });
  const clients = new Set<Client>();

  // An idle connection that breaks must not end the process; the next query reports the fault.
  pool.on('error', () => {});
  pool.on('connect', (made) => {
    const client = clientOf(made);
    clients.add(client);
    // The same goes for a connection that breaks between two statements of a transaction.
    client.on('error', () => {});
    client.answeredAt = performance.now();
  });
  pool.on('remove', (client) => clients.delete(clientOf(client)));

  /**
   * Called when a connection has been silent for too long. Others that have been silent for nearly as long are dead too. They are ended here, so that
   * their users do not have to find out one by one.
   */
  function endSilent({ statementMs }: TimeLimits): void {
    const silentSince = performance.now() - statementMs;
    for (const client of clients)
      if (client.answeredAt < silentSince) end(client, 'the database does not answer');
  }

  async function take(): Promise<WatchedConnection> {
    const client = clientOf(await pool.connect().catch(withoutConnection));
    const whole =
      limits &&
      setTimeout(() => end(client, 'the transaction took too long'), limits.transactionMs);
    return {
      processId: client.processID,
      async query(query) {
        let read: NodeJS.Immediate | undefined;
        // If this process itself was busy for that long, it must first read what has arrived meanwhile.
        const silent =
          limits &&
          setTimeout(
            () => (read = setImmediate(endSilent, limits)),
            limits.statementMs + SILENCE_MS,
          );
        try {
          return await runDescribed(client, query);
        } finally {
          clearTimeout(silent);
          clearImmediate(read);
          client.answeredAt = performance.now();
        }
      },
      release() {
        clearTimeout(whole);
        // The pool drops the connection if it is broken.
        client.release();
      },
    };
  }

  return {
    options: (pool as unknown as { options: unknown }).options,
    take,
    load: () => ({
      busy: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    async end() {
      const ended = pool.end();
      await withTimeout(END_LIMIT_MS, ended);
      for (const { connection } of clients) connection.stream.destroy();
      await ended;
    },
  };
}
