import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../../scripts/lib/run.mjs';

const RELOCK = fileURLToPath(new URL('../../scripts/relock.mjs', import.meta.url));
const INTEGRITY = `sha512-${Buffer.alloc(64, 7).toString('base64')}`;
const ELSEWHERE = `not-${process.platform}`;

interface Manifest {
  name: string;
  version: string;
  os?: string[];
  optionalDependencies?: Record<string, string>;
}

const swift = (version: string): Manifest => ({
  name: 'swift',
  version,
  optionalDependencies: { 'swift-elsewhere': version },
});

const elsewhere = (version: string): Manifest => ({
  name: 'swift-elsewhere',
  version,
  os: [ELSEWHERE],
});

/** A registry in which both packages have a newer version than the lock file. */
const PUBLISHED: Record<string, Manifest[]> = {
  swift: [swift('1.0.0'), swift('1.1.0')],
  'swift-elsewhere': [elsewhere('1.0.0'), elsewhere('1.1.0')],
};

let folder: string;
let registry: Server;
let address: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'helioport-relock-'));
  registry = createServer((request, response) => {
    const name = request.url!.slice(1);
    const versions = PUBLISHED[name];
    if (!versions) return void response.writeHead(404).end('{}');
    response.setHeader('content-type', 'application/json').end(
      JSON.stringify({
        name,
        'dist-tags': { latest: versions.at(-1)!.version },
        versions: Object.fromEntries(
          versions.map((manifest) => [
            manifest.version,
            { ...manifest, dist: { tarball: `${address}/${name}.tgz`, integrity: INTEGRITY } },
          ]),
        ),
      }),
    );
  });
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
});
afterAll(() => {
  registry.close();
  rmSync(folder, { recursive: true, force: true });
});

test('relock adds what other platforms need, moves no version and names no host', async () => {
  const root = { name: 'root', version: '1.0.0', dependencies: { swift: '^1.0.0' } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(root));
  writeFileSync(
    join(folder, '.npmrc'),
    `registry=${address}\ncache=${join(folder, 'cache')}\naudit=false\nupdate-notifier=false\n`,
  );
  writeFileSync(
    join(folder, 'package-lock.json'),
    JSON.stringify({
      ...root,
      lockfileVersion: 3,
      requires: true,
      packages: {
        '': root,
        'node_modules/swift': {
          version: '1.0.0',
          resolved: 'https://registry.example/swift.tgz',
          integrity: INTEGRITY,
          optionalDependencies: { 'swift-elsewhere': '1.0.0' },
        },
      },
    }),
  );
  const { code, output } = await run(process.execPath, [RELOCK, folder], {
    limitSeconds: 60,
    capture: true,
    environment: { npm_config_registry: address },
  });
  expect(code, output).toBe(0);
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, object>;
  };
  expect(packages).toEqual({
    '': root,
    'node_modules/swift': {
      version: '1.0.0',
      integrity: INTEGRITY,
      optionalDependencies: { 'swift-elsewhere': '1.0.0' },
    },
    'node_modules/swift-elsewhere': {
      version: '1.0.0',
      integrity: INTEGRITY,
      optional: true,
      os: [ELSEWHERE],
    },
  });
});
