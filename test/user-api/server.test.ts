import { connect } from 'node:net';
import { Kysely, sql } from 'kysely';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { expect, test } from 'vitest';
import type { Tables } from '../../packages/server/src/platform/storage/database.ts';
import type { Engine } from '../../packages/server/src/platform/storage/engine.ts';
import { openStorage } from '../../packages/server/src/platform/storage/open.ts';
import { createSqliteDialect } from '../../packages/server/src/platform/storage/sqlite/sqlite.ts';
import { SERVING_LIMITS } from '../../packages/server/src/platform/storage/postgres/watched-pool.ts';
import { describeEngines } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { createWorld, settableClock } from '../support/world.ts';
import { addKey, describeUserApi, signed, startUserApi, testHandlers } from './fixture.ts';

describeUserApi('the listener', (t) => {
  const get = (target: string, method = 'GET') => t.api.send({ method, target, headers: [] });

  test('says that it lives, and whether it is ready', async () => {
    expect(await get('/healthz')).toMatchObject({ status: 200, body: 'ok\n' });
    expect(await get('/readyz')).toMatchObject({ status: 200, body: 'ready\n' });
    expect(await get('/healthz', 'POST')).toMatchObject({
      status: 405,
      headers: { allow: 'GET, HEAD' },
    });
  });

  test('answers in the envelope with its media type, whatever it answers, and tells nothing of its make (W3)', async () => {
    for (const answer of [
      await t.call(),
      await get('/nowhere'),
      await t.call({ at: 0 }),
      await t.call({ body: 'x' }),
    ]) {
      expect(answer.headers['content-type']).toBe('application/json;charset=UTF-8');
      expect(Object.keys(answer.body)).toEqual(['success', 'code', 'msg', 'data']);
      expect(answer.headers['x-powered-by'] ?? answer.headers['server']).toBeUndefined();
    }
  });
});

describeEngines('a listener whose database', (database) => {
  const clock = settableClock('2026-11-06T05:01:09Z');
  const world = createWorld(database, clock);

  test('is away says so, with a time to come again (W17)', async () => {
    const key = await addKey(world);
    const away = openStorage(`postgres://nobody@127.0.0.1:${await freePort()}/none`);
    const api = await startUserApi(away, clock, { isReady: async () => false });
    const answer = await api.send(signed({ key, at: clock.at }));
    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toBe('5');
    expect(answer.body).toMatchObject({
      success: false,
      code: '503',
      data: { retryAfterSeconds: 5 },
    });
    expect((await api.send({ method: 'GET', target: '/readyz', headers: [] })).status).toBe(503);
    expect((await api.send({ method: 'GET', target: '/healthz', headers: [] })).status).toBe(200);
    await api.close();
    await away.close();
  });

  test('breaks off or is locked answers 503 or works, never 500, and works again by itself', async () => {
    const { db, engine, address } = database();
    const key = await addKey(world);
    const impatient =
      engine === 'sqlite'
        ? new Kysely<Tables>({ dialect: createSqliteDialect({ file: address, busyTimeoutMs: 20 }) })
        : db;
    const api = await startUserApi({ db: impatient }, clock);
    const call = (name: string) =>
      api.send(
        signed({ key, at: clock.at, path: '/v1/api/rename', body: JSON.stringify({ name }) }),
      );
    const statuses: number[] = [];
    for (let i = 0; i < 10; i++) {
      const running = Array.from({ length: 5 }, (_, j) => call(`${i} ${j}`));
      await disturb(engine, address, () => Promise.allSettled(running));
      statuses.push(...(await Promise.all(running)).map(({ status }) => status));
    }
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    if (engine === 'sqlite') expect(statuses).toContain(503);
    await expect.poll(async () => (await call('back')).status).toBe(200);
    await api.close();
    if (impatient !== db) await impatient.destroy();
  });
});

describeEngines('a listener whose database does not answer', (database) => {
  const clock = settableClock('2026-11-06T05:01:09Z');
  const world = createWorld(database, clock);

  test('says so before its caller gives up', async () => {
    const { db, engine } = database();
    // The embedded engine runs in the process: there is nobody who could keep silent.
    if (engine === 'sqlite') return;
    const key = await addKey(world);
    const serving = openStorage(database().address, SERVING_LIMITS);
    const api = await startUserApi(serving, clock);
    const { promise: locked, resolve: lock } = Promise.withResolvers<void>();
    const { promise: answered, resolve: release } = Promise.withResolvers<void>();
    const holding = db.transaction().execute(async (trx) => {
      await sql`lock table account in access exclusive mode`.execute(trx);
      lock();
      await answered;
    });
    await locked;
    const answer = await api.send(signed({ key, at: clock.at }));
    release();
    await holding;
    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toBe('5');
    expect((await api.send(signed({ key, at: clock.at }))).status).toBe(200);
    await api.close();
    await serving.close();
  });
});

/** Ends all connections of PostgreSQL's, or holds SQLite's write lock until the requests are answered. */
async function disturb(
  engine: Engine,
  address: string,
  answered: () => Promise<unknown>,
): Promise<void> {
  if (engine === 'sqlite') {
    const other = new DatabaseSync(address);
    other.exec('begin immediate');
    await answered();
    return other.close();
  }
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await client.end();
}

describeUserApi('closing', (t) => {
  test('lets running requests end and takes no new connection', async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const handlers = {
      ...testHandlers(t.database().db),
      echo: async () => {
        begin();
        await released;
        return 'done';
      },
    };
    const api = await startUserApi(t.database(), t.clock, { handlers });
    const running = api.send(t.sign());
    await begun;
    const idle = connect(api.port, '127.0.0.1');
    await new Promise((resolve) => idle.once('connect', resolve));
    const ended = new Promise((resolve) => idle.once('close', resolve));
    const closing = api.close();
    await ended;
    await expect(api.send(t.sign())).rejects.toThrow(/ECONNREFUSED/);
    release();
    expect(await running).toMatchObject({
      status: 200,
      body: { data: 'done' },
      headers: { connection: 'close' },
    });
    await closing;
  });
});
