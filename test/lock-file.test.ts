import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Locked {
  resolved?: string;
  link?: boolean;
  hasInstallScript?: boolean;
  license?: string;
  optionalDependencies?: Record<string, string>;
}

const { packages } = JSON.parse(
  readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'),
) as { packages: Record<string, Locked> };

test('names no place to download from: every machine asks its own registry', () => {
  expect(
    Object.entries(packages).filter(([, { resolved, link }]) => resolved !== undefined && !link),
  ).toEqual([]);
});

test('has the binaries of every platform, or npm ci refuses it there', () => {
  const missing = Object.entries(packages).flatMap(([name, { optionalDependencies }]) =>
    Object.keys(optionalDependencies ?? {}).filter(
      (dependency) =>
        !packages[`node_modules/${dependency}`] && !packages[`${name}/node_modules/${dependency}`],
    ),
  );
  expect(missing).toEqual([]);
});

test('has no package that wants to run a script when it is installed', () => {
  const wanting = Object.entries(packages).flatMap(([name, { hasInstallScript }]) =>
    hasInstallScript ? [name] : [],
  );
  // fsevents is for macOS, optional, and works from the binary that it ships; the script of protobufjs only warns of loose version ranges.
  expect(
    wanting.filter((name) => !['node_modules/fsevents', 'node_modules/protobufjs'].includes(name)),
  ).toEqual([]);
});
