// Started by scripts/release.mjs, under the Node that runs the product, with the root and its arguments.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { level, packTar, writeChecksums } from './archive.mjs';
import { changesOf } from './changes.mjs';
import { closureOf, namedPackages } from './closure.mjs';
import { packDebian } from './debian.mjs';
import { noticeOf } from './notice.mjs';
import { sbomOf } from './sbom.mjs';
import { writeJson, writeServerPackage } from './server-package.mjs';
import { writeTree } from './tree.mjs';

const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' };

const [root, ...args] = process.argv.slice(2);
const { values } = parseArgs({
  args,
  options: {
    to: { type: 'string', default: join(root, 'dist', 'release') },
    target: { type: 'string', default: 'linux-x64' },
    only: { type: 'string' },
  },
});
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const epochSeconds = Number(process.env.SOURCE_DATE_EPOCH ?? timeOfLastCommit());
const to = resolve(process.env.INIT_CWD ?? '.', values.to);
const stage = join(to, '.stage');
const targets = values.target.split(',').map(readTarget);

rmSync(to, { recursive: true, force: true });
mkdirSync(stage, { recursive: true });
const server = closureOf(root, 'packages/server');
const packages = [...server, ...bundledPackages()].toSorted((a, b) => (a.place < b.place ? -1 : 1));
const nodes = namedPackages(
  root,
  targets.map(({ name }) => `node-${name}`),
);
const serverPackage = join(stage, 'helioport');
mkdirSync(serverPackage);
writeServerPackage(root, serverPackage);
const notice = noticeOf(
  root,
  packages.filter(({ os }) => os === undefined),
);
writeFileSync(join(serverPackage, 'NOTICE'), notice);
level(serverPackage, epochSeconds);
npmPack(serverPackage);
if (values.only !== 'npm') await buildRest();
rmSync(stage, { recursive: true });
writeChecksums(to);
console.log(`release: ${version} is in ${to}`);

async function buildRest() {
  packLibraries();
  const bom = await sbomOf(root, [...packages, ...nodes], { version, epochSeconds });
  writeJson(join(to, `helioport-${version}.cdx.json`), bom);
  writeFileSync(join(to, 'NOTICE'), notice);
  writeFileSync(join(to, 'CHANGES.md'), changesOf(root, version));
  for (const [i, target] of targets.entries()) buildTarget(target, nodes[i]);
}

function buildTarget(target, node) {
  const tree = join(stage, `helioport-${version}-${target.name}`);
  const cache = join(root, 'node_modules', '.cache', 'release');
  mkdirSync(tree);
  writeTree(root, tree, { serverPackage, packages: server, node, target, cache });
  for (const name of ['NOTICE', 'LICENSE', 'README.md'])
    cpSync(join(serverPackage, name), join(tree, name));
  cpSync(join(to, `helioport-${version}.cdx.json`), join(tree, 'sbom.cdx.json'));
  level(tree, epochSeconds);
  const architecture = ARCHITECTURES[target.cpu];
  packDebian(
    root,
    join(stage, `deb-${target.name}`),
    join(to, `helioport_${version}_${architecture}.deb`),
    { tree, version, architecture, epochSeconds },
  );
  for (const name of ['systemd', 'samples'])
    cpSync(join(root, 'deploy', name), join(tree, 'deploy', name), { recursive: true });
  level(tree, epochSeconds);
  packTar(tree, join(to, `helioport-${version}-${target.name}.tar.gz`), epochSeconds);
}

/** Packs a copy, since packing replaces manifests for a while, which a server that runs the sources must not see. */
function packLibraries() {
  const copy = join(stage, 'sources');
  mkdirSync(copy);
  for (const name of ['package.json', 'tsconfig.json', 'LICENSE', 'scripts', 'packages'])
    cpSync(join(root, name), join(copy, name), {
      recursive: true,
      filter: (path) => !/[\\/](dist|node_modules|data)$/.test(path.slice(root.length)),
    });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  execFileSync(process.execPath, [join(copy, 'scripts/pack.mjs'), to], { stdio: 'pipe' });
}

/** The packages of others that are in the portal's files, as its build has listed them. */
function bundledPackages() {
  const names = readFileSync(join(root, 'packages/portal/dist/.bundled'), 'utf8')
    .trim()
    .split('\n');
  return namedPackages(root, names);
}

function npmPack(folder) {
  const options = [`--pack-destination=${to}`, '--ignore-scripts', '--silent'];
  execFileSync('npm', ['pack', folder, ...options], { stdio: ['ignore', 'ignore', 'inherit'] });
}

function readTarget(name) {
  const [os, cpu] = name.split('-');
  if (os !== 'linux' || !(cpu in ARCHITECTURES))
    throw new Error(`--target must be linux-x64 or linux-arm64, not ${name}`);
  return { name, os, cpu };
}

function timeOfLastCommit() {
  try {
    const options = { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
    return execFileSync('git', ['log', '-1', '--format=%ct'], options).trim();
  } catch {
    throw new Error(
      'set SOURCE_DATE_EPOCH to the time of the release: these sources have no git history',
    );
  }
}
