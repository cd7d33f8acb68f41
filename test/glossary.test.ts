import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSources } from '../lint/sources.ts';

const rows = [
  ...readFileSync(join(import.meta.dirname, '../docs/glossary.md'), 'utf8').matchAll(
    /^\| ([^|]+) \| [^|]+ \| `(\w+)` \|(?: ([^|]+) \|)?$/gm,
  ),
];
const sources = [...readSources('packages/*/src/**/*.ts').values()].join('\n');

test('every name in the glossary is exported somewhere', () => {
  expect(rows.length).toBeGreaterThan(30);
  const missing = rows.filter(
    ([, , name]) =>
      !new RegExp(
        `^export (?:async )?(?:const|function|class|interface|type) ${name}\\b`,
        'm',
      ).test(sources),
  );
  expect(missing.map(([, term, name]) => `${term}: ${name}`)).toEqual([]);
});

test('every term stands there once', () => {
  const terms = rows.map(([, term]) => term);
  expect(terms).toEqual([...new Set(terms)]);
});

/** Words by which somebody who comes from elsewhere looks for something. */
const sought = [
  'snapshot',
  'notification',
  'retry',
  'pagination',
  'cleanup',
  'scheduler',
  'idempotency',
  'invalidate',
  'webhook',
  'queue',
  'job',
  'cache',
  'migration',
  'session',
  'tenant',
];

test('a reader who comes from elsewhere finds our terms by their own words', () => {
  const words = new Set(
    rows.flatMap(([, term, , others = '']) => [term, ...others.split(/[ ,()]+/)]),
  );
  expect(sought.filter((word) => !words.has(word))).toEqual([]);
});

test('a word that is one of our terms is not another term’s other name', () => {
  const terms = new Set(rows.map(([, term]) => term));
  const both = rows.flatMap(([, term, , others = '']) =>
    others
      .split(', ')
      .filter((word) => terms.has(word))
      .map((word) => `${term}: ${word}`),
  );
  expect(both).toEqual([]);
});
