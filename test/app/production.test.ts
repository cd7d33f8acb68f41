import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FREE_PORTS } from '../support/server-process.ts';
import { release } from '../release/released.ts';
import { registryWith } from './shrinkwrapped-registry.ts';

const root = join(import.meta.dirname, '../..');
/** The README's commands for production, without the server itself. */
const lines = /^## Running it in production\n[\s\S]*?^```sh\n(npm [\s\S]*?)^```/m
  .exec(readFileSync(join(root, 'README.md'), 'utf8'))![1]!
  .trim()
  .split('\n');
const path = lines.find((line) => line.startsWith('export PATH='))!;

type Packages = Record<string, { version: string; integrity?: string; optional?: true }>;

let released: string;
/** By which a machine reaches the registry. */
const NETWORK = /^(https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS|npm_config_(registry|cafile|ca))$/i;
const network = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => NETWORK.test(name)),
);
/** An empty folder, in which the README's commands are run. */
let place: string;
const inPlace = async (script: string): Promise<string> =>
  (
    await promisify(execFile)('sh', ['-ec', script], {
      cwd: place,
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        ...network,
        // What is in npm's cache already is not fetched again.
        npm_config_prefer_offline: 'true',
        // An answer that stalls is asked for again.
        npm_config_fetch_timeout: '20000',
        npm_config_fetch_retries: '6',
        npm_config_fetch_retry_mintimeout: '1000',
        // The Node that runs this test runs the product, too.
        npm_config_omit: 'optional',
        ...FREE_PORTS,
      },
      maxBuffer: 64 * 1024 * 1024,
    })
  ).stdout;

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'helioport-production-'));
  [released, place] = [join(folder, 'released'), join(folder, 'place')];
  mkdirSync(place);
  await release(released, '--only', 'npm');
  const file = readdirSync(released).find((name) => name.endsWith('.tgz'));
  const [install, ...others] = lines.slice(0, -1);
  expect([install, lines.at(-1)]).toEqual(['npm install helioport', 'helioport serve']);
  // The package of this very version; the world's registry has another one, or none.
  const registry = await registryWith(join(released, file!));
  try {
    const direct = ['127.0.0.1', network['NO_PROXY'] ?? network['no_proxy']].filter(Boolean).join();
    await inPlace(
      [
        `export npm_config_registry=${registry.address} NO_PROXY=${direct} no_proxy=${direct}`,
        `${install} --no-audit`,
        ...others,
      ].join('\n'),
    );
  } finally {
    registry.close();
  }
}, 900_000);
afterAll(() => rmSync(join(place, '..'), { recursive: true, force: true }));

