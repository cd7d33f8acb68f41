import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findNode } from './node.mjs';
import { run, SetupFault } from './run.mjs';

const BUILD_LIMIT_SECONDS = 300;

/** Number of lines of the build's own output that a failure shows. */
const WORDS_SHOWN = 20;

/** Builds the portal into packages/portal/dist, unless that has been done from exactly these sources. */
export async function buildPortal(root, say) {
  const folder = join(root, 'packages', 'portal');
  const digest = digestOf(root, folder);
  const stamp = join(folder, 'dist', '.built-from');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return;
  say(
    existsSync(stamp) ? 'building the portal, since it has changed' : 'building the portal (once)',
  );
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const { code, output } = await run(
    findNode(root),
    [vite, 'build', folder, '--logLevel', 'warn', '--emptyOutDir'],
    {
      limitSeconds: BUILD_LIMIT_SECONDS,
      capture: true,
      // Whatever the caller is: with another one, it would be a build for development.
      environment: { NODE_ENV: 'production' },
    },
  );
  if (code !== 0)
    throw new SetupFault(
      [
        'the portal could not be built; its build says:',
        ...output.trim().split('\n').slice(-WORDS_SHOWN),
      ].join('\n'),
    );
  writeFileSync(stamp, digest);
}

/** A digest of everything that the built portal depends on. */
function digestOf(root, folder) {
  const hash = createHash('sha256');
  // Words of alarms, the debugger's diagnosis and the rules that it judges by.
  const shared = ['contract/src', 'sdk/src'].map((name) => join(root, 'packages', name));
  const sources = [
    ...['src', 'public', 'build'].map((name) => join(folder, name)),
    ...shared,
  ].flatMap((name) =>
    readdirSync(name, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const files = [
    ...sources,
    join(folder, 'index.html'),
    join(folder, 'vite.config.ts'),
    join(folder, 'package.json'),
    join(root, 'package-lock.json'),
  ];
  for (const file of files.toSorted())
    hash
      .update(`${file.slice(root.length)}\0`)
      .update(readFileSync(file))
      .update('\0');
  return hash.digest('hex');
}
