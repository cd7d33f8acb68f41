import { dirname } from 'node:path';
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSqliteDatabase, type TestDatabase } from '../support/engines.ts';
import { holdLock } from './lock-holder.ts';
import { serve, type ServerProcess } from '../support/server-process.ts';
import { createReportingWorld } from '../telemetry/installation.ts';
import { send } from './reporter.ts';

describe('another process that holds SQLite’s write lock', () => {
  let database: TestDatabase;
  let server: ServerProcess;
  const world = createReportingWorld(() => database);

  beforeEach(async () => {
    database = await createSqliteDatabase();
    const folder = dirname(database.address);
    server = serve(folder, {
      HELIOPORT_DATA_DIR: folder,
      HELIOPORT_COLLECTOR_RATE_LIMIT: 'off',
      HELIOPORT_MASTER_KEY: randomBytes(32).toString('base64'),
    });
  });
  afterEach(async () => {
    server.kill('SIGKILL');
    await server.ended;
    await database.drop();
  });

  test('stops nobody else: health is answered, what waits too long is 503 with Retry-After, and all is as before when the lock is free', async () => {
    const device = await world.install();
    const { gateway, ops } = await server.started;
    const { release } = await holdLock(database.address);
    const writes = Promise.all(Array.from({ length: 150 }, (_, n) => send(gateway!, device, n)));
    const begunAt = performance.now();
    let slowestMs = 0;
    const state = { answered: false };
    void writes.then(() => (state.answered = true));
    while (!state.answered) {
      const askedAt = performance.now();
      for (const address of [gateway!, ops!])
        expect((await fetch(`${address}/healthz`)).status).toBe(200);
      slowestMs = Math.max(slowestMs, performance.now() - askedAt);
    }
    expect((await writes).map(({ status, retryAfter }) => `${status} ${retryAfter}`)).toEqual(
      Array.from({ length: 150 }, () => '503 5'),
    );
    // One time to wait, however many wait: one after another, they would take minutes.
    expect(performance.now() - begunAt).toBeLessThan(60_000);
    expect(slowestMs).toBeLessThan(4_000);
    // The write that decides readiness waits as long for the lock as others do.
    await expect.poll(async () => (await fetch(`${ops}/readyz`)).status).toBe(503);

    await release();
    const releasedAt = performance.now();
    await expect.poll(async () => (await send(gateway!, device, 0)).status).toBe(200);
    await expect.poll(async () => (await fetch(`${ops}/readyz`)).status).toBe(200);
    console.log(
      `held lock: back ${Math.round(performance.now() - releasedAt)} ms after it was free; slowest health ${Math.round(slowestMs)} ms meanwhile`,
    );
  });

  test('for a short while delays a write and fails none', async () => {
    const device = await world.install();
    const { gateway } = await server.started;
    const { release } = await holdLock(database.address);
    const writes = Array.from({ length: 5 }, (_, n) => send(gateway!, device, n));
    expect((await fetch(`${gateway}/healthz`)).status).toBe(200);
    await release();
    expect((await Promise.all(writes)).map(({ status }) => status)).toEqual([
      200, 200, 200, 200, 200,
    ]);
  });
});
