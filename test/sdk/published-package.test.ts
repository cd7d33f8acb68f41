import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

/** The oldest Node that is installed: the packages promise to run on 20. */
function oldestNode(): string {
  const candidates = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'node'));
  const versions = [...new Set(candidates)]
    .filter(existsSync)
    .map((path) => ({ path, major: Number(execFileSync(path, ['-p', 'process.versions.node.split(".")[0]'], { encoding: 'utf8' })) }));
  return versions.filter(({ major }) => major >= 20).toSorted((a, b) => a.major - b.major)[0]?.path ?? process.execPath;
}

describe('the published packages', () => {
  let folder: string;
  const run = (command: string, args: string[], cwd: string): string =>
    execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'helioport-packages-'));
    run(process.execPath, [join(root, 'scripts/build-packages.mjs'), join(folder, 'dist')], root);
    for (const source of [join(folder, 'dist/contract'), join(folder, 'dist/sdk'), join(root, 'node_modules/@noble/hashes')]) {
      run(npm, ['pack', '--ignore-scripts', '--pack-destination', folder, source], folder);
    }
    const tarballs = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
    writeFileSync(join(folder, 'package.json'), '{"name":"somebody-elses-project","private":true,"type":"module"}');
    run(npm, ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', ...tarballs.map((name) => `./${name}`)], folder);
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('hold JavaScript and declarations, and no TypeScript that Node would refuse to run', () => {
    const files = readdirSync(join(folder, 'node_modules/@helioport/sdk'), { recursive: true, encoding: 'utf8' });
    expect(files).toEqual(expect.arrayContaining(['index.js', 'index.d.ts', 'package.json', 'README.md']));
    expect(files.filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))).toEqual([]);
  });

  test('sign a call from plain JavaScript in another folder, on the oldest Node that is there', () => {
    const program = `
      import { createClient, signRequest } from '@helioport/sdk';
      const signed = signRequest({ path: '/v1/api/userStationList', body: '{"pageNo":1,"pageSize":10}', at: Date.UTC(2019, 6, 26, 6, 0, 46), keyId: '2424', keySecret: '6680182547' });
      const sent = [];
      const client = createClient({ baseUrl: 'http://solar.example', keyId: '2424', keySecret: 's', fetch: async (url, { headers }) => {
        sent.push([url, headers.Authorization.slice(0, 9)]);
        return new Response('{"success":true,"code":"0","msg":"success","data":{"sn":"A1"}}');
      } });
      console.log(JSON.stringify({ signed, sent, data: await client.call('inverterDetail', { sn: 'A1' }) }));
    `;
    writeFileSync(join(folder, 'program.js'), program);
    const output = JSON.parse(run(oldestNode(), ['program.js'], folder)) as unknown;
    expect(output).toEqual({
      signed: {
        headers: {
          'Content-MD5': 'kxdxk7rbAsrzSIWgEwhH4w==',
          'Content-Type': 'application/json;charset=UTF-8',
          Date: 'Fri, 26 Jul 2019 06:00:46 GMT',
          Authorization: 'API 2424:b7lDe0IYMGj/Dp2su0plYT+BbJQ=',
        },
        stringToSign: 'POST\nkxdxk7rbAsrzSIWgEwhH4w==\napplication/json;charset=UTF-8\nFri, 26 Jul 2019 06:00:46 GMT\n/v1/api/userStationList',
      },
      sent: [['http://solar.example/v1/api/inverterDetail', 'API 2424:']],
      data: { sn: 'A1' },
    });
  });

  test('are typed for a project that compiles against them', () => {
    const source = `
      import { createClient } from '@helioport/sdk';
      const client = createClient({ baseUrl: 'http://solar.example', keyId: '1', keySecret: 's' });
      const inverter = await client.call('inverterDetail', { sn: 'A1' });
      export const power: number | undefined = inverter.pac;
      // @ts-expect-error there is no such operation
      await client.call('inverterDetials', {});
      // @ts-expect-error a serial number is text
      await client.call('inverterDetail', { sn: true });
    `;
    writeFileSync(join(folder, 'typed.ts'), source);
    const compilerOptions = { strict: true, noEmit: true, module: 'nodenext', target: 'es2022', lib: ['es2022', 'dom'], types: [], skipLibCheck: false };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['typed.ts'] }));
    expect(run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], folder)).toBe('');
  });
});
