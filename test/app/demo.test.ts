import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operationsBy } from '@helioport/contract';
import { createClient, HelioportError } from '@helioport/sdk';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { programsOf } from '../reference/programs.ts';
import { serve, type ServerProcess } from '../support/server-process.ts';

interface Demo {
  people: { email: string; password: string; role: string }[];
  keyId: string;
  keySecret: string;
  plants: { token: string }[];
  application: { clientId: string; clientSecret: string };
}

/** As much log as there can be: what must not be there is not there at any level. */
const LOUD = { HELIOPORT_LOG_LEVEL: 'debug' };

/** For what the demo does after its start, on a busy machine. */
const LONG = { timeout: 90_000, interval: 500 };

describe('serve --demo', () => {
  let folder: string;
  let server: ServerProcess;
  let addresses: Record<string, string>;
  let demo: Demo;

  const screenOf = async (process: ServerProcess): Promise<string> => {
    await vi.waitFor(() => expect(process.output()).toContain('docs/signing.md'), 90_000);
    return process.output();
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'helioport-demo-'));
    server = serve(folder, LOUD, ['--demo']);
    addresses = await server.started;
    await screenOf(server);
    demo = JSON.parse(readFileSync(join(folder, 'data', 'demo.json'), 'utf8')) as Demo;
  });
  afterAll(async () => {
    server.kill('SIGKILL');
    await server.ended;
    rmSync(folder, { recursive: true, force: true });
  });

  const client = (keySecret = demo.keySecret) =>
    createClient({ baseUrl: addresses['user-api']!, keyId: demo.keyId, keySecret, retries: 0 });

  test('shows every listener, who can log in, a key pair and a call', async () => {
    const screen = await screenOf(server);
    for (const address of Object.values(addresses)) expect(screen).toContain(address);
    for (const { email, password, role } of demo.people)
      expect(screen).toMatch(new RegExp(`${role} +${email} +${password}`));
    // What scripts look for: the first 19 digits are the KeyID, the first 32 hex digits the KeySecret.
    const people = screen.split('\n').filter((line) => !line.startsWith('{'));
    expect(/(?<![0-9])[0-9]{19}(?![0-9])/.exec(people.join('\n'))![0]).toBe(demo.keyId);
    expect(/(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])/.exec(people.join('\n'))![0]).toBe(
      demo.keySecret,
    );
    expect(screen).toMatch(/^ +npx --no-install helioport call userStationList --url http/m);
  });

  test('serves the plants to the key that it shows, and to no other secret', async () => {
    const { page } = await client().call('userStationList', {});
    expect(page.total).toBeGreaterThan(2);
    await expect(client('0'.repeat(32)).call('userStationList', {})).rejects.toThrow(
      HelioportError,
    );
  });

  test('keeps its credentials for its owner alone', () => {
    for (const file of ['demo.json', 'master.key', 'helioport.db'])
      expect(statSync(join(folder, 'data', file)).mode & 0o077, file).toBe(0);
  });

  test('writes no secret into its log or its database', async () => {
    await fetch(`${addresses['gateway']}/v1/readings`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${demo.plants[0]!.token}` },
      body: 'not JSON',
    });
    server.kill('SIGTERM');
    expect(await server.ended).toEqual({ code: 0, signal: null });
    const log = server
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .join('\n');
    expect(log).toContain('"msg":"answered"');
    const files = readdirSync(join(folder, 'data')).filter((file) =>
      file.startsWith('helioport.db'),
    );
    const stored = files
      .map((file) => readFileSync(join(folder, 'data', file), 'latin1'))
      .join('\n');
    const masterKey = readFileSync(join(folder, 'data', 'master.key'), 'utf8').trim();
    const secrets = [
      demo.keySecret,
      masterKey,
      demo.application.clientSecret,
      ...demo.people.map(({ password }) => password),
      ...demo.plants.map(({ token }) => token),
    ];
    for (const secret of secrets) {
      expect(log).not.toContain(secret);
      expect(stored).not.toContain(secret);
    }
    expect(log).not.toMatch(/API \d{19}:|Bearer [A-Za-z0-9]/);
  });

  test('goes on with the same people, key and plants at the next start', async () => {
    server = serve(folder, LOUD, ['--demo']);
    addresses = await server.started;
    const screen = await screenOf(server);
    expect(screen).toContain(demo.keyId);
    expect(screen).toContain(demo.keySecret);
    const { page } = await client().call('userStationList', {});
    expect(page.total).toBe(demo.plants.length);
  });

  test('has an alarm that is open, with advice, and one that has ended', async () => {
    const alarms = async () => (await client().call('alarmList', {})).records;
    const plant = { stationName: 'Tea house in Kathmandu' };
    await vi.waitFor(async () => {
      expect(await alarms()).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            ...plant,
            alarmCode: 'H103',
            state: '0',
            advice: expect.stringContaining('string'),
          }),
          expect.objectContaining({ ...plant, alarmCode: '1015', state: '2' }),
        ]),
      );
    }, LONG);
  });

  test('has a battery that follows a strategy of an application, and the same one after a restart', async () => {
    const state = expect.stringMatching(/^(dispatching|active)$/);
    const strategies = () => client().call('strategy/list', {});
    await vi.waitFor(
      async () =>
        expect(await strategies()).toMatchObject([{ applicationName: 'Evening Shift', state }]),
      LONG,
    );
    const [strategy] = await strategies();
    expect(await client().call('strategy/detail', { id: strategy!.id! })).toMatchObject({
      targets: [{ sn: 'HS260100005', state }],
    });
  });

  test('has an application that gets events: first a snapshot of its plants; after a restart too, at the new address alone', async () => {
    const { clientId, clientSecret } = demo.application;
    const [url] = /http:\/\/127\.0\.0\.1:\d+\/(?=\n)/.exec(
      (await screenOf(server)).slice((await screenOf(server)).indexOf('what an application gets')),
    )!;
    const seen = async (): Promise<string> => (await fetch(url)).text();
    await vi.waitFor(async () => expect(await seen()).toContain('snapshot.complete'), LONG);
    expect(await seen()).toMatch(/snapshot\.device +HS260100001 .*"acPowerW"/);
    // Of the plants that its owner has chosen.
    expect(await seen()).not.toContain('HI260100004');
    const headers = {
      Authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`,
      'Content-Type': 'application/json',
    };
    const listed = await fetch(`${addresses['oauth']}/oauth/forwarding/list`, {
      method: 'POST',
      headers,
      body: '{}',
    });
    expect(((await listed.json()) as { data: unknown[] }).data).toMatchObject([
      { url: `${url}demo-events`, state: 'active' },
    ]);
    const stranger = await fetch(`${url}demo-events`, {
      method: 'POST',
      body: '{"kind":"telemetry.sample"}',
    });
    expect(stranger.status).toBe(400);
    expect(await seen()).not.toContain('undefined');
  });

  test('has a reference whose requests work as they are, with ids of the demo and figures of yesterday', async () => {
    const programs = (await programsOf(addresses['user-api']!)).filter(
      ({ language }) => language === 'curl',
    );
    const requests = new Map(
      programs.map(({ section, text }) => [
        section,
        JSON.parse(/^BODY='(.*)'$/m.exec(text)![1]!) as Record<string, string>,
      ]),
    );
    const empty: string[] = [];
    for (const { id, write } of operationsBy('signed')) {
      const request = requests.get(id.replaceAll('/', '-'))!;
      if (
        write ||
        Object.values(request).some((value) =>
          /^(AMMETER_SN|ALARM_ID|COMMAND_ID|ORDER_ID|STRATEGY_ID|EMAIL)$/.test(value),
        )
      )
        continue;
      // The collectors have only just connected again.
      const data = (await vi.waitFor(() => client().call(id, request), 90_000)) as {
        records?: unknown[];
        page?: { records: unknown[] };
      };
      const records = data.page?.records ?? data.records ?? data;
      // Worked out in the background, day by day.
      if (id === 'performance/visits')
        await expect.poll(() => client().call(id, request)).not.toEqual([]);
      else if (Array.isArray(records) && records.length === 0) empty.push(id);
    }
    // The demo has no ammeter, no invitation and no unbound device, and its collectors do not tell how well they are received. Nobody has sent a command
    // to its first plant.
    const nothing = [
      'invitation/list',
      'ammeterList',
      'collector/day',
      'command/list',
      'command/byOthers',
      'discovery/list',
    ];
    expect(empty.filter((id) => !nothing.includes(id))).toEqual([]);
    for (const id of [
      'addDevice',
      'unbindDevice',
      'addStation',
      'delCollector',
      'addStationBindCollector',
      'stationUpdate',
      'archiveStation',
    ] as const) {
      await expect(client().call(id, requests.get(id) as never), id).resolves.toBeDefined();
    }
  });
});
