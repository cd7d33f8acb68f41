import { expect, test } from 'vitest';
import { parseJson } from '../../packages/server/src/fleet/collectors/parse-json.ts';
import { ELEMENT_BYTES } from '../../packages/server/src/fleet/collectors/parts.ts';

test('what is no number becomes null, outside of texts only', () => {
  expect(parseJson('{"a":NaN,"b":[-Infinity,+inf,nan],"nan":"inf \\" NaN \\\\","c":1}')).toEqual({
    a: null,
    b: [null, null, null],
    nan: 'inf " NaN \\',
    c: 1,
  });
});

test.each([
  ['escaped quotes', '\\"'],
  ['quotes', '"'],
  ['backslashes', '\\'],
  ['signs', '-'],
  ['words', 'nan '],
])('%s after a text that does not end take no longer than as many other characters', (_, piece) => {
  const tail = piece.repeat(Math.floor((ELEMENT_BYTES - 4) / piece.length));
  // Read once from each quote to the end, sixty of them would take minutes.
  for (let i = 0; i < 60; i++) expect(() => parseJson(`nan"${tail}`)).toThrow(SyntaxError);
});
