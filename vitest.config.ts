import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { join } from 'node:path';
import { proving } from './test/support/effort.ts';
import { writeToMemory } from './test/support/scratch.ts';
import { BESIDE_PROOFS } from './test/tiers.ts';

// Proofs with their full counts write more, and to a disk, like a server.
if (!proving) writeToMemory();
// Threads and processes that tests start load the same modules again and again.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/helioport');

export const shared: ViteUserConfig['test'] = {
  globalSetup: ['test/support/global-setup.ts'],
  pool: 'forks',
  // Files share their worker's modules: a fifth of the time went into loading them anew. So no test may change what others see.
  isolate: false,
  // Twice the processors: much of the time is that of waiting for timers, brokers and pages.
  maxWorkers: 4,
  // What is waited for usually comes at once, or late on a busy machine.
  expect: { poll: { interval: 15, timeout: 60_000 } },
  testTimeout: proving ? 3_600_000 : 240_000,
  hookTimeout: proving ? 600_000 : 300_000,
};

// All that was not asked for by name: the proofs have a run of their own.
const isEverything = process.env['HELIOPORT_TEST_ALL'] !== undefined;
const besideProofs = Object.values(BESIDE_PROOFS).flat();

export default defineConfig({
  test: {
    ...shared,
    include: ['test/**/*.test.ts', ...(isEverything ? [] : ['test/prove/**/*.prove.ts'])],
    exclude: isEverything ? besideProofs.map((path) => `test/${path}`) : [],
  },
});
