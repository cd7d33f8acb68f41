import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findDemo, saveDemo } from '../../packages/server/src/interfaces/cli/demo/demo-file.ts';
import { helioport } from './command-line.ts';
import { temporaryFolder } from './temporary-folder.ts';

const NOW = Date.parse('2026-11-06T05:01:09Z');
const KEY = ['--key-id', '1300386381676644416', '--key-secret', '6680182547'];
const DEMO = {
  people: [],
  keyId: '1300386381676644416',
  keySecret: '6680182547',
  startAt: 0,
  reportedUntilAt: null,
  plants: [],
};

interface Signed {
  url: string;
  body: string;
  headers: Record<string, string>;
  stringToSign: string;
  sign: string;
  curl: string;
}

const sign = async (...args: string[]): Promise<Signed> =>
  JSON.parse((await helioport(['sign', ...args, ...KEY, '--json'], {}, NOW)).stdout) as Signed;

describe('helioport sign', () => {
  test('explains the signature of the official document part by part', async () => {
    const { exitCode, stdout } = await helioport(
      ['sign', '/v1/api/userStationList', '{"pageNo":1,"pageSize":10}', ...KEY],
      {},
      Date.parse('2019-07-26T06:00:46Z'),
    );
    expect(exitCode).toBe(0);
    for (const part of [
      'kxdxk7rbAsrzSIWgEwhH4w==',
      'b7lDe0IYMGj/Dp2su0plYT+BbJQ=',
      'Fri, 26 Jul 2019 06:00:46 GMT',
      'POST␊\nkxdxk7rbAsrzSIWgEwhH4w==␊\n',
    ])
      expect(stdout).toContain(part);
    expect(stdout).not.toContain('6680182547');
  });

  test('gives programs every part, at a time that was asked for', async () => {
    const signed = await sign(
      'userStationList',
      '{}',
      '--url',
      'https://solar.example',
      '--at',
      '2019-07-26T06:00:46Z',
    );
    expect(signed).toMatchObject({
      url: 'https://solar.example/v1/api/userStationList',
      body: '{}',
    });
    expect(signed.headers).toMatchObject({
      'Content-MD5': 'mZFLkyvTelC5g8XnyQrpOw==',
      Date: 'Fri, 26 Jul 2019 06:00:46 GMT',
    });
    expect(signed.headers['Authorization']).toBe(`API 1300386381676644416:${signed.sign}`);
    expect(signed.curl).toMatch(
      /^curl -sS 'https:\/\/solar\.example\/v1\/api\/userStationList' -H 'Content-MD5: /,
    );
  });

  test('says that an operation does not exist: a name is refused with what comes near, a path is signed with a warning', async () => {
    const name = await helioport(['sign', 'inverterDetial', ...KEY], {}, NOW);
    expect([name.exitCode, name.stderr]).toEqual([
      2,
      expect.stringMatching(/^helioport: there is no operation "inverterDetial"; known: /),
    ]);
    const path = await helioport(['sign', '/v1/api/inverterDetial', ...KEY], {}, NOW);
    expect([path.exitCode, path.stderr]).toEqual([
      0,
      'warning: no operation has the path /v1/api/inverterDetial',
    ]);
    for (const known of ['inverter/shelfTime', '/v2/api/userStationList'])
      expect((await helioport(['sign', known, ...KEY], {}, NOW)).stderr).toBe('');
  });

  test('takes the key pair from options, else the environment, else the demo, and never mixes two', async () => {
    const folder = temporaryFolder();
    const authorization = async (
      args: string[],
      environment: Record<string, string> = {},
    ): Promise<string> => {
      const { exitCode, stdout } = await helioport(
        ['sign', 'userStationList', '--json', ...args],
        { HELIOPORT_DATA_DIR: folder, ...environment },
        NOW,
      );
      return exitCode === 0
        ? (JSON.parse(stdout) as Signed).headers['Authorization']!
        : `exit ${exitCode}`;
    };
    const environment = {
      HELIOPORT_KEY_ID: '1300386381676644416',
      HELIOPORT_KEY_SECRET: '6680182547',
    };
    const expected = await authorization(KEY);
    expect(await authorization([])).toBe('exit 2');
    expect(await authorization([], environment)).toBe(expected);
    expect(await authorization(['--key-id', '7'], environment)).toMatch(/^API 7:/);
    saveDemo({ dataDir: folder }, DEMO);
    expect(await authorization([])).toBe(expected);
    expect(await authorization(['--key-id', '7'])).toBe('exit 2');
    expect(await authorization(['--key-secret', 'another'])).toBe('exit 2');
  });
});

