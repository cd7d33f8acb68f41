import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeEngines } from '../support/engines.ts';
import { helioport } from './command-line.ts';
import { startServer, type RunningServer } from './running-server.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/signing.md'), 'utf8');
const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, text]) => text!,
  );
const run = promisify(execFile);

const versionOf = { curl: '--version', openssl: 'version', python3: '--version' };

function isInstalled(command: keyof typeof versionOf): boolean {
  try {
    execFileSync(command, [versionOf[command]], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const hasCurl = isInstalled('curl') && isInstalled('openssl');
const hasPython = isInstalled('python3');
if (!hasCurl)
  console.log('skipped: the documented curl commands (curl and openssl are not installed)');
if (!hasPython) console.log('skipped: the Python client (python3 is not installed)');

describeEngines('the page on signing', (database) => {
  let server: RunningServer;
  let environment: Record<string, string>;
  beforeAll(async () => {
    server = await startServer(database());
    environment = {
      PATH: process.env['PATH'] ?? '',
      BASE_URL: server.baseUrl,
      KEY_ID: server.demo.keyId,
      KEY_SECRET: server.demo.keySecret,
    };
  });
  afterAll(() => server.stop());

  const names = [
    'House in Berlin',
    'Farm in Colorado',
    'Tea house in Kathmandu',
    'House in Sydney',
  ];

  describe.skipIf(!hasCurl)('has curl and openssl commands that', () => {
    const [assignments = '', commands = ''] = blocks('sh');
    const curl = async (
      variables: Record<string, string>,
    ): Promise<{
      code: string;
      data: { page: { records: { stationName: string }[] } } & { stringToSign?: string };
    }> => {
      const { stdout } = await run('sh', ['-c', commands], {
        env: { ...environment, ...variables },
      });
      return JSON.parse(stdout) as never;
    };

    test('work to the letter', async () => {
      expect([...assignments.matchAll(/^(\w+)=/gm)].map(([, name]) => name)).toEqual([
        'BASE_URL',
        'KEY_ID',
        'KEY_SECRET',
        'API_PATH',
        'BODY',
      ]);
      const chosen = Object.fromEntries(
        [...assignments.matchAll(/^(API_PATH|BODY)='(.*)'$/gm)].map(([, name, value]) => [
          name,
          value!,
        ]),
      );
      const { code, data } = await curl(chosen);
      expect([code, data.page.records.map(({ stationName }) => stationName)]).toEqual(['0', names]);
    });

    test('sign any body and either path', async () => {
      const body = JSON.stringify({
        sn: server.demo.plants[0]!.specification.inverters[0]!.sn,
        remark: 'größer: "ja" 100 %',
      });
      expect(await curl({ API_PATH: '/v2/api/inverterDetail', BODY: body })).toMatchObject({
        code: '0',
        data: { stationName: 'House in Berlin' },
      });
    });

    test('are refused with another secret', async () => {
      expect(
        await curl({ API_PATH: '/v1/api/userStationList', BODY: '{}', KEY_SECRET: 'wrong' }),
      ).toMatchObject({
        code: '403',
        data: { stringToSign: expect.stringMatching(/^POST\n/) },
      });
    });
  });

  describe.skipIf(!hasCurl)('names helioport sign, which', () => {
    test('prints a curl command that works as it is', async () => {
      const { keyId, keySecret } = server.demo;
      const body = '{"sn":"it’s nobody\'s"}';
      const args = [
        'sign',
        'inverterDetail',
        body,
        '--url',
        server.baseUrl,
        '--key-id',
        keyId,
        '--key-secret',
        keySecret,
        '--json',
      ];
      const { curl } = (await helioport(args)).json() as { curl: string };
      const { stdout } = await run('sh', ['-c', curl]);
      expect(JSON.parse(stdout)).toMatchObject({ code: 'R0000' });
    });
  });

  describe('is not needed with helioport call, which', () => {
    test('signs by itself', async () => {
      const { keyId, keySecret } = server.demo;
      const { exitCode, stdout } = await helioport(
        ['call', 'userStationList', '--url', server.baseUrl],
        {
          HELIOPORT_KEY_ID: keyId,
          HELIOPORT_KEY_SECRET: keySecret,
        },
      );
      expect([exitCode, stdout]).toEqual([0, expect.stringContaining('Tea house in Kathmandu')]);
    });
  });

  describe.skipIf(!hasPython)('has a program in Python that', () => {
    test('works to the letter with the standard library alone', async () => {
      const { stdout } = await run('python3', ['-I', '-c', blocks('python')[0]!], {
        env: environment,
      });
      expect(
        stdout
          .trim()
          .split('\n')
          .map((line) => line.replace(/^\d{19} /, '')),
      ).toEqual(names);
    });
  });

  describe('has a program in TypeScript that', () => {
    test('works to the letter', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'helioport-docs-'));
      try {
        symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');
        writeFileSync(join(folder, 'program.mts'), blocks('ts')[0]!);
        const { stdout } = await run(process.execPath, [join(folder, 'program.mts')], {
          env: environment,
        });
        expect(
          stdout
            .trim()
            .split('\n')
            .map((line) => line.replace(/^\d{19} /, '')),
        ).toEqual(names);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  });

  describe.skipIf(!hasPython)('a client in another language', () => {
    const python = (...args: string[]): Promise<string> =>
      run(
        'python3',
        ['-I', join(import.meta.dirname, 'helioport_client.py'), server.baseUrl, ...args],
        { env: environment },
      ).then(({ stdout }) => stdout);
    const key = (): [string, string] => [server.demo.keyId, server.demo.keySecret];

    test('lists plants and reads an inverter', async () => {
      const plants = JSON.parse(
        await python(...key(), 'userStationList', '{"pageNo": 1, "pageSize": 2}'),
      ) as {
        page: { total: number; records: { id: string; stationName: string }[] };
      };
      expect(plants.page).toMatchObject({
        total: 4,
        records: [
          { id: expect.stringMatching(/^\d{19}$/), stationName: names[0] },
          { stationName: names[1] },
        ],
      });
      const { sn } = server.demo.plants[1]!.specification.inverters[0]!;
      expect(
        JSON.parse(await python(...key(), 'inverterDetail', JSON.stringify({ sn }))),
      ).toMatchObject({
        sn,
        stationName: names[1],
        stationId: plants.page.records[1]!.id,
      });
    });

    test('learns why it is refused', async () => {
      await expect(python(key()[0], 'wrong', 'userStationList')).rejects.toMatchObject({
        stderr: expect.stringContaining('stringToSign'),
      });
      await expect(python(...key(), 'inverterDetail', '{"sn": "not mine"}')).rejects.toMatchObject({
        stderr: expect.stringContaining('R0000'),
      });
    });
  });
});

describe('the vectors of the page on signing', () => {
  test('are right', async () => {
    const { createHash, createHmac } = await import('node:crypto');
    const rows = [...page.matchAll(/^\| `(\d+)` \| `(.+)` \| `(.+)` \| `(.+)` \|$/gm)];
    expect(rows).toHaveLength(2);
    const digest = createHash('md5').update('{"pageNo":1,"pageSize":10}').digest('base64');
    expect(page).toContain(digest);
    for (const [, secret, type, date, sign] of rows) {
      const text = `POST\n${digest}\n${type}\n${date}\n/v1/api/userStationList`;
      expect(createHmac('sha1', secret!).update(text).digest('base64')).toBe(sign);
    }
  });
});
