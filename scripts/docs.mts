// npm run docs: writes the generated pages; with --check, it only reports which are out of date.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import process from 'node:process';
import { pages } from './docs/pages.mts';

const root = new URL('../', import.meta.url);
const check = process.argv.includes('--check');
const stale = Object.entries(pages).filter(([path, page]) => read(new URL(path, root)) !== page());

for (const [path, page] of stale) {
  console.log(check ? `${path} is out of date: run npm run docs` : `written: ${path}`);
  if (check) continue;
  mkdirSync(dirname(new URL(path, root).pathname), { recursive: true });
  writeFileSync(new URL(path, root), page());
}
process.exitCode = check && stale.length > 0 ? 1 : 0;

function read(url: URL): string | undefined {
  try {
    return readFileSync(url, 'utf8');
  } catch {
    return undefined;
  }
}
