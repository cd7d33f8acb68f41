import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { openLine } from '../faults/line.ts';
import { serve, type ServerProcess } from '../support/server-process.ts';

const cluster = inject('postgresUrl');

describe.skipIf(cluster === '')('instances on one PostgreSQL', () => {
  const key = Buffer.alloc(32, 5).toString('base64');
  const running: ServerProcess[] = [];
  let folder: string;
  let url: string;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'helioport-app-'));
    const name = `several_${randomBytes(6).toString('hex')}`;
    await query(cluster, `create database ${name}`);
    url = Object.assign(new URL(cluster), { pathname: `/${name}` }).href;
  });
  afterEach(async () => {
    for (const server of running.splice(0)) {
      server.kill('SIGKILL');
      await server.ended;
    }
    await query(cluster, `drop database "${new URL(url).pathname.slice(1)}" with (force)`);
    rmSync(folder, { recursive: true, force: true });
  });

  function start(masterKey = key, address = url): ServerProcess {
    const server = serve(folder, {
      HELIOPORT_DATABASE_URL: address,
      HELIOPORT_MASTER_KEY: masterKey,
    });
    running.push(server);
    return server;
  }

  async function query(address: string, text: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: address });
    await client.connect();
    const { rows } = await client.query<Record<string, unknown>>(text);
    await client.end();
    return rows;
  }

  test('three that start together bring an empty database up to date once, and all serve', async () => {
    const servers = [start(), start(), start()];
    const addresses = await Promise.all(servers.map(({ started }) => started));
    for (const { ops } of addresses) expect((await fetch(`${ops}/readyz`)).status).toBe(200);
    expect(
      servers.filter((server) => server.output().includes('database brought up to date')),
    ).toHaveLength(1);
    const applied = await query(url, 'select id from schema_migration order by id');
    expect(new Set(applied.map(({ id }) => id)).size).toBe(applied.length);
  });

  test('one with another master key does not start', async () => {
    await start().started;
    const other = start(Buffer.alloc(32, 6).toString('base64'));
    expect((await other.ended).code).toBe(1);
    expect(other.output()).toBe(
      'helioport: the master key is not the one that this database was created with\n',
    );
  });

  test('one is not ready while the database is away, and ready when it is back', async () => {
    const { ops } = await start().started;
    const ready = async (): Promise<number> => (await fetch(`${ops}/readyz`)).status;
    const name = new URL(url).pathname.slice(1);
    await query(cluster, `alter database ${name} allow_connections false`);
    await query(
      cluster,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
    );
    await expect.poll(ready).toBe(503);
    await query(cluster, `alter database ${name} allow_connections true`);
    await expect.poll(ready).toBe(200);
  });

  test('one whose database stands still is not ready, and stops all the same', async () => {
    const line = await openLine(url);
    const server = start(key, line.url);
    const { ops } = await server.started;
    const ready = async (): Promise<number> => (await fetch(`${ops}/readyz`)).status;
    expect(await ready()).toBe(200);
    line.freeze();
    expect(await ready()).toBe(503);
    server.kill('SIGTERM');
    expect(await server.ended).toEqual({ code: 0, signal: null });
    line.close();
  });
});
