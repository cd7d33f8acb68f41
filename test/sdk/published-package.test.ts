import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startGatewayDouble } from '../collector/gateway-double.ts';
import { startApiDouble, success } from './api-double.ts';

const root = join(import.meta.dirname, '../..');
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

/** Every major version of Node on this machine that the package promises to run on. */
function installedNodes(): (readonly [major: number, path: string])[] {
  const candidates = new Set(
    (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'node')),
  );
  const found = new Map([[Number(process.versions.node.split('.')[0]), process.execPath]]);
  for (const path of [...candidates].filter(existsSync)) {
    const major = Number(
      execFileSync(path, ['-p', 'process.versions.node.split(".")[0]'], { encoding: 'utf8' }),
    );
    if (major >= 20 && !found.has(major)) found.set(major, path);
  }
  return [...found].toSorted(([a], [b]) => a - b);
}

const nodes = installedNodes();
if (!nodes.some(([major]) => major === 20))
  console.log('the SDK is not tried on Node 20: this machine has none');

/** The code blocks of a page, in one language. */
const blocksOf = (file: string, language: string): string[] =>
  [
    ...readFileSync(join(root, file), 'utf8').matchAll(
      new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'),
    ),
  ].map(([, code]) => code!);

const README = 'packages/sdk/README.md';

