import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/**
 * What a workspace package needs at run time, from package-lock.json: entries `{ place, name, version, license, integrity, os, cpu, libc }`, whose
 * places are below the root; with optional peers unless said otherwise.
 */
export function closureOf(root, workspace, { peers = true } = {}) {
  const locked = lockOf(root);
  const found = new Map();
  const visit = (place) => {
    const entry = locked[place];
    const names = {
      ...entry.dependencies,
      ...entry.optionalDependencies,
      ...(peers ? entry.peerDependencies : neededPeers(entry)),
    };
    for (const name of Object.keys(names)) {
      const at = resolvePlace(locked, place, name);
      if (at === undefined) {
        if (name in (entry.dependencies ?? {}))
          throw new Error(`${place} needs ${name}, which package-lock.json does not have`);
        continue;
      }
      if (found.has(at)) continue;
      found.set(at, described(at, name, locked[at]));
      visit(at);
    }
  };
  visit(workspace);
  return [...found.values()]
    .filter(({ place }) => place.startsWith('node_modules/'))
    .toSorted((a, b) => (a.place < b.place ? -1 : 1));
}

/** The packages of package-lock.json by the names that `names` lists. */
export function namedPackages(root, names) {
  const locked = lockOf(root);
  return names.map((name) =>
    described(`node_modules/${name}`, name, locked[`node_modules/${name}`]),
  );
}

const neededPeers = ({ peerDependencies = {}, peerDependenciesMeta = {} }) =>
  Object.fromEntries(
    Object.entries(peerDependencies).filter(([name]) => !peerDependenciesMeta[name]?.optional),
  );

/**
 * The text of npm-shrinkwrap.json of a package whose manifest is given: that the packages which were tested are installed. It names no registry, so that
 * each machine asks its own.
 */
export function shrinkwrapOf(root, manifest, packages) {
  const locked = lockOf(root);
  const { name, version } = manifest;
  const entries = packages.map(({ place }) => {
    const { resolved: _, dev: __, devOptional: ___, peer: ____, ...entry } = locked[place];
    return [place, entry];
  });
  return {
    name,
    version,
    lockfileVersion: 3,
    requires: true,
    packages: { '': manifest, ...Object.fromEntries(entries) },
  };
}

const lockOf = (root) => JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;

const described = (place, name, { version, license, integrity, os, cpu, libc }) => ({
  place,
  name,
  version,
  license,
  integrity,
  os,
  cpu,
  libc,
});

/** Where Node finds a package from a place, links of the workspace followed. */
function resolvePlace(locked, from, name) {
  for (let folder = from; ; folder = posix.dirname(folder)) {
    const place = posix.join(folder, 'node_modules', name);
    const entry = locked[place];
    if (entry) return entry.link ? entry.resolved : place;
    if (folder === '.') return undefined;
  }
}

/** Whether a package works on a target such as `{ os: 'linux', cpu: 'x64' }`, which has the GNU C library. */
export const isFor = ({ os, cpu, libc }, target) =>
  (!os || [os].flat().includes(target.os)) &&
  (!cpu || [cpu].flat().includes(target.cpu)) &&
  (!libc || [libc].flat().includes('glibc'));
