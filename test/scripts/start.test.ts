import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NODE_FLAGS } from '../../packages/server/bin/node-flags.mjs';

const SCRIPTS = fileURLToPath(new URL('../../scripts', import.meta.url));
const SERVER = fileURLToPath(new URL('../../packages/server/bin', import.meta.url));

// Stands where the command line is: says that it runs, and how it was ended.
const COMMAND = `
import { writeFileSync } from 'node:fs';
if (process.argv.includes('--fail')) process.exit(3);
setInterval(() => {}, 1000);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => { writeFileSync('stopped', signal); process.exit(0); });
writeFileSync('flags', process.execArgv.join(' '));
writeFileSync('started', process.argv.slice(2).join(' '));
`;

// Stands where the builder of the portal is: counts its runs, and fails if a source says so.
const BUILDER = `
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
const [, folder] = process.argv.slice(2);
if (readFileSync(folder + '/src/main.tsx', 'utf8') === 'broken') { console.error('main.tsx is broken'); process.exit(1); }
mkdirSync(folder + '/dist', { recursive: true });
appendFileSync(folder + '/dist/index.html', process.env.NODE_ENV === 'production' ? 'built' : 'built for development');
`;

let folder: string;
let child: ChildProcess | undefined;

/** A clone whose set-up is done. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'helioport-start-'));
  cpSync(SCRIPTS, join(folder, 'scripts'), { recursive: true });
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ type: 'module', scripts: { start: 'node scripts/start.mjs' } }),
  );
  writeFileSync(join(folder, 'package-lock.json'), '{}');
  mkdirSync(join(folder, 'node_modules'));
  writeFileSync(
    join(folder, 'node_modules', '.helioport-installed'),
    createHash('sha256').update('{}').digest('hex'),
  );
  mkdirSync(join(folder, 'packages', 'server', 'bin'), { recursive: true });
  writeFileSync(join(folder, 'packages', 'server', 'bin', 'helioport.mjs'), COMMAND);
  mkdirSync(join(folder, 'node_modules', 'vite', 'bin'), { recursive: true });
  writeFileSync(join(folder, 'node_modules', 'vite', 'bin', 'vite.js'), BUILDER);
  writeFileSync(
    join(folder, 'node_modules', 'vite', 'package.json'),
    JSON.stringify({ type: 'module' }),
  );
  for (const name of ['src', 'public', 'build'])
    mkdirSync(join(folder, 'packages', 'portal', name), { recursive: true });
  for (const name of ['contract', 'sdk'])
    mkdirSync(join(folder, 'packages', name, 'src'), { recursive: true });
  for (const name of ['index.html', 'vite.config.ts', 'package.json', 'src/main.tsx'])
    writeFileSync(join(folder, 'packages', 'portal', name), name);
  for (const name of ['node-flags.mjs', 'orphan.mjs'])
    cpSync(join(SERVER, name), join(folder, 'packages', 'server', 'bin', name));
});
afterEach(async () => {
  if (child?.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
});

const started = (): string =>
  existsSync(join(folder, 'started')) ? readFileSync(join(folder, 'started'), 'utf8') : '';
const stopped = (): string =>
  existsSync(join(folder, 'stopped')) ? readFileSync(join(folder, 'stopped'), 'utf8') : '';

test('the server runs with the same flags however it is started', async () => {
  const [firstLine] = readFileSync(join(SERVER, 'helioport.mjs'), 'utf8').split('\n');
  expect(firstLine).toBe(`#!/usr/bin/env -S node ${NODE_FLAGS.join(' ')}`);
  child = spawn(process.execPath, ['scripts/start.mjs'], { cwd: folder, stdio: 'ignore' });
  await expect.poll(started).toBe('serve --demo');
  expect(readFileSync(join(folder, 'flags'), 'utf8')).toBe(NODE_FLAGS.join(' '));
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
});

test('npm start serves the demo, and ends it when npm is made to end', async () => {
  child = spawn('npm', ['start'], { cwd: folder, stdio: 'ignore' });
  await expect.poll(started).toBe('serve --demo');
  child.kill('SIGTERM');
  await expect.poll(stopped, { timeout: 60_000 }).toBe('SIGTERM');
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s reaches the server, and its exit code comes back',
  async (signal) => {
    child = spawn(process.execPath, ['scripts/start.mjs'], { cwd: folder, stdio: 'ignore' });
    await expect.poll(started).toBe('serve --demo');
    const exited = once(child, 'exit');
    child.kill(signal);
    expect(await exited).toEqual([0, null]);
    expect(stopped()).toBe(signal);
  },
);

test('the portal is built at the first start, and again only when something that it depends on has changed', async () => {
  const builds = (): number =>
    readFileSync(join(folder, 'packages', 'portal', 'dist', 'index.html'), 'utf8').length /
    'built'.length;
  const start = async (): Promise<string> => {
    child = spawn(process.execPath, ['scripts/start.mjs', '--fail'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout!.setEncoding('utf8').on('data', (text: string) => (said += text));
    expect(await once(child, 'close')).toEqual([3, null]);
    return said;
  };
  expect(await start()).toBe('setup: building the portal (once)\n');
  expect(await start()).toBe('');
  expect(builds()).toBe(1);
  for (const file of [
    'packages/portal/src/main.tsx',
    'packages/portal/vite.config.ts',
    'packages/contract/src/new.ts',
    'packages/sdk/src/new.ts',
  ]) {
    writeFileSync(join(folder, file), 'changed');
    expect(await start(), file).toBe('setup: building the portal, since it has changed\n');
  }
  expect(builds()).toBe(5);
});

test('a portal that cannot be built is said before the server starts, in the words of its build', async () => {
  writeFileSync(join(folder, 'packages', 'portal', 'src', 'main.tsx'), 'broken');
  child = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (said += text));
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(said).toBe('the portal could not be built; its build says:\nmain.tsx is broken\n');
  expect(started()).toBe('');
});

test('a server that does not start gives its exit code', async () => {
  child = spawn(process.execPath, ['scripts/start.mjs', '--fail'], {
    cwd: folder,
    stdio: 'ignore',
  });
  expect(await once(child, 'exit')).toEqual([3, null]);
});
