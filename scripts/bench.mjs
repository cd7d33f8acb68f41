// npm run bench [NAME ...]: runs the benchmarks one after the other; each writes its section of benchmarks/RESULTS.md.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import process from 'node:process';
import { findNode } from './lib/node.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = fileURLToPath(new URL('../benchmarks/', import.meta.url));
const all = readdirSync(folder)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -3))
  .toSorted();
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`no such benchmark: ${unknown.join(', ')}; known: ${all.join(', ')}`);
  process.exit(2);
}

let failed = 0;
for (const name of asked.length > 0 ? asked : all) {
  console.log(`\n== ${name}`);
  const { status } = spawnSync(findNode(root), [`${folder}${name}.ts`], {
    stdio: ['ignore', 'inherit', 'inherit'],
    cwd: root,
  });
  if (status !== 0) failed += 1;
}
process.exitCode = failed > 0 ? 1 : 0;
