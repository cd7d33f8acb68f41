import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
} from 'node:fs';
import { join } from 'node:path';
import { isFor } from './closure.mjs';

/** What runs on a machine that has nothing: the program with all packages that it needs, and Node. */
export function writeTree(root, folder, { serverPackage, packages, node, target, cache }) {
  const lib = join(folder, 'lib');
  cpSync(serverPackage, lib, { recursive: true });
  for (const one of packages.filter((candidate) => isFor(candidate, target)))
    cpSync(sourceOf(root, one, cache), join(lib, one.place), {
      recursive: true,
      // Packages in a package have places of their own in the list.
      filter: (path) => !isNested(path, one.place) && !NEEDLESS.test(path),
    });
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  copyFileSync(join(sourceOf(root, node, cache), 'bin', 'node'), join(bin, 'node'));
  copyFileSync(join(root, 'deploy/package/helioport'), join(bin, 'helioport'));
  for (const name of ['node', 'helioport']) chmodSync(join(bin, name), 0o755);
}

/** What no program reads; licences stay, whatever they are written in. */
const NEEDLESS =
  /\.(d\.[cm]?ts|map|ts\.map|flow)$|[\\/](\.github|__tests__|benchmarks?)$|[\\/](?!licen[cs]e|notice|copying)[^\\/]*\.(md|markdown)$/i;

const isNested = (path, place) => path.replaceAll('\\', '/').includes(`${place}/node_modules`);

/** Where the files of a package are: installed here or, if they are for other machines, fetched once by npm. */
function sourceOf(root, { place, name, version, integrity }, cache) {
  const installed = join(root, place);
  if (existsSync(installed)) return installed;
  const folder = join(cache, `${name}-${version}`);
  if (!existsSync(folder)) fetchPackage(folder, `${name}@${version}`, integrity);
  return folder;
}

function fetchPackage(folder, spec, integrity) {
  const aside = `${folder}.fetched`;
  mkdirSync(aside, { recursive: true });
  execFileSync('npm', ['pack', spec, `--pack-destination=${aside}`, '--silent'], { stdio: 'pipe' });
  const file = join(
    aside,
    readdirSync(aside).find((one) => one.endsWith('.tgz')),
  );
  const digest = createHash('sha512').update(readFileSync(file)).digest('base64');
  if (integrity !== `sha512-${digest}`)
    throw new Error(`${spec} is not what package-lock.json says: ${digest}`);
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-xzf', file, '--strip-components=1', '-C', folder]);
}