/** `helioport serve`, as the README's last line starts it. */
async function started(): Promise<{ addresses: Record<string, string>; stop(): Promise<void> }> {
  const child = spawn('sh', ['-ec', `${path}\nexec ${lines.at(-1)}`], {
    cwd: place,
    env: { PATH: process.env['PATH'], ...FREE_PORTS },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  let output = '';
  const addresses = await new Promise<Record<string, string>>((resolve, reject) => {
    const take = (chunk: Buffer): void => {
      output += chunk.toString();
      const line = /^\{.*"msg":"started".*\}$/m.exec(output);
      if (line) resolve((JSON.parse(line[0]) as { addresses: Record<string, string> }).addresses);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    void exited.then(() => reject(new Error(output)));
  });
  return {
    addresses,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

const textOf = async (address: string): Promise<[number, string]> => {
  const answer = await fetch(address, { headers: { accept: 'text/html' } });
  return [answer.status, await answer.text()];
};
const portalFinding = async (): Promise<unknown> => {
  // It fails if anything is wrong.
  const printed = await inPlace(`${path}\nhelioport doctor --json || true`);
  return (JSON.parse(printed) as { check: string }[]).find(({ check }) => check === 'portal');
};

test('the README’s production install serves the portal and the guides, and answers a signed request', async () => {
  const server = await started();
  try {
    const { portal, ops, 'user-api': userApi } = server.addresses;
    const [status, page] = await textOf(`${portal}/`);
    expect(status).toBe(200);
    expect(page).not.toContain('has not been built');
    const [, script] = /<script[^>]*src="([^"]+)"/.exec(page)!;
    expect((await textOf(new URL(script!, portal).href))[0]).toBe(200);
    expect(await textOf(`${portal}/readyz`)).toEqual([200, 'ready\n']);
    expect(await textOf(`${ops}/readyz`)).toEqual([200, 'ready\n']);
    expect((await textOf(`${userApi}/reference/guides/signing`))[0]).toBe(200);
    await inPlace(`${path}\nhelioport user add --email ada@example.org --role owner`);
    const key = JSON.parse(
      await inPlace(`${path}\nhelioport key create --user ada@example.org --json`),
    ) as { keyId: string; keySecret: string };
    const call = `helioport call userStationList --url ${userApi} --json`;
    const pair = `HELIOPORT_KEY_ID=${key.keyId} HELIOPORT_KEY_SECRET=${key.keySecret}`;
    expect(JSON.parse(await inPlace(`${path}\n${pair} ${call}`))).toMatchObject({
      page: { total: 0 },
    });
  } finally {
    await server.stop();
  }
  expect(await portalFinding()).toMatchObject({ state: 'ok' });
}, 300_000);

test('packages that only building and testing need, and drivers that few need, are not there', async () => {
  const names = await inPlace('ls node_modules node_modules/helioport/node_modules');
  expect(names).not.toMatch(/^(vite|vitest|oxlint|react|rocketmq-client-nodejs)$/m);
  const [kilobytes] = (await inPlace('du -sk node_modules')).split('\t');
  expect(Number(kilobytes) / 1024).toBeLessThan(150);
});

test('what is installed is what was tested, wherever it is downloaded from', () => {
  const installed = join(place, 'node_modules/helioport');
  const text = readFileSync(join(installed, 'npm-shrinkwrap.json'), 'utf8');
  expect(text).not.toMatch(/"resolved"|registry/);
  const { packages: locked } = JSON.parse(text) as { packages: Packages };
  const { packages: tested } = JSON.parse(
    readFileSync(join(root, 'package-lock.json'), 'utf8'),
  ) as { packages: Packages };
  const needed = Object.entries(locked).filter(([at, { optional }]) => at !== '' && !optional);
  expect(needed.length).toBeGreaterThan(100);
  for (const [at, { integrity }] of needed) {
    const { version } = JSON.parse(
      readFileSync(join(installed, at, 'package.json'), 'utf8'),
    ) as Packages[string];
    expect([at, version, integrity]).toEqual([at, tested[at]!.version, tested[at]!.integrity]);
  }
});

test('what needs a driver that is not installed says which', async () => {
  await expect(
    inPlace(
      `${path}\nHELIOPORT_DATA_DIR=other HELIOPORT_SERIES_URL='cassandra://127.0.0.1/a?dc=b' helioport serve`,
    ),
  ).rejects.toThrow(
    'HELIOPORT_SERIES_URL: the package cassandra-driver is missing: run npm install cassandra-driver@4',
  );
});

test('the same sources give the same package', async () => {
  const again = join(place, '..', 'again');
  await release(again, '--only', 'npm');
  const sums = (folder: string): string => readFileSync(join(folder, 'SHA256SUMS'), 'utf8');
  expect(sums(again)).toBe(sums(released));
}, 300_000);

test('without a built portal, its listener is not ready, and /readyz and doctor say so', async () => {
  rmSync(join(place, 'node_modules/helioport/packages/portal/dist'), { recursive: true });
  const server = await started();
  try {
    expect((await textOf(`${server.addresses['portal']}/`))[1]).toContain('npm run build');
    expect((await textOf(`${server.addresses['portal']}/readyz`))[0]).toBe(503);
    // The other listeners serve.
    expect(await textOf(`${server.addresses['user-api']}/readyz`)).toEqual([200, 'ready\n']);
    expect(await textOf(`${server.addresses['ops']}/readyz`)).toEqual([
      200,
      'ready\nthe portal has not been built: run npm run build\n',
    ]);
  } finally {
    await server.stop();
  }
  expect(await portalFinding()).toMatchObject({ state: 'fault' });
}, 300_000);
