import { sql } from 'kysely';
import { connectAsync } from 'mqtt';
import { afterEach, expect, test } from 'vitest';
import { addCollector } from '../../packages/server/src/fleet/collectors/collectors.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import { migrate } from '../../packages/server/src/platform/storage/migrate.ts';
import { refuseWhileServed } from '../../packages/server/src/platform/storage/checks/refuse-while-served.ts';
import { createTrialWrites } from '../../packages/server/src/platform/storage/checks/trial-write.ts';
import { describeEngines } from '../support/engines.ts';
import { startApp, type RunningApp } from '../support/running-app.ts';
import { createWorld, settableClock } from '../support/world.ts';

/** What the client library says of a connection that ended before it was answered. */
const CLOSED = "Couldn't connect to server";
const TEXT = 'this server is older than its database';

const applied = (db: Db, name: string) =>
  sql`insert into schema_migration (id, name, checksum, applied_at) values (9999, ${name}, 'x', 0)`.execute(
    db,
  );

describeEngines('an instance beside a newer database', (database) => {
  let app: RunningApp | undefined;
  afterEach(async () => {
    await app?.stop();
    app = undefined;
    await sql`delete from schema_migration where id = 9999`.execute(database().db);
  });

  const report = (token: string): Promise<Response> =>
    fetch(`${app!.addresses.gateway}/v1/readings`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: '{"readings":[]}',
    });

  test('answers 503 everywhere and never that a collector is unknown', async () => {
    app = await startApp(database(), {
      HELIOPORT_ROLES: 'user-api,oauth,portal,gateway,worker',
      HELIOPORT_MQTT_PORT: '0',
    });
    const { addresses } = app;
    const unknown = await report('unknown-token');
    expect(unknown.status).toBe(401);
    await unknown.text();

    await applied(database().db, '9999-other-words.sql');
    // At once: nobody has looked since.
    const answers = await Promise.all(Array.from({ length: 12 }, () => report('unknown-token')));
    for (const answer of answers) {
      expect(answer.status).toBe(503);
      expect(answer.headers.get('retry-after')).toBe('30');
      expect(answer.headers.get('www-authenticate')).toBeNull();
      expect(await answer.json()).toMatchObject({
        success: false,
        msg: expect.stringContaining(TEXT),
      });
    }

    const token = await fetch(`${addresses.oauth}/oauth/token`, { method: 'POST' });
    expect(token.status).toBe(503);
    expect(await token.json()).toMatchObject({ error: 'temporarily_unavailable' });

    for (const name of ['user-api', 'oauth', 'portal', 'gateway'] as const)
      for (const path of ['/', '/nothing-here', '/oauth/authorize', '/v1/commands']) {
        const answer = await fetch(addresses[name] + path, { redirect: 'manual' });
        expect([name, path, answer.status]).toEqual([name, path, 503]);
        // The OAuth endpoints have a code for it. RFC 6749 4.1.2.1
        const text = name === 'oauth' && path !== '/' ? /temporarily_unavailable|older than/ : TEXT;
        expect(await answer.text()).toMatch(text);
      }
    for (const name of ['user-api', 'oauth', 'portal', 'gateway', 'ops'] as const) {
      expect((await fetch(`${addresses[name]}/readyz`)).status).toBe(503);
      expect((await fetch(`${addresses[name]}/healthz`)).status).toBe(200);
    }
    const detail = await (await fetch(`${addresses.ops}/readyz`)).text();
    expect(detail).toContain('not ready\n');
    expect(detail).toContain(TEXT);
  });

  test('lets MQTT collectors go without telling them that they may not return', async () => {
    app = await startApp(database(), { HELIOPORT_MQTT_PORT: '0' });
    const { db } = database();
    const world = createWorld(database, settableClock(Date.now()));
    const plantId = await world.plant((await world.person()).id);
    const made = await world.write((trx) =>
      addCollector(trx, world.act(), { sn: world.uniqueSn('COL'), plantId }),
    );
    const options = {
      protocolVersion: 5,
      username: made.tokenId,
      password: made.token,
      reconnectPeriod: 0,
    } as const;
    const url = app.addresses.mqtt!;
    const client = await connectAsync(url, options);
    const reasons: (number | undefined)[] = [];
    client.on('disconnect', ({ reasonCode }) => reasons.push(reasonCode));
    const ended = new Promise<void>((resolve) => client.once('close', () => resolve()));

    await applied(db, '9999-other-words.sql');
    const refusals = await Promise.all(
      Array.from({ length: 12 }, () =>
        connectAsync(url, { ...options, password: 'wrong' }, false).then(
          () => 'connected',
          (error: { code?: number | string; message: string }) => error.code ?? error.message,
        ),
      ),
    );
    // Unavailable, or no longer listening; neither bad credentials (134) nor not authorized (135).
    for (const code of refusals)
      expect([136, 'ECONNREFUSED', 'ECONNRESET', CLOSED]).toContain(code);
    await ended;
    expect(reasons).toEqual([0x8b]);
  });

  test('goes on beside migrations that older versions bear', async () => {
    app = await startApp(database());
    await applied(database().db, '9999-one-more-table.rolling.sql');
    const unknown = await report('unknown-token');
    expect(unknown.status).toBe(401);
    expect((await fetch(`${app.addresses.ops}/readyz`)).status).toBe(200);
    // Nor is a start refused.
    await migrate(database().db, database().engine, 0);
  });

  test('is not migrated away from', async () => {
    const { db } = database();
    const clock = settableClock('2100-01-01T00:00:00Z');
    const writes = createTrialWrites({ db, clock });
    await writes.start();
    writes.stop();
    const running = async (): Promise<void> => {
      clock.at += 1;
      const again = createTrialWrites({ db, clock });
      await again.start();
      again.stop();
    };
    const silent = async (): Promise<void> => {};
    // Up to date: nobody has to stop.
    await refuseWhileServed(db, { pause: running });
    const last = sql`select max(id) from schema_migration`;
    await sql`delete from schema_migration where id = (${last})`.execute(db);
    await expect(refuseWhileServed(db, { pause: running })).rejects.toThrow(
      'instances of an older version are running on it: stop them first',
    );
    await refuseWhileServed(db, { pause: silent });
    // They stop while the command waits.
    let looks = 0;
    await refuseWhileServed(db, {
      waitSeconds: 60,
      pause: async () => {
        if (looks++ < 5) await running();
      },
    });
    expect(looks).toBeGreaterThan(5);
  });
});
