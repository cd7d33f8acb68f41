import { expect, test } from 'vitest';
import { expressionsIn, hostileText } from '../lint/regular-expressions.ts';
import { readSources } from '../lint/sources.ts';
import { effort } from './support/effort.ts';

const OWN = 'reads texts of this repository alone';

/** Expressions whose time grows with the square of a text, and why no text can be long. */
const reasons: Readonly<Record<string, string>> = {
  'packages/reference/src/markdown.ts': OWN,
};

/** Of the texts that could be tried on an expression. */
const ONE_IN = effort(7, 1);

const expressions = expressionsIn(readSources('packages/*/src/**/*.{ts,tsx}'));

test('expressions are found in the sources', () => {
  expect(expressions.length).toBeGreaterThan(400);
});

test('no regular expression takes a time that grows faster than the text', () => {
  const hostile = expressions.flatMap(({ place, ...expression }) => {
    const text = hostileText(expression, ONE_IN);
    return text === undefined || reasons[place.split(': ', 1)[0]!] ? [] : [`${place} for ${text}`];
  });
  expect(hostile).toEqual([]);
});

test.each([
  [/=+$/],
  [/\/+$/],
  [/^([^+]+)\+.*(@.+)$/],
  [/[[(][^\])]*[\])]\s*$/],
  [/^([+-]?[\d.,]*\d[\d.,]*(?:[eE][+-]?\d+)?)\s*([A-Za-z]{0,9})?$/],
  [/^(.*?)\s*[[({]\s*([^\])}]+?)\s*[\])}]\s*$/s],
  [/^(.*?)(?:\s*[,;/]\s*|\s+in\s+|\s+|_)([^\s,;/_]+(?:\/m[²2s])?)$/is],
  [/\S*[.:]\S*/gu],
  [/^\s*-?\s*$/],
  [/\bVersion\/.*\bSafari\//],
  [/^[.-]+|[.-]+$/g],
  [/"(?:[^"\\]|\\.)*"/],
  [/^(a+)+$/],
  [/^(?:\w|\d)+;$/],
])('%s, which does, is found', ({ source, flags }) => {
  expect(hostileText({ pattern: source, flags }, ONE_IN)).toBeDefined();
});
