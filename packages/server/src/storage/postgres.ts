import pg from 'pg';
import { type CompiledQuery, type Dialect, PostgresAdapter, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import { setDirectRead } from './direct-read.ts';

export interface PostgresOptions {
  url: string;
  /** Connections at most; default 10. */
  poolSize?: number;
}

type TypeId = Parameters<typeof pg.types.getTypeParser>[0];

const NAMES_AT_MOST = 300;

// Before usual clients give up: a database that is frozen instead of gone must not keep them waiting.
const READ_TIMEOUT_MS = 8000;

// PostgreSQL counts on disks whose heads move unless it is told otherwise, and then reads whole tables of some ten thousand rows where
// an index leads to a few. And it plans many statements anew at each call, which takes longer than they do, and makes machine code
// of what would be answered by then; ours are made for one plan.
// `options` in the address say otherwise: ?options=-c%20random_page_cost%3D4
const PLANNING = '-c random_page_cost=1.1 -c plan_cache_mode=force_generic_plan -c jit=off';

/** Kysely's PostgreSQL dialect on a pool that prepares on the server whatever is asked more than once. */
export function createPostgresDialect(options: PostgresOptions): Dialect {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize ?? 10,
    connectionTimeoutMillis: 5000,
    options: PLANNING,
    types: {
      // bigint holds epoch milliseconds and counts here, all below 2^53; ids are text.
      getTypeParser: ((oid: TypeId, format?: 'text') => (oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format))) as never,
    },
  });
  // An idle connection that breaks must not end the process; the next query reports the fault.
  pool.on('error', () => {});
  // The same for one that breaks while a transaction holds it between two statements.
  pool.on('connect', (client) => client.on('error', () => {}));
  const preparing = new PreparingPool(pool);
  const adapter = new PostgresAdapter();
  setDirectRead(adapter, (query) => preparing.read(query));
  return Object.assign(new PostgresDialect({ pool: preparing }), { createAdapter: () => adapter });
}

class PreparingPool implements PostgresPool {
  readonly #pool: pg.Pool;
  readonly #names = new Map<string, string | undefined>();
  #named = 0;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  get options(): PostgresPool['options'] {
    return (this.#pool as unknown as { options: PostgresPool['options'] }).options;
  }

  async connect(): Promise<PostgresPoolClient> {
    const client = await this.#pool.connect();
    return {
      query: (text: unknown, values?: readonly unknown[]) =>
        typeof text === 'string' ? client.query({ name: this.#nameOf(text), text, values: values as unknown[] }) : client.query(text as never),
      release: () => client.release(),
      processID: (client as unknown as { processID: number }).processID,
    } as unknown as PostgresPoolClient;
  }

  async read<R>({ sql: text, parameters }: CompiledQuery<R>): Promise<R[]> {
    const query = { name: this.#nameOf(text), text, values: parameters as unknown[], query_timeout: READ_TIMEOUT_MS };
    return (await this.#pool.query(query)).rows as R[];
  }

  end(): Promise<void> {
    return this.#pool.end();
  }

  // The second time a text is seen it gets a name; texts that vary never do.
  #nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    const seen = this.#names.has(text);
    if (seen) {
      const name = `h${++this.#named}`;
      this.#names.set(text, name);
      return name;
    }
    if (this.#names.size < NAMES_AT_MOST) this.#names.set(text, undefined);
    return undefined;
  }
}
