import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const DIST = fileURLToPath(new URL('../../../packages/portal/dist', import.meta.url));
const ASSETS = join(DIST, 'assets');
const names = readdirSync(ASSETS).filter((name) => /\.(js|css)$/.test(name));
const textOf = (name: string): string => readFileSync(join(ASSETS, name), 'utf8');

/** Bytes as a browser gets them: Brotli where the build made it, which small files do not need. */
const sentBytes = (name: string): number => statSync(existsSync(join(ASSETS, `${name}.br`)) ? join(ASSETS, `${name}.br`) : join(ASSETS, name)).size;

/** The files that a file cannot do without, and those files' own. */
function needs(name: string, found: Set<string> = new Set()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const [, needed] of textOf(name).matchAll(/(?:from|import)\s?"\.\/([^"]+\.js)"/g)) needs(needed!, found);
  return found;
}

/** The only file that contains a text. */
const fileOf = (marker: string): string => {
  const [only, ...others] = names.filter((name) => name.endsWith('.js') && textOf(name).includes(marker));
  expect([only !== undefined, others], marker).toEqual([true, []]);
  return only!;
};

const page = readFileSync(join(DIST, 'index.html'), 'utf8');

test('the first screen needs less than 200 kB of scripts and styles', () => {
  const entry = /<script [^>]*src="\/assets\/([^"]+)"/.exec(page)![1]!;
  const scripts = new Set([...needs(entry), ...needs(fileOf('plant/ranking')), ...names.filter((name) => /^en-/.test(name))]);
  const styles = names.filter((name) => name.endsWith('.css') && !/^(plant-map|uplot)/i.test(name));
  const bytes = [...scripts, ...styles].reduce((sum, name) => sum + sentBytes(name), 0);
  expect(scripts.size).toBeGreaterThan(4);
  expect(bytes).toBeGreaterThan(100_000);
  expect(bytes).toBeLessThan(200_000);
});

test('curves and the map are not among what the first screen needs', () => {
  const entry = /<script [^>]*src="\/assets\/([^"]+)"/.exec(page)![1]!;
  const first = new Set([...needs(entry), ...needs(fileOf('plant/ranking'))]);
  for (const marker of ['u-select', 'countries-110m']) expect(first.has(fileOf(marker)), marker).toBe(false);
});

test('the page has no script of its own but names it, and the nonce stands where the server puts one', () => {
  expect(page.match(/<script\b[^>]*>/g)).toEqual([
    expect.stringMatching(/^<script type="module" crossorigin src="\/assets\/[^"]+" nonce="NONCE-OF-THIS-PAGE">$/),
  ]);
  expect(page).not.toMatch(/<style|\son\w+=|javascript:/i);
  expect(page).toContain('<meta property="csp-nonce" nonce="NONCE-OF-THIS-PAGE"');
});

test('no schema library and none of the contract’s declarations are in what browsers load', () => {
  const all = names.filter((name) => name.endsWith('.js')).map(textOf);
  for (const text of all) expect(text).not.toMatch(/stationStatusVo|Lists the plants that the caller owns/);
});

test('what browsers install is whole: the manifest, its icons, and the worker', () => {
  const manifest = JSON.parse(readFileSync(join(DIST, 'manifest.webmanifest'), 'utf8')) as { icons: { src: string; sizes: string; type: string }[] };
  expect(manifest.icons.map(({ sizes }) => sizes)).toEqual(['any', '192x192', '512x512']);
  for (const { src, sizes, type } of manifest.icons) {
    const bytes = readFileSync(join(DIST, src));
    if (type !== 'image/png') continue;
    expect(bytes.subarray(1, 4).toString('latin1')).toBe('PNG');
    expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(sizes);
  }
  expect(readFileSync(join(DIST, 'service-worker.js'), 'utf8')).not.toMatch(/\bimport\b/);
});
