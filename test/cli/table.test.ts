import { expect, test } from 'vitest';
import { printable, printableJson } from '../../packages/server/src/interfaces/cli/printable.ts';
import { tableText } from '../../packages/server/src/interfaces/cli/table.ts';

test('a table may have more rows than a function has arguments', () => {
  const rows = Array.from({ length: 300_000 }, (_, i) => [i]);
  expect(tableText(['n'], rows).split('\n')).toHaveLength(300_001);
});

test('text for a terminal keeps lines and letters, and nothing that a terminal obeys', () => {
  expect(printable('a\tb\n\u001b[31mc\r\u009bd\u007f 太陽 👨‍👩‍👧 \u202eevil')).toBe(
    'a\tb\n\ufffd[31mc\ufffd\ufffdd\ufffd 太陽 👨‍👩‍👧 \ufffdevil',
  );
  const value = { name: '\u001b[31m\u009b\u007f\u202e 太陽' };
  const json = printableJson(JSON.stringify(value));
  expect(JSON.parse(json)).toEqual(value);
  expect(json).not.toMatch(/\p{Cc}|\u202e/u);
});
