import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSources } from '../lint/sources.ts';

const page = readFileSync(join(import.meta.dirname, '../docs/interface.md'), 'utf8');
const rules = [...page.matchAll(/^- \*\*([WSCO]\d+)\*\* /gm)].map(([, rule]) => rule!);

const everything = readSources(
  'packages/*/src/**/*.ts',
  'test/**/*.ts',
  'scripts/**/*.{mjs,mts}',
  'benchmarks/**/*.ts',
);
const others = new Map([...everything].filter(([path]) => path !== 'test/interface.test.ts'));

/** `O35 to O45` and `O3, O4` as single rules. */
function rulesIn(citation: string): string[] {
  return citation.split(', ').flatMap((part) => {
    const [, letter, first, last = first] = /^([WSCO])(\d+)(?: to [WSCO](\d+))?$/.exec(part)!;
    return Array.from(
      { length: Number(last) - Number(first) + 1 },
      (_, i) => `${letter}${Number(first) + i}`,
    );
  });
}

const LIST = /[WSCO]\d+(?: to [WSCO]\d+)?(?:, [WSCO]\d+(?: to [WSCO]\d+)?)*/;
const CITATIONS = [
  new RegExp(`\\binterface (${LIST.source})`, 'g'),
  // Titles of tests name the rule that they hold: `... (O13)`, `S7: ...`.
  new RegExp(`\\((${LIST.source})\\)['\`]`, 'g'),
  new RegExp(`['\`](${LIST.source}): `, 'g'),
];

const cited = (paths: (path: string) => boolean): Map<string, string> =>
  new Map(
    [...others]
      .filter(([path]) => paths(path))
      .flatMap(([path, text]) =>
        CITATIONS.flatMap((form) =>
          [...text.matchAll(form)].flatMap(([, list]) =>
            rulesIn(list!).map((rule) => [rule, path] as const),
          ),
        ),
      ),
  );

test('the rules of each interface are numbered without a gap', () => {
  for (const letter of 'WSCO') {
    const numbers = rules.filter((rule) => rule.startsWith(letter));
    expect(numbers).toEqual(numbers.map((_, i) => `${letter}${i + 1}`));
  }
  expect(rules.length).toBeGreaterThan(100);
});

test('every rule that is cited stands in docs/interface.md', () => {
  expect([...cited(() => true)].filter(([rule]) => !rules.includes(rule))).toEqual([]);
});

test('every rule is held by a test that names it', () => {
  const named = cited((path) => path.startsWith('test/'));
  expect(rules.filter((rule) => !named.has(rule))).toEqual([]);
});

test('nothing cites a document that is not here', () => {
  const stray = [...others].flatMap(([path, text]) =>
    /\b(checklist|pitfall|wire-facts|decisions\.md)\b|\bspec: /i.test(text) ? [path] : [],
  );
  expect(stray).toEqual([]);
});
