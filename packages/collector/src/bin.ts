#!/usr/bin/env node
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { systemClock, timerPause } from './clock.ts';
import { collect } from './site/commands/collect.ts';

// The space for new objects stays at 2 MiB instead of growing to 16, which a collector has no use for.
setFlagsFromString('--semi-space-growth-factor=1');
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
