import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FREE_PORTS } from '../support/server-process.ts';

const root = join(import.meta.dirname, '../..');
/** The README's commands for production, without the server itself. */
const lines = /^## Running it in production\n[\s\S]*?^```sh\n([\s\S]*?)^```/m
  .exec(readFileSync(join(root, 'README.md'), 'utf8'))![1]!
  .trim()
  .split('\n');

/** What a clone does not have. */
const LEFT_OUT = /(^|\/)(node_modules|\.git|\.cache|dist|data)$/;

let clone: string;
const inClone = async (script: string): Promise<string> =>
  (
    await promisify(execFile)('sh', ['-ec', script], {
      cwd: clone,
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        // What is in npm's cache already is not fetched again.
        npm_config_prefer_offline: 'true',
        ...FREE_PORTS,
      },
      maxBuffer: 64 * 1024 * 1024,
    })
  ).stdout;

beforeAll(async () => {
  clone = mkdtempSync(join(tmpdir(), 'helioport-production-'));
  cpSync(root, clone, {
    recursive: true,
    filter: (source) => !LEFT_OUT.test(source.slice(root.length)),
  });
  expect(lines.at(-1)).toBe('helioport serve');
  await inClone(lines.slice(0, -1).join('\n'));
}, 900_000);
afterAll(() => rmSync(clone, { recursive: true, force: true }));

/** `helioport serve`, as the README's last line starts it. */
async function started(): Promise<{ addresses: Record<string, string>; stop(): Promise<void> }> {
  const path = lines.find((line) => line.startsWith('export PATH='))!;
  const child = spawn('sh', ['-ec', `${path}\nexec ${lines.at(-1)}`], {
    cwd: clone,
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
  const path = lines.find((line) => line.startsWith('export PATH='))!;
  // It fails if anything is wrong.
  const printed = await inClone(`${path}\nhelioport doctor --json || true`);
  return (JSON.parse(printed) as { check: string }[]).find(({ check }) => check === 'portal');
};

test('the README’s production install serves the portal', async () => {
  const server = await started();
  try {
    const [status, page] = await textOf(`${server.addresses['portal']}/`);
    expect(status).toBe(200);
    expect(page).not.toContain('has not been built');
    const [, script] = /<script[^>]*src="([^"]+)"/.exec(page)!;
    expect((await textOf(new URL(script!, server.addresses['portal']).href))[0]).toBe(200);
    expect(await textOf(`${server.addresses['portal']}/readyz`)).toEqual([200, 'ready\n']);
    expect(await textOf(`${server.addresses['ops']}/readyz`)).toEqual([200, 'ready\n']);
  } finally {
    await server.stop();
  }
  expect(await portalFinding()).toMatchObject({ state: 'ok' });
}, 300_000);

test('packages that only building and testing need are gone', async () => {
  expect(await inClone('ls node_modules')).not.toMatch(/^(vite|vitest|oxlint)$/m);
});

test('without a built portal, its listener is not ready, and /readyz and doctor say so', async () => {
  rmSync(join(clone, 'packages', 'portal', 'dist'), { recursive: true });
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
