// npm run pack [-- FOLDER]: packs the published packages into files in dist/ or FOLDER. npm pack in a package's own folder makes the same
// file, since its prepack and postpack call this script with those names as the argument. Runs on Node 20 or newer.
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { prepare, publishedPackages, restore } from './lib/published.mjs';
import { run, SetupFault } from './lib/run.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

try {
  const [word] = process.argv.slice(2);
  if (word === 'prepack') prepare(process.cwd());
  else if (word === 'postpack') restore(process.cwd());
  // npm runs scripts in the folder of their package.json; INIT_CWD is where it was called.
  else
    process.exitCode = await packAll(
      word === undefined ? resolve(root, 'dist') : resolve(process.env.INIT_CWD ?? '.', word),
    );
} catch (error) {
  if (!(error instanceof SetupFault)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function packAll(folder) {
  mkdirSync(folder, { recursive: true });
  const names = publishedPackages().map((name) => `--workspace=${name}`);
  const args = ['pack', `--prefix=${root}`, ...names, `--pack-destination=${folder}`];
  const { code } = await run('npm', args, {
    limitSeconds: 300,
    shell: process.platform === 'win32',
  });
  return code;
}
