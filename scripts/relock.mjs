// npm run relock [FOLDER]: completes package-lock.json. With a node_modules in place, npm omits what only other platforms
// need, and npm ci then fails on a fresh clone; without one, it adds that. Versions stay as they are.
import {
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { findNode } from './lib/node.mjs';
import { run } from './lib/run.mjs';

const LOCK = 'package-lock.json';
const root = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url));
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
  writeFileSync(join(folder, LOCK), withoutHosts(readFileSync(join(root, LOCK), 'utf8')));
  const { code } = await run(
    'npm',
    ['install', '--package-lock-only', '--ignore-scripts', `--prefix=${folder}`],
    // npm picks versions for the Node that runs it.
    {
      limitSeconds: 600,
      environment: { PATH: [dirname(findNode(root)), process.env.PATH].join(delimiter) },
    },
  );
  if (code === 0)
    writeFileSync(join(root, LOCK), withoutHosts(readFileSync(join(folder, LOCK), 'utf8')));
  process.exitCode = code;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The lock file without where packages come from: every machine asks its own registry. */
function withoutHosts(text) {
  const lock = JSON.parse(text);
  for (const locked of Object.values(lock.packages)) if (!locked.link) delete locked.resolved;
  return `${JSON.stringify(lock, null, 2)}\n`;
}
