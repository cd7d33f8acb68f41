import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { guides } from '../../packages/reference/src/guides.ts';
import { closureOf, namedPackages, shrinkwrapOf } from './closure.mjs';
import { checkLinks, stripPackage } from './strip.mjs';

/** The packages of the workspace that a running server consists of. */
const PARTS = ['contract', 'devices', 'reference', 'sdk', 'collector', 'simulator', 'server'];

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));
const manifestOf = (root, part) => readJson(join(root, 'packages', part, 'package.json'));

/** Writes the npm package `helioport` into a folder: the server, its command and the built portal, laid out as in the sources. */
export function writeServerPackage(root, folder) {
  const modules = exportsOf(root);
  for (const part of PARTS)
    stripPackage(join(root, 'packages', part), join(folder, 'packages', part), modules);
  const server = join('packages', 'server');
  cpSync(join(root, server, 'bin'), join(folder, server, 'bin'), { recursive: true });
  const program = join(folder, server, 'bin', 'helioport.mjs');
  writeFileSync(program, readFileSync(program, 'utf8').replace('/main.ts', '/main.js'));
  cpSync(join(root, 'packages/portal/dist'), join(folder, 'packages/portal/dist'), {
    recursive: true,
    filter: (path) => !/[\\/]\.[^\\/]+$/.test(path),
  });
  copyGuides(root, folder);
  checkLinks(folder);
  for (const name of ['LICENSE', 'CHANGELOG.md'])
    copyFileSync(join(root, name), join(folder, name));
  copyFileSync(join(root, 'deploy/npm-readme.md'), join(folder, 'README.md'));
  const released = manifest(root);
  writeJson(join(folder, 'package.json'), released);
  const packages = [
    ...closureOf(root, 'packages/server', { peers: false }),
    ...namedPackages(root, Object.keys(released.optionalDependencies)),
  ];
  writeJson(
    join(folder, 'npm-shrinkwrap.json'),
    shrinkwrapOf(
      root,
      released,
      packages.toSorted((a, b) => (a.place < b.place ? -1 : 1)),
    ),
  );
}

/** The file of each module that packages of the workspace export. */
function exportsOf(root) {
  const modules = new Map();
  for (const part of PARTS) {
    const { name, exports } = manifestOf(root, part);
    for (const [path, file] of Object.entries(exports))
      modules.set(posix.join(name, path), posix.join(part, file).replace(/\.ts$/, '.js'));
  }
  return modules;
}

/** The guides of docs/ that the server shows. */
function copyGuides(root, folder) {
  mkdirSync(join(folder, 'docs'));
  for (const { name } of guides)
    copyFileSync(join(root, 'docs', `${name}.md`), join(folder, 'docs', `${name}.md`));
}

function manifest(root) {
  const { version, license, optionalDependencies } = readJson(join(root, 'package.json'));
  const { peerDependencies, peerDependenciesMeta } = manifestOf(root, 'server');
  const { version: release } = manifestOf(root, 'server');
  if (release !== version) throw new Error(`the server is ${release}, the workspace ${version}`);
  return {
    name: 'helioport',
    version,
    description: 'A self-hostable cloud that monitors and controls solar plants',
    license,
    type: 'module',
    bin: { helioport: 'packages/server/bin/helioport.mjs' },
    engines: { node: '>=20' },
    dependencies: dependenciesOf(root),
    // Node itself, for machines that have an older one.
    optionalDependencies,
    peerDependencies,
    peerDependenciesMeta,
  };
}

function dependenciesOf(root) {
  const needed = {};
  for (const part of PARTS)
    for (const [name, version] of Object.entries(manifestOf(root, part).dependencies ?? {})) {
      if (name.startsWith('@helioport/')) continue;
      if ((needed[name] ?? version) !== version)
        throw new Error(`two versions of ${name} are needed: ${needed[name]} and ${version}`);
      needed[name] = version;
    }
  return Object.fromEntries(Object.entries(needed).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

export const writeJson = (file, value) =>
  writeFileSync(file, `${JSON.stringify(value, undefined, 2)}\n`);
