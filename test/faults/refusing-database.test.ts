import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createIngest } from '../../packages/server/src/measurements/ingest/ingest.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import { isStorageAway } from '../../packages/server/src/platform/storage/away.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import { openStorage } from '../../packages/server/src/platform/storage/open.ts';
import {
  SERVING_LIMITS,
  type TimeLimits,
} from '../../packages/server/src/platform/storage/postgres/watched-pool.ts';
import { openGateway } from '../gateway/gateway-fixture.ts';
import {
  createPostgresDatabase,
  createSqliteDatabase,
  type TestDatabase,
} from '../support/engines.ts';
import { settableClock } from '../support/world.ts';
import { createReportingWorld, type Installation } from '../telemetry/installation.ts';

const cluster = inject('postgresUrl');
const clock = settableClock('2026-06-15T12:00:00Z');

/** What a collector is answered: status and Retry-After. */
async function report(
  db: Db,
  { sn, token }: Installation,
  at = Date.parse('2026-06-01T00:00:00Z'),
): Promise<string> {
  const { server } = await openGateway(
    db,
    createIngest({ db, clock, series: createSqlSeries(db) }),
    clock,
  );
  const answer = await server.inject({
    method: 'POST',
    url: '/v1/readings',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    payload: JSON.stringify({ readings: [{ sn, at, values: { acPowerW: 1 } }] }),
  });
  await server.close();
  return `${answer.statusCode} ${String(answer.headers['retry-after'])}`;
}

describe('an embedded database that refuses', () => {
  let database: TestDatabase;
  const world = createReportingWorld(() => database);
  beforeAll(async () => {
    database = await createSqliteDatabase();
  });
  afterAll(() => database.drop());

  test('writes, being read-only, answers 503 with Retry-After, and takes them when it may be written', async () => {
    const device = await world.install();
    await sql.raw('pragma query_only = on').execute(database.db);
    expect(await report(database.db, device)).toBe('503 5');
    await sql.raw('pragma query_only = off').execute(database.db);
    expect(await report(database.db, device)).toBe('200 undefined');
  });
});

describe.skipIf(cluster === '')('a PostgreSQL that refuses', () => {
  let database: TestDatabase;
  const world = createReportingWorld(() => database);
  beforeAll(async () => {
    database = await createPostgresDatabase();
  });
  afterAll(() => database.drop());

  const reportThrough = async (
    device: Installation,
    limits: Partial<TimeLimits>,
    query = '',
  ): Promise<string> => {
    const storage = openStorage(database.address + query, { ...SERVING_LIMITS, ...limits });
    try {
      return await report(storage.db, device);
    } finally {
      await storage.close();
    }
  };

  test('writes, being read-only (25006), answers 503 with Retry-After', async () => {
    const device = await world.install();
    expect(
      await reportThrough(device, {}, '?options=-c%20default_transaction_read_only%3Don'),
    ).toBe('503 5');
    expect(await reportThrough(device, {})).toBe('200 undefined');
  });

  test.each([
    [
      'gives no lock in time (55P03)',
      { lockMs: 100, statementMs: 600_000, transactionMs: 600_000 },
    ],
    ['ends a statement that takes too long (57014)', { statementMs: 100 }],
  ])('or %s answers 503 with Retry-After', async (_, limits) => {
    const device = await world.install();
    await database.db.transaction().execute(async (trx) => {
      await sql`lock table device in access exclusive mode`.execute(trx);
      expect(await reportThrough(device, limits)).toBe('503 5');
    });
    expect(await reportThrough(device, limits)).toBe('200 undefined');
  });

  test('has the time limit that its address names', async () => {
    const device = await world.install();
    await database.db.transaction().execute(async (trx) => {
      await sql`lock table device in access exclusive mode`.execute(trx);
      expect(await reportThrough(device, {}, '?statement_timeout=100')).toBe('503 5');
    });
    // More of it, too: our own limit follows.
    const storage = openStorage(`${database.address}?statement_timeout=20000`, {
      ...SERVING_LIMITS,
      statementMs: 100,
    });
    await sql`select pg_sleep(1.5)`.execute(storage.db);
    await storage.close();
  });

  test.each([
    ['by its client, as it takes too long', { transactionMs: 300, idleInTransactionMs: 60_000 }],
    [
      'by the server, as its client says nothing more',
      { idleInTransactionMs: 300, transactionMs: 600_000 },
    ],
  ])(
    'a transaction that stands still is ended %s, and what it locked is free',
    async (_, limits) => {
      const storage = openStorage(database.address, { ...SERVING_LIMITS, ...limits });
      const standing = storage.db.transaction().execute(async (trx) => {
        await sql`lock table device in access exclusive mode`.execute(trx);
        // On another connection, which waits as long as the lock is held.
        await database.db.selectFrom('device').select('id').limit(1).execute();
        await trx.selectFrom('device').select('id').execute();
      });
      expect(isStorageAway(await standing.catch((error: unknown) => error))).toBe(true);
      expect(storage.load()).toEqual({ busy: 0, idle: 0, waiting: 0 });
      expect(await report(storage.db, await world.install())).toBe('200 undefined');
      await storage.close();
    },
  );
});
