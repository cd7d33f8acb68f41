import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const DIST = fileURLToPath(new URL('../../../packages/portal/dist', import.meta.url));
const ASSETS = join(DIST, 'assets');
const names = readdirSync(ASSETS).filter((name) => /\.(js|css)$/.test(name));
const textOf = (name: string): string => readFileSync(join(ASSETS, name), 'utf8');

const page = readFileSync(join(DIST, 'index.html'), 'utf8');

test('the page has no script of its own but names it, and the nonce and the session stand where the server puts them', () => {
  expect(page).toMatch(
    /<script type="application\/json" id="session"[^>]*>\s*"SESSION-OF-THIS-PAGE"\s*<\/script>/,
  );
  expect(page.match(/<script\b(?! type="application\/json")[^>]*>/g)).toEqual([
    // Light or dark, before anything is drawn.
    '<script src="/look.js" nonce="NONCE-OF-THIS-PAGE">',
    expect.stringMatching(
      /^<script type="module" crossorigin src="\/assets\/[^"]+" nonce="NONCE-OF-THIS-PAGE">$/,
    ),
  ]);
  expect(page).not.toMatch(/<style|\son\w+=|javascript:/i);
  expect(page).toContain('<meta property="csp-nonce" nonce="NONCE-OF-THIS-PAGE"');
});

test('no schema library and none of the contract’s declarations are in what browsers load', () => {
  const all = names.filter((name) => name.endsWith('.js')).map(textOf);
  for (const text of all)
    expect(text).not.toMatch(/stationStatusVo|Lists the plants that the caller owns/);
});

test('what browsers install is whole: the manifest, its icons, and the worker', () => {
  const manifest = JSON.parse(readFileSync(join(DIST, 'manifest.webmanifest'), 'utf8')) as {
    icons: { src: string; sizes: string; type: string }[];
  };
  expect(manifest.icons.map(({ sizes }) => sizes)).toEqual(['any', '192x192', '512x512']);
  for (const { src, sizes, type } of manifest.icons) {
    const bytes = readFileSync(join(DIST, src));
    if (type !== 'image/png') continue;
    expect(bytes.subarray(1, 4).toString('latin1')).toBe('PNG');
    expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(sizes);
  }
  expect(readFileSync(join(DIST, 'service-worker.js'), 'utf8')).not.toMatch(/\bimport\b/);
});

test('each language has a page that has its first texts loaded at once', () => {
  for (const language of ['en', 'de', 'es', 'zh']) {
    const own = readFileSync(join(DIST, `index.${language}.html`), 'utf8');
    expect(own).toContain(`<html lang="${language}">`);
    const [, file] = new RegExp(
      `<link rel="modulepreload" crossorigin href="/assets/(texts-${language}-[^"]+)"`,
    ).exec(own)!;
    expect(textOf(file!)).toContain(
      { en: 'Right now', de: 'Gerade jetzt', es: 'Ahora mismo', zh: '此刻' }[language],
    );
  }
});

test('engines are made to compile early what the first page runs, and nothing else', () => {
  const early = names.filter((name) => textOf(name).startsWith('//# allFunctionsCalledOnLoad\n'));
  expect(early.map((name) => name.replace(/-[\w-]{8}\.js$/, '')).toSorted()).toEqual([
    'index',
    'texts-de',
    'texts-en',
    'texts-es',
    'texts-zh',
  ]);
});
