import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSources } from '../lint/sources.ts';

const rows = [
  ...readFileSync(join(import.meta.dirname, '../docs/glossary.md'), 'utf8').matchAll(
    /^\| ([^|]+) \| [^|]+ \| `(\w+)` \|$/gm,
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
