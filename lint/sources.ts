import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { posix } from 'node:path';
import { layers, workspaces } from './layers.ts';

/** Source text by path from the root of the repository. */
export type Sources = ReadonlyMap<string, string>;

export interface Import {
  /** Path of a file in the repository, or the name of a package. */
  readonly target: string;
  readonly typesOnly: boolean;
  /** Written as `import(...)`. */
  readonly lazy: boolean;
}

const ROOT = new URL('../', import.meta.url);

export function readSources(...patterns: readonly string[]): Sources {
  const paths = patterns.flatMap((pattern) => globSync(pattern, { cwd: ROOT })).toSorted();
  return new Map(paths.map((path) => [path, readFileSync(new URL(path, ROOT), 'utf8')]));
}

export const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(`${folder}/`);

const innermostFirst = Object.keys(layers).toSorted((a, b) => b.length - a.length);

/** The innermost layer that contains a file; undefined outside all layers (app.ts). */
export const layerOf = (path: string): string | undefined =>
  innermostFirst.find((folder) => isWithin(path, folder));

const STATIC = /^(?:import|export)\b[^;'"`]*?\bfrom '([^']+)'|^import '([^']+)'/gm;
const LAZY = /\bimport\('([^']+)'\)/g;

/** The imports of a file. Node's own modules are left out. */
export function importsOf(path: string, text: string): Import[] {
  const code = withoutTypes(path, text);
  const runtime = new Set(specifiers(code, STATIC));
  const typed = specifiers(text, STATIC).filter((name) => !runtime.has(name));
  return [
    ...[...runtime].map((name) => ({ target: resolve(path, name), typesOnly: false, lazy: false })),
    ...typed.map((name) => ({ target: resolve(path, name), typesOnly: true, lazy: false })),
    ...specifiers(code, LAZY).map((name) => ({
      target: resolve(path, name),
      typesOnly: false,
      lazy: true,
    })),
  ].filter(({ target }) => !target.startsWith('node:'));
}

const specifiers = (code: string, pattern: RegExp): string[] =>
  [...code.matchAll(pattern)].map(([, from, bare]) => (from ?? bare)!);

/** Only imports are looked for, so where there is markup, which Node cannot read, it is enough that imports of types go. */
const withoutTypes = (path: string, text: string): string =>
  path.endsWith('.tsx') ? text.replaceAll(/^import type [^;]*;/gm, '') : stripTypeScriptTypes(text);

function resolve(path: string, name: string): string {
  if (name.startsWith('.')) return posix.join(posix.dirname(path), name);
  const workspace = workspaces[name];
  return workspace ? `${workspace}/index.ts` : name;
}
