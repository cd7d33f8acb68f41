import { compareBytes, nameOf, visibly, type Cell } from '@helioport/sdk/diagnosis';
import { expect, test } from 'vitest';

const shown = (cells: readonly Cell[]): string =>
  cells.map(({ character, name = character, differs }) => (differs ? `[${name}]` : name)).join(' ');

test('two texts are compared byte by byte, and what cannot be seen is shown', () => {
  const { lines, first } = compareBytes('POST\nü b\n/x', 'POST\r\nü\u00a0b\n/x');
  expect(lines.map(({ theirs, ours }) => [shown(theirs), shown(ours)])).toEqual([
    ['P O S T LF', 'P O S T [CR] LF'],
    ['ü [SPACE] b LF', 'ü [NBSP] b LF'],
    ['/ x', '/ x'],
  ]);
  expect(first).toMatchObject({
    at: 4,
    theirs: { name: 'LF', bytes: '0a' },
    ours: { name: 'CR', bytes: '0d' },
  });
  // Places count bytes, not characters.
  expect(lines[1]!.theirs.map(({ at }) => at)).toEqual([5, 7, 8, 9]);
  expect(lines[1]!.ours[1]).toMatchObject({ name: 'NBSP', bytes: 'c2a0' });
});

test('one text that is longer differs where the other ends', () => {
  expect(compareBytes('a', 'a\n')).toMatchObject({ first: { at: 1, ours: { name: 'LF' } } });
  expect(compareBytes('a', 'a')).toEqual({ lines: [expect.anything()] });
});

test('invisible characters have names', () => {
  expect(['\ufeff', '\u200b', '\t', '\u0007', 'a'].map(nameOf)).toEqual([
    'BOM',
    'ZERO WIDTH SPACE',
    'TAB',
    'U+0007',
    undefined,
  ]);
  expect([visibly('a b\r'), visibly('\u00a0'), visibly(' ')]).toEqual(['a bCR', 'NBSP', 'SPACE']);
});