describe('the published package', () => {
  let folder: string;
  let clone: string;
  let project: string;
  const run = (command: string, args: readonly string[], cwd: string): string =>
    execFileSync(command, args, {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, npm_config_loglevel: 'error' },
    });
  const sources = (): string[] =>
    readdirSync(join(clone, 'packages'), { recursive: true, encoding: 'utf8' }).toSorted();

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'helioport-packages-'));
    [clone, project] = [join(folder, 'helioport'), join(folder, 'project')];
    for (const name of ['package.json', 'tsconfig.json', 'LICENSE', 'scripts'])
      cpSync(join(root, name), join(clone, name), { recursive: true });
    cpSync(join(root, 'packages'), join(clone, 'packages'), {
      recursive: true,
      filter: (path) => !/[\\/](dist|node_modules|data)$/.test(path),
    });
    symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
    run(npm, ['run', 'pack'], clone);
    mkdirSync(project);
    writeFileSync(
      join(project, 'package.json'),
      '{"name":"somebody-elses-project","private":true,"type":"module"}',
    );
    // What comes from the registry otherwise.
    run(
      npm,
      [
        'pack',
        '--ignore-scripts',
        '--pack-destination',
        project,
        join(root, 'node_modules/@noble/hashes'),
      ],
      project,
    );
    const hashes = readdirSync(project).find((name) => name.endsWith('.tgz'));
    const [, install] = blocksOf(README, 'sh');
    const [command, ...args] = install!.trim().split(' ');
    expect(command).toBe('npm');
    run(
      npm,
      [...args, `./${hashes!}`, '--offline', '--ignore-scripts', '--no-audit', '--no-fund'],
      project,
    );
  }, 180_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('is the same file from `npm run pack` and from `npm pack` in its folder, even after one that was killed, and the sources stay as they were', () => {
    const manifest = readFileSync(join(root, 'packages/sdk/package.json'), 'utf8');
    const now = (): string => readFileSync(join(clone, 'packages/sdk/package.json'), 'utf8');
    const before = sources();
    expect(now()).toBe(manifest);
    run(process.execPath, ['../../scripts/pack.mjs', 'prepack'], join(clone, 'packages/sdk'));
    expect(now()).not.toBe(manifest);
    run(npm, ['pack', '--pack-destination', folder], join(clone, 'packages/sdk'));
    const packed = readdirSync(join(clone, 'dist')).find((name) => name.includes('sdk'));
    expect(
      readFileSync(join(folder, packed!)).equals(readFileSync(join(clone, 'dist', packed!))),
    ).toBe(true);
    expect([sources(), now()]).toEqual([before, manifest]);
  }, 120_000);

  test('holds JavaScript and declarations, no TypeScript that Node would refuse to run, and all of the workspace that it needs', () => {
    const installed = join(project, 'node_modules/@helioport');
    expect(readdirSync(installed)).toEqual(['sdk']);
    const files = readdirSync(join(installed, 'sdk'), { recursive: true, encoding: 'utf8' });
    expect(files).toEqual(
      expect.arrayContaining([
        'dist/index.js',
        'dist/index.d.ts',
        'package.json',
        'README.md',
        'LICENSE',
      ]),
    );
    expect(files.filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))).toEqual([]);
    expect(files.filter((name) => basename(name).startsWith('.'))).toEqual([]);
  });

  test.each(nodes)('signs calls from plain JavaScript on Node %i', (_, node) => {
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
    writeFileSync(join(project, 'program.js'), program);
    const output = JSON.parse(run(node, ['program.js'], project)) as unknown;
    expect(output).toEqual({
      signed: {
        headers: {
          'Content-MD5': 'kxdxk7rbAsrzSIWgEwhH4w==',
          'Content-Type': 'application/json;charset=UTF-8',
          Date: 'Fri, 26 Jul 2019 06:00:46 GMT',
          Authorization: 'API 2424:b7lDe0IYMGj/Dp2su0plYT+BbJQ=',
        },
        stringToSign:
          'POST\nkxdxk7rbAsrzSIWgEwhH4w==\napplication/json;charset=UTF-8\nFri, 26 Jul 2019 06:00:46 GMT\n/v1/api/userStationList',
      },
      sent: [['http://solar.example/v1/api/inverterDetail', 'API 2424:']],
      data: { sn: 'A1' },
    });
  });

  test.each(nodes)(
    'does what the first sample of its README shows, on Node %i',
    async (_, node) => {
      const api = await startApiDouble();
      api.answers.push(
        () => ({ body: success({ pac: 4.2, pacStr: 'kW' }) }),
        () => ({
          body: success({
            page: {
              records: [{ stationName: 'Home', dayEnergy: 12.5 }],
              total: 1,
              current: 1,
              pages: 1,
            },
          }),
        }),
      );
      const [sample] = blocksOf(README, 'ts');
      writeFileSync(join(project, 'sample.js'), sample!.replace('http://127.0.0.1:8080', api.url));
      const env = { PATH: process.env['PATH'], HELIOPORT_KEY_ID: '1', HELIOPORT_KEY_SECRET: 's' };
      const { stdout } = await promisify(execFile)(node, ['sample.js'], { cwd: project, env });
      expect(stdout).toBe('4.2 kW\nHome 12.5\n');
      await expect(
        promisify(execFile)(node, ['sample.js'], { cwd: project, env: { PATH: env.PATH } }),
      ).rejects.toThrow('a key pair is needed');
      await api.close();
    },
  );

  const compile = (
    files: Readonly<Record<string, string>>,
    options: object,
    place = project,
  ): string => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(place, name), text);
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
      module: 'nodenext',
      target: 'es2022',
      skipLibCheck: false,
      typeRoots: [join(root, 'node_modules/@types')],
      ...options,
    };
    writeFileSync(
      join(place, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: Object.keys(files) }),
    );
    return run(
      process.execPath,
      [join(root, 'node_modules/typescript/bin/tsc'), '-p', place],
      place,
    );
  };

  test.each([
    ['for Node', { types: ['node'], lib: ['es2022'] }],
    ['with the types of browsers', { types: [], lib: ['es2022', 'dom'] }],
    [
      'for a bundler',
      { types: ['node'], lib: ['es2022'], module: 'esnext', moduleResolution: 'bundler' },
    ],
  ])(
    'is typed for a strict project %s: unknown operations, fields and parameters are faults',
    (_, options) => {
      const source = `
      import { createClient, HelioportError } from '@helioport/sdk';
      const client = createClient({ baseUrl: 'http://solar.example', keyId: '1', keySecret: 's' });
      const inverter = await client.call('inverterDetail', { sn: 'A1' });
      export const power: number | undefined = inverter.pac;
      export const code = (error: unknown): string | undefined => (error instanceof HelioportError ? error.code : undefined);
      for await (const plant of client.all('userStationList', { pageSize: 50 })) {
        const name: string | undefined = plant.stationName;
        // @ts-expect-error there is no such field of a record
        plant.stationNames;
      }
      // @ts-expect-error there is no such operation
      await client.call('inverterDetials', {});
      // @ts-expect-error a serial number is text
      await client.call('inverterDetail', { sn: true });
      // @ts-expect-error there is no such parameter
      await client.call('inverterDetail', { sn: 'A1', serial: 'A1' });
      // @ts-expect-error there is no such field
      inverter.powerAC;
      // @ts-expect-error a power is a number
      export const text: string | undefined = inverter.pac;
    `;
      expect(compile({ 'typed.ts': source }, options)).toBe('');
    },
  );

  test('has samples in its README, and in the one of Helioport, that are strict TypeScript as they stand', () => {
    const samples = [...blocksOf(README, 'ts'), ...blocksOf('README.md', 'ts')];
    expect(samples.length).toBeGreaterThan(4);
    // A module each, since samples use the same names.
    const files = Object.fromEntries(
      samples.map((text, i) => [`sample-${i}.ts`, `${text}\nexport {};\n`]),
    );
    expect(compile(files, { types: ['node'], lib: ['es2022'] })).toBe('');
  });

  describe('of the collector library', () => {
    const page = 'packages/collector/README.md';
    let place: string;
    beforeAll(() => {
      place = join(folder, 'collector');
      mkdirSync(join(place, 'node_modules/@helioport/collector'), { recursive: true });
      writeFileSync(
        join(place, 'package.json'),
        '{"name":"somebody-elses-collector","private":true,"type":"module"}',
      );
      const packed = readdirSync(join(clone, 'dist')).find((name) => name.includes('collector'))!;
      expect(blocksOf(page, 'sh')[1]).toContain(`dist/${packed}`);
      run(
        'tar',
        [
          '-xzf',
          join(clone, 'dist', packed),
          '--strip-components=1',
          '-C',
          join(place, 'node_modules/@helioport/collector'),
        ],
        place,
      );
      // What comes from the registry otherwise.
      for (const name of ['mqtt', 'yaml'])
        symlinkSync(join(root, 'node_modules', name), join(place, 'node_modules', name));
    });

    test.each(nodes)('has a program that starts, on Node %i', (_, node) => {
      const program = join(place, 'node_modules/@helioport/collector/dist/bin.js');
      expect(run(node, [program, '--help'], place)).toContain('discover [NETWORK]');
    });

    test.each(nodes)(
      'does what the first sample of its README shows, on Node %i',
      async (_, node) => {
        const gateway = await startGatewayDouble();
        gateway.instruct({
          id: '1.1',
          sn: 'INVERTER',
          action: 'read',
          parameter: '157',
          withinSeconds: 20,
        });
        writeFileSync(join(place, 'sample.js'), blocksOf(page, 'ts')[0]!);
        // One that was ended before it had its answer delivers again.
        rmSync(join(place, 'backlog.jsonl'), { force: true });
        const env = {
          PATH: process.env['PATH'],
          HELIOPORT_COLLECTOR_TOKEN: 't',
          HELIOPORT_GATEWAY_URL: gateway.url,
        };
        const child = spawn(node, ['sample.js'], {
          cwd: place,
          env,
          stdio: ['ignore', 'ignore', 'inherit'],
        });
        onTestFinished(() => void child.kill());
        await expect
          .poll(() => [gateway.reports.length, gateway.results.length], { timeout: 60_000 })
          .toEqual([1, 1]);
        child.kill();
        await once(child, 'close');
        await gateway.close();
        expect(gateway.reports).toMatchObject([
          {
            authorization: 'Bearer t',
            urgency: 'live',
            readings: [{ sn: 'INVERTER' }],
            devices: [{ model: 'SIM-8K-ES' }],
          },
        ]);
        expect(gateway.results).toEqual([{ id: '1.1', ok: true, value: '30' }]);
      },
    );

    test('has samples in its README that are strict TypeScript as they stand', () => {
      const files = Object.fromEntries(
        blocksOf(page, 'ts').map((text, i) => [`sample-${i}.ts`, `${text}\nexport {};\n`]),
      );
      expect(Object.keys(files)).toHaveLength(2);
      expect(compile(files, { types: ['node'], lib: ['es2022'] }, place)).toBe('');
    });
  });
});
