import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@helioport/sdk';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { findDemo, saveDemo } from '../../packages/server/src/interfaces/cli/demo/demo-file.ts';
import { runDemo } from '../../packages/server/src/interfaces/cli/demo/demo-run.ts';
import { createSqliteDatabase, type TestDatabase } from '../support/engines.ts';
import { startServer, type RunningServer } from './running-server.ts';

describe('the demo’s collectors', () => {
  let database: TestDatabase;
  let server: RunningServer;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'helioport-demo-'));
    database = await createSqliteDatabase();
    server = await startServer(database, { HELIOPORT_RATE_LIMIT: 'off' });
    saveDemo({ dataDir: folder }, server.demo);
  });
  afterAll(async () => {
    await server.stop();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const countSamples = async (): Promise<number> =>
    Number(
      (
        await database.db
          .selectFrom('sample')
          .select((eb) => eb.fn.countAll().as('n'))
          .executeTakeFirstOrThrow()
      ).n,
    );

  /** Runs until the history is there, and `answered` has resolved. */
  async function run(answered?: Promise<unknown>): Promise<void> {
    const stop = new AbortController();
    const noted = new EventTarget();
    const history = once(noted, 'note');
    const credentials = findDemo({ dataDir: folder })!;
    const note = (text: string): void =>
      void noted.dispatchEvent(new CustomEvent('note', { detail: text }));
    const running = runDemo({
      config: { dataDir: folder },
      ...server,
      credentials,
      signal: stop.signal,
      note,
    });
    const [event] = (await history) as [CustomEvent<string>];
    await answered;
    stop.abort();
    await running;
    expect(event.detail).toContain('the plants’ history is complete');
  }

  test('report thirty days through the gateway while signed calls are answered', async () => {
    const client = createClient({ baseUrl: server.baseUrl, ...server.demo, retries: 0 });
    const { sn } = server.demo.plants[0]!.specification.inverters[0]!;
    await client.call('command/send', { sn, cid: '157', value: '25' });
    // Of those whose collectors use MQTT; the others use HTTP.
    const overMqtt = server.demo.plants.flatMap(({ mqtt }) => mqtt?.collectorId ?? []);
    expect(overMqtt).toHaveLength(2);
    const connected = async () =>
      (
        await database.db
          .selectFrom('collectorConnection')
          .select('collectorId')
          .orderBy('collectorId')
          .execute()
      ).map((row) => row.collectorId);
    const allConnected = async (): Promise<void> => {
      await expect.poll(connected).toEqual(overMqtt.toSorted());
    };
    const running = run(allConnected());
    expect(await client.call('userStationList')).toMatchObject({ page: { total: 4 } });
    await running;
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    expect((await client.call('inverterDay', { sn, time: yesterday })).length).toBeGreaterThan(280);
    expect(await countSamples()).toBeGreaterThan(30 * 288 * 9);
  }, 120_000);

  test('keep what was set on their inverters for the next start', async () => {
    const { sn } = server.demo.plants[0]!.specification.inverters[0]!;
    const settings = findDemo({ dataDir: folder })!.settings!;
    // One inverter of the demo begins with a limit.
    expect(settings.filter((setting) => setting.sn === sn)).toEqual([
      { sn, at: expect.any(Number), parameter: '157', value: '25' },
    ]);
    const client = createClient({ baseUrl: server.baseUrl, ...server.demo, retries: 0 });
    // Over MQTT, its collector is offline until it has connected.
    const answered = vi.waitFor(() => client.call('atRead', { inverterSn: sn, cid: '157' }), {
      timeout: 90_000,
      interval: 100,
    });
    await run(answered);
    expect(await answered).toMatchObject({ msg: '25' });
  });

  test('go on after a restart where they stopped, with nothing twice', async () => {
    const before = await countSamples();
    const { reportedUntilAt } = findDemo({ dataDir: folder })!;
    expect(reportedUntilAt).toBeGreaterThan(server.demo.startAt + 30 * 86_400_000 - 1);
    saveDemo(
      { dataDir: folder },
      { ...server.demo, reportedUntilAt: reportedUntilAt! - 3_600_000 },
    );
    await run();
    expect(await countSamples()).toBeLessThanOrEqual(before + 9 * 2);
  });
});