describe('the file of the demo', () => {
  test('can be read by its owner alone', () => {
    const folder = temporaryFolder();
    saveDemo({ dataDir: folder }, DEMO);
    expect(findDemo({ dataDir: folder })).toEqual(DEMO);
    expect(statSync(join(folder, 'demo.json')).mode & 0o777).toBe(0o600);
  });
});

describe('helioport verify', () => {
  type Change = (signed: Signed) => void;
  const capture = ({ url, headers, body }: Signed, lineEnd: string): string =>
    [
      `POST ${new URL(url).pathname}${new URL(url).search} HTTP/1.1`,
      'Host: solar.example',
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      '',
      body,
    ].join(lineEnd);

  async function verify(
    change: Change,
    {
      args = KEY,
      at = NOW,
      environment = {},
      lineEnd = '\r\n',
      rewrite = (text: string) => text,
    } = {},
  ) {
    const signed = await sign('userStationList', '{"pageNo":1, "pageSize":10}');
    change(signed);
    const file = join(temporaryFolder(), 'request.http');
    writeFileSync(file, rewrite(capture(signed, lineEnd)));
    return helioport(['verify', file, ...args, '--json'], environment, at);
  }

  interface Verdict {
    ok: boolean;
    failedCheck: string | null;
    checks: { check: string; ok: boolean; text: string }[];
  }
  const verdictOf = (stdout: string): Verdict => JSON.parse(stdout) as Verdict;

  test('finds nothing wrong with a request that the server accepts', async () => {
    const { exitCode, stdout } = await verify(() => {});
    expect(exitCode).toBe(0);
    expect(verdictOf(stdout)).toMatchObject({ ok: true, failedCheck: null });
    expect(verdictOf(stdout).checks.map(({ check }) => check)).toEqual([
      'path',
      'method',
      'media type',
      'Authorization',
      'the four headers',
      'form of Date',
      'time window',
      'signature',
      'Content-MD5',
    ]);
  });

  const header =
    (name: string, value: (before: string) => string): Change =>
    ({ headers }) =>
      void (headers[name] = value(headers[name]!));
  test.each<[string, string, Change, string]>([
    ['an unknown path', 'path', (signed) => void (signed.url = 'http://x/v1/api/nothing'), '404'],
    ['a query', 'path', (signed) => void (signed.url += '?a=1'), 'query'],
    ['a media type that is none', 'media type', header('Content-Type', () => 'text/plain'), '415'],
    ['a Bearer token', 'Authorization', header('Authorization', () => 'Bearer abc'), '401'],
    [
      'a space after the colon',
      'Authorization',
      header('Authorization', (before) => before.replace(':', ': ')),
      '401',
    ],
    [
      'a missing Content-MD5',
      'the four headers',
      ({ headers }) => void delete headers['Content-MD5'],
      'Content-MD5 is missing',
    ],
    [
      'a date that is none',
      'form of Date',
      header('Date', () => '2026-11-06T05:01:09Z'),
      'Fri, 6 Nov 2026 05:01:09 GMT',
    ],
    [
      'a signature over another path',
      'signature',
      (signed) => void (signed.url = signed.url.replace('/v1/', '/v2/')),
      '/v2/api/userStationList',
    ],
    [
      'a body that was changed on the way',
      'Content-MD5',
      (signed) => void (signed.body = '{"pageNo":2}'),
      'Z0002',
    ],
  ])('names %s', async (_, check, change, words) => {
    const { exitCode, stdout } = await verify(change);
    expect(exitCode).toBe(1);
    const verdict = verdictOf(stdout);
    expect(verdict.failedCheck).toBe(check);
    expect(verdict.checks.find((entry) => entry.check === check)!.text).toContain(words);
  });

  test('names a clock that is wrong, and how far', async () => {
    expect(verdictOf((await verify(() => {}, { at: NOW + 900_000 })).stdout).ok).toBe(true);
    const { stdout } = await verify(() => {}, { at: NOW + 901_000 });
    expect(verdictOf(stdout)).toMatchObject({ failedCheck: 'time window' });
    expect(stdout).toContain('901 s behind');
  });

  test('recognizes common mistakes by the signature that they make', async () => {
    const { createHmac } = await import('node:crypto');
    const mistaken =
      (make: (text: string) => string, secret = '6680182547'): Change =>
      (signed) => {
        const value = createHmac('sha1', secret).update(make(signed.stringToSign)).digest('base64');
        signed.headers['Authorization'] = `API 1300386381676644416:${value}`;
      };
    const textOf = async (change: Change): Promise<string> =>
      verdictOf((await verify(change)).stdout).checks.find(({ check }) => check === 'signature')!
        .text;
    expect(await textOf(mistaken((text) => `${text}\n`))).toContain(
      'The string to sign ended in a line end',
    );
    expect(await textOf(mistaken((text) => text, '6680182547\n'))).toContain(
      'The KeySecret had a line end',
    );
    expect(await textOf(mistaken((text) => text.replaceAll('\n', '\r\n')))).toContain('CRLF');
    expect(await textOf(mistaken((text) => text, 'another secret'))).toContain(
      'another secret, or from a string other than "POST\\n',
    );
    const hex = (before: string): string => Buffer.from(before, 'base64').toString('hex');
    expect(
      verdictOf((await verify(header('Content-MD5', hex))).stdout).checks.at(-1)!.text,
    ).toContain('hexadecimal');
  });

  test('judges by the profile of the server', async () => {
    const spaced: Change = (signed) => void (signed.body = '{"pageNo": 1, "pageSize": 10}');
    const compact = ['{"pageNo":1,"pageSize":10}'] as const;
    const signed = await sign('userStationList', ...compact);
    spaced(signed);
    const file = join(temporaryFolder(), 'request.http');
    writeFileSync(file, capture(signed, '\r\n'));
    expect((await helioport(['verify', file, ...KEY, '--json'], {}, NOW)).exitCode).toBe(0);
    const strict = await helioport(
      ['verify', file, ...KEY, '--json'],
      { HELIOPORT_SIGNATURE_PROFILE: 'strict' },
      NOW,
    );
    expect(verdictOf(strict.stdout).failedCheck).toBe('Content-MD5');
  });

  test('reads captures with bare line feeds, and leaves out what an editor added after the body', async () => {
    const lengthened = (text: string): string =>
      `${text.replace('Host:', 'Content-Length: 27\nHost:')}\n`;
    const { exitCode, stdout } = await verify(() => {}, { lineEnd: '\n', rewrite: lengthened });
    expect([exitCode, verdictOf(stdout).ok]).toEqual([0, true]);
  });

  test('refuses what is no captured request', async () => {
    for (const rewrite of [
      () => 'hello',
      () => '',
      (text: string) => text.replace('Host:', 'Transfer-Encoding: chunked\r\nHost:'),
      (text: string) => text.replace('Host:', 'Content-Length: 99\r\nHost:'),
    ]) {
      expect((await verify(() => {}, { rewrite })).exitCode).toBe(2);
    }
    expect((await helioport(['verify', '/nowhere/request.http', ...KEY])).exitCode).toBe(1);
  });
});
