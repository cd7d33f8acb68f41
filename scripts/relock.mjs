// npm run relock: recreates package-lock.json from the package.json files alone. With a node_modules in place, npm omits
// what only other platforms need, and npm ci then fails on a fresh clone.
import { copyFileSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { run } from './lib/run.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'helioport-lock-'));
try {
  for (const file of [
    'package.json',
    '.npmrc',
    ...globSync('packages/*/{package.json,bin/*}', { cwd: root }),
  ]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    copyFileSync(join(root, file), join(folder, file));
  }
  const { code } = await run(
    'npm',
    ['install', '--package-lock-only', '--ignore-scripts', `--prefix=${folder}`],
    { limitSeconds: 600 },
  );
  if (code === 0) copyFileSync(join(folder, 'package-lock.json'), join(root, 'package-lock.json'));
  process.exitCode = code;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
