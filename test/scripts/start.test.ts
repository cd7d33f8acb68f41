import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

let folder: string;
let child: ChildProcess | undefined;

/** A clone whose set-up is done. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'helioport-start-'));
  cpSync(SCRIPTS, join(folder, 'scripts'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', scripts: { start: 'node scripts/start.mjs' } }));
  writeFileSync(join(folder, 'package-lock.json'), '{}');
  mkdirSync(join(folder, 'node_modules'));
  writeFileSync(join(folder, 'node_modules', '.helioport-installed'), createHash('sha256').update('{}').digest('hex'));
  mkdirSync(join(folder, 'packages', 'server', 'bin'), { recursive: true });
  writeFileSync(join(folder, 'packages', 'server', 'bin', 'helioport.mjs'), COMMAND);
  for (const name of ['node-flags.mjs', 'orphan.mjs']) cpSync(join(SERVER, name), join(folder, 'packages', 'server', 'bin', name));
});
afterEach(async () => {
  if (child?.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
});

const started = (): string => (existsSync(join(folder, 'started')) ? readFileSync(join(folder, 'started'), 'utf8') : '');
const stopped = (): string => (existsSync(join(folder, 'stopped')) ? readFileSync(join(folder, 'stopped'), 'utf8') : '');

test('the server runs with the same flags however it is started', async () => {
  const [firstLine] = readFileSync(join(SERVER, 'helioport.mjs'), 'utf8').split('\n');
  expect(firstLine).toBe(`#!/usr/bin/env -S node ${NODE_FLAGS.join(' ')}`);
  child = spawn(process.execPath, ['scripts/start.mjs'], { cwd: folder, stdio: 'ignore' });
  await expect.poll(started, { timeout: 20_000 }).toBe('serve --demo');
  expect(readFileSync(join(folder, 'flags'), 'utf8')).toBe(NODE_FLAGS.join(' '));
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
});

test('npm start serves the demo, and ends it when npm is told to end', async () => {
  child = spawn('npm', ['start'], { cwd: folder, stdio: 'ignore' });
  await expect.poll(started, { timeout: 20_000 }).toBe('serve --demo');
  child.kill('SIGTERM');
  await expect.poll(stopped, { timeout: 10_000 }).toBe('SIGTERM');
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s reaches the server, and its exit code comes back', async (signal) => {
  child = spawn(process.execPath, ['scripts/start.mjs'], { cwd: folder, stdio: 'ignore' });
  await expect.poll(started, { timeout: 20_000 }).toBe('serve --demo');
  const exited = once(child, 'exit');
  child.kill(signal);
  expect(await exited).toEqual([0, null]);
  expect(stopped()).toBe(signal);
});

test('a server that does not start gives its exit code', async () => {
  child = spawn(process.execPath, ['scripts/start.mjs', '--fail'], { cwd: folder, stdio: 'ignore' });
  expect(await once(child, 'exit')).toEqual([3, null]);
});
