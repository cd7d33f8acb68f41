import { globSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { readSources } from '../lint/sources.ts';

const ROOT = new URL('../', import.meta.url);

/** Every file of the repository, from its root. */
const files = new Set(
  globSync(
    [
      '*.{ts,json,md}',
      '{packages,test,lint,scripts,benchmarks,docs}/**/*.{ts,tsx,mts,mjs,js,css,sql,md,json,yaml,html}',
    ],
    { cwd: ROOT, exclude: ['**/node_modules/**', '**/dist/**'] },
  ).map((path) => path.replaceAll('\\', '/')),
);

/** The comments of a source, whole lines and behind code. Migrations are left out: what has been applied is not changed any more. */
const commentsOf = (text: string): string[] =>
  [...text.matchAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*$/gm)].map(([comment]) => comment);

/** A path or a name with an ending of ours; `*` and `<...>` stand for something. */
const NAMED =
  /(?<![\w@:./<*-])(?:[\w-]+\/)*[\w.-]+\.(?:tsx?|mts|mjs|js|sql|css|md|ya?ml)(?![\w/-])/g;

/** Names that only look like files of ours. */
const ELSEWHERE = new Set(['MQTT.js', 'collect.yaml']);

const decisions = [...files].flatMap((path) => /^docs\/adr\/(\d{4})-/.exec(path)?.[1] ?? []);

test('every file that a comment names exists', () => {
  const sources = readSources(
    '*.ts',
    '{lint,scripts,benchmarks,test}/**/*.{ts,mts,mjs}',
    'packages/*/src/**/*.{ts,tsx}',
    'packages/portal/{build,public}/**/*.{ts,js}',
  );
  let named = 0;
  const missing: string[] = [];
  for (const [path, text] of sources) {
    for (const comment of commentsOf(text)) {
      for (const [, number] of comment.matchAll(/\badr\/(\d{4})/g))
        if (!decisions.includes(number!)) missing.push(`${path}: decision ${number}`);
      for (const [name] of comment.matchAll(NAMED)) {
        named += 1;
        if (ELSEWHERE.has(name) || exists(path, name)) continue;
        missing.push(`${path}: ${name}`);
      }
    }
  }
  expect(named).toBeGreaterThan(60);
  expect(missing).toEqual([]);
});

/** Whether a file of this name, or with this end of its path, is there: beside the source, or anywhere in the repository. */
const exists = (path: string, name: string): boolean =>
  files.has(posix.join(posix.dirname(path), name)) ||
  [...files].some((file) => file === name || file.endsWith(`/${name}`));
