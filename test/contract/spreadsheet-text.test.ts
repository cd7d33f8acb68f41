import { expect, test } from 'vitest';
import { spreadsheetText } from '../../packages/contract/src/spreadsheets/spreadsheet-text.ts';
import { csvText } from '../../packages/portal/src/parts/csv/csv-text.ts';
import { csvField } from '../../packages/server/src/platform/kernel/csv-field.ts';

const SIGNS = ['=', '+', '-', '@', '\uff1d', '\uff0b', '\uff0d', '\uff20', '\u2212', '\ufe66'];
const BEFORE = [
  '',
  ' ',
  '  ',
  '\t',
  '\r',
  '\n',
  '\u00a0',
  '\u3000',
  '\u200b',
  '\ufeff',
  '"',
  "'",
  '“',
];
const SEPARATORS = [';', ',', '\t', '\n'];
/** The first character of each cell, however a spreadsheet splits the line. */
const starts = (line: string): string[] =>
  [',', ';', '\t'].flatMap((separator) =>
    line
      .split(new RegExp(`[${separator}\r\n]`))
      .map((cell) => cell.replace(/^[\s\p{C}\p{Z}"“]*/u, '').slice(0, 1)),
  );

test.each(SIGNS)(
  'no text begins a formula with %j, behind whatever, in any CSV that is written',
  (sign) => {
    for (const before of BEFORE)
      for (const text of [
        `${before}${sign}HYPERLINK("x")`,
        ...SEPARATORS.map((separator) => `House${separator}${before}${sign}cmd`),
      ]) {
        expect(spreadsheetText(text)).not.toBe(text);
        for (const line of [
          csvField(text),
          csvText([[text, 'b']], '.').slice(1),
          csvText([[text, 'b']], ',').slice(1),
        ])
          expect([text, line, starts(line).filter((start) => SIGNS.includes(start))]).toEqual([
            text,
            line,
            [],
          ]);
      }
  },
);

test.each([
  ['Meadow Lane 4', 'Meadow Lane 4'],
  ['a-b = c@d + e', 'a-b = c@d + e'],
  ['-12.5', '-12.5'],
  ['+3', '+3'],
  ['2026-11-06T11:05:30Z', '2026-11-06T11:05:30Z'],
  ['\ttab', "'\ttab"],
  ['-1+1', "'-1+1"],
  ['=1', "'=1"],
  ['a;=1', "a;'=1"],
])('%j is written as %j', (text, written) => {
  expect(spreadsheetText(text)).toBe(written);
});

test('figures stay figures, and what separates is quoted', () => {
  expect([-1.5, 0, true, undefined, 'a;b', 'a"b', '-2'].map(csvField)).toEqual([
    '-1.5',
    '0',
    'true',
    '',
    '"a;b"',
    '"a""b"',
    '-2',
  ]);
});
