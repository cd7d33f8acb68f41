import pg from 'pg';
import {
  type CompiledQuery,
  type Dialect,
  PostgresAdapter,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
} from 'kysely';
import { setShortcut } from '../direct-run.ts';
import { RolledBack } from '../transactions/rolled-back.ts';
import {
  createWatchedPool,
  type PoolLoad,
  type TimeLimits,
  type WatchedPool,
} from './watched-pool.ts';

export interface PostgresOptions {
  url: string;
  /** Maximum number of connections; default 10. */
  poolSize?: number;
  /** How long statements and transactions may take. Without this there is no limit, for commands that a person waits for and can abort. */
  limits?: TimeLimits;
}

type TypeId = Parameters<typeof pg.types.getTypeParser>[0];

const NAMES_AT_MOST = 300;

// By default, PostgreSQL assumes spinning disks, and then reads whole tables of some ten thousand rows where an index leads to a few. It also plans
// many statements again at each call, although ours are written for a single plan and planning takes longer than executing them. And it compiles some
// statements that would take less time to execute. `options` in the address take precedence: ?options=-c%20random_page_cost%3D4
const PLANNING = '-c random_page_cost=1.1 -c plan_cache_mode=force_generic_plan -c jit=off';

/** Kysely's PostgreSQL dialect on a pool that prepares on the server every statement that occurs more than once. */
export function createPostgresDialect({
  url,
  poolSize = 10,
  limits,
}: PostgresOptions): Dialect & { load(): PoolLoad } {
  const pool = createWatchedPool(
    {
      connectionString: url,
      max: poolSize,
      connectionTimeoutMillis: 5000,
      options: PLANNING,
      types: {
        // bigint holds epoch milliseconds and counts here, all below 2^53; ids are text.
        getTypeParser: ((oid: TypeId, format?: 'text') =>
          oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)) as never,
      },
    },
    limits && limitsOf(url, limits),
  );
  const preparing = new PreparingPool(pool);
  const adapter = new PostgresAdapter();
  setShortcut(adapter, { run: (query) => preparing.run(query), takes: 'everything' });
  return Object.assign(new PostgresDialect({ pool: preparing }), {
    createAdapter: () => adapter,
    load: () => pool.load(),
  });
}

/** A statement timeout in the address takes precedence, as in `?statement_timeout=20000`, and raises our limit for transactions if necessary. */
function limitsOf(url: string, limits: TimeLimits): TimeLimits {
  const statementMs = Number(new URL(url).searchParams.get('statement_timeout'));
  return statementMs > 0
    ? { ...limits, statementMs, transactionMs: Math.max(limits.transactionMs, 3 * statementMs) }
    : limits;
}

class PreparingPool implements PostgresPool {
  readonly #pool: WatchedPool;
  readonly #names = new Map<string, string>();
  readonly #seenOnce = new Set<string>();

  constructor(pool: WatchedPool) {
    this.#pool = pool;
  }

  get options(): PostgresPool['options'] {
    return this.#pool.options as PostgresPool['options'];
  }

  async connect(): Promise<PostgresPoolClient> {
    const connection = await this.#pool.take();
    let rolledBack = false;
    return {
      query: (text: unknown, values?: readonly unknown[]) => {
        // kysely learns of a rollback only when it is answered. Statements that it
        // lets through until then would be carried out outside of the transaction.
        if (rolledBack) throw new RolledBack();
        rolledBack = text === 'rollback';
        return connection.query(
          typeof text === 'string'
            ? { name: this.#nameOf(text), text, values: values as unknown[] }
            : (text as never),
        );
      },
      release: () => connection.release(),
      processID: connection.processId,
    } as unknown as PostgresPoolClient;
  }

  async run<R>({ sql: text, parameters }: CompiledQuery<R>): Promise<R[]> {
    const connection = await this.#pool.take();
    try {
      return (
        await connection.query({ name: this.#nameOf(text), text, values: parameters as unknown[] })
      ).rows as R[];
    } finally {
      connection.release();
    }
  }

  end(): Promise<void> {
    return this.#pool.end();
  }

  // The server keeps a statement prepared under its name. A text gets a name when it occurs for the second time, so texts that vary never get one,
  // and however many of them there are, they take no name from others.
  #nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    if (this.#seenOnce.delete(text) && this.#names.size < NAMES_AT_MOST) {
      const name = `h${this.#names.size + 1}`;
      this.#names.set(text, name);
      return name;
    }
    this.#seenOnce.add(text);
    if (this.#seenOnce.size > NAMES_AT_MOST)
      this.#seenOnce.delete(this.#seenOnce.values().next().value!);
    return undefined;
  }
}
