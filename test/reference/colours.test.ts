import fc from 'fast-check';
import { expect, test } from 'vitest';
import { operations } from '@helioport/contract';
import { coloured } from '../../packages/reference/src/colours.ts';
import { exampleOf, shownValue } from '../../packages/reference/src/example-fields.ts';
import { html } from '../../packages/reference/src/html.ts';

const markupOf = (text: string, language: string): string =>
  html`${coloured(text, language)}`.markup;
const plain = (text: string): string => html`${text}`.markup;

test('parts of programs are distinguished', () => {
  for (const [language, text, markup] of [
    ['json', '{"a": [1, "b:", null]}', '{<k>"a"</>: [<n>1</>, <s>"b:"</>, <w>null</>]}'],
    [
      'sh',
      `A='x' # y\ncurl -sS "$URL#z" $B`,
      `<k>A</>=<s>'x'</> <c># y</>\n<w>curl</> <k>-sS</> <s>"$URL#z"</> <k>$B</>`,
    ],
    [
      'python',
      'def f(x): return f"#{x}" + 1 # no',
      '<w>def</> f(x): <w>return</> <s>f"#{x}"</> + <n>1</> <c># no</>',
    ],
    ['ts', 'const a = `b${1}`; // c', '<w>const</> a = <s>`b${1}`</>; <c>// c</>'],
  ] as const) {
    const classes: Record<string, string> = {
      k: 'key',
      n: 'number',
      s: 'string',
      w: 'word',
      c: 'comment',
    };
    const wanted = plain(markup)
      .replaceAll('&lt;/&gt;', '</span>')
      .replaceAll(/&lt;([knswc])&gt;/g, (_, kind: string) => `<span class="${classes[kind]}">`);
    expect(markupOf(text, language)).toBe(wanted);
  }
});

test('colours never change a text, and what is in no known language has none', () => {
  const languages = ['json', 'sh', 'curl', 'conf', 'python', 'Python', 'ts', 'TypeScript', 'text'];
  const pieces = fc.constantFrom(
    '"',
    "'",
    '`',
    '\\',
    '\n',
    '#',
    '//',
    '/*',
    '*/',
    '$',
    '{',
    '<b>',
    '&',
    ' ',
    'return',
    '1.5e3',
    'true',
    '"""',
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...languages),
      fc.array(fc.oneof(pieces, fc.string())),
      (language, parts) => {
        const text = parts.join('');
        expect(markupOf(text, language).replaceAll(/<\/?span[^>]*>/g, '')).toBe(plain(text));
      },
    ),
  );
  expect(markupOf('"a" 1', 'text')).toBe(plain('"a" 1'));
});

test('a field has the value of the example beside it, from the outside in', () => {
  expect(exampleOf({ list: [{ a: 1, b: { c: 2 } }], a: 3 }, 'a')).toBe(3);
  expect(exampleOf([{ b: { c: 2 } }], 'c')).toBe(2);
  expect(exampleOf(null, 'c')).toBeUndefined();
  expect(shownValue('x'.repeat(99))).toBe(`"${'x'.repeat(59)}…`);
  expect(exampleOf(operations['stationDetail'].example.data, 'id')).toMatch(/^\d{19}$/);
});
