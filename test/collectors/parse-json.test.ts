import { expect, test } from 'vitest';
import { parseJson } from '../../packages/server/src/fleet/collectors/parse-json.ts';
import { ELEMENT_BYTES } from '../../packages/server/src/fleet/collectors/report-sections.ts';

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
  // Far longer than an element may be: read once from each quote to the end, it would take many minutes.
  const tail = piece.repeat((64 * ELEMENT_BYTES) / piece.length);
  expect(() => parseJson(`nan"${tail}`)).toThrow(SyntaxError);
});
