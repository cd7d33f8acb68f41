#!/usr/bin/env node
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { systemClock, timerPause } from './clock.ts';
import { collect } from './site/commands/collect.ts';

/** V8's helper threads take memory that a collector has no work for. They can only be left out from the start. */
const LEAN = ['--v8-pool-size=0', '--single-threaded'];
const isLean = process.execArgv.includes(LEAN[0]!);
// Older versions of Node and other systems run as they are.
if (process.argv[2] === 'run' && !isLean && typeof process.execve === 'function')
  process.execve(process.execPath, [
    process.execPath,
    ...LEAN,
    ...process.execArgv,
    ...process.argv.slice(1),
  ]);

// The space for new objects stays at 2 MiB instead of growing to 16, which a collector has no use for.
setFlagsFromString('--semi-space-growth-factor=1');
// Neither is there much to compute: code is not compiled twice, and only when it is used.
for (const flag of ['--no-opt', '--no-sparkplug', '--max-lazy']) setFlagsFromString(flag);
// Files that the collector writes are for their owner only.
process.umask(0o077);
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => stop.abort(new Error('the collector was stopped')));

process.exitCode = await collect(process.argv.slice(2), {
  folder: process.cwd(),
  write: (text) => void process.stdout.write(`${text}\n`),
  writeNote: (text) => void process.stderr.write(`${text}\n`),
  clock: systemClock,
  pause: timerPause,
  random: Math.random,
  signal: stop.signal,
});
