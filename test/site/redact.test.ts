import { describe, expect, test } from 'vitest';
import { hideSecrets, hideTexts } from '../../packages/collector/src/site/find/redact.ts';

const SN = '1031051234567890';
const STICK = '2700000077';

const wordsOf = (bytes: readonly number[]): number[] =>
  Array.from(
    { length: Math.ceil(bytes.length / 2) },
    (_, i) => (bytes[2 * i]! << 8) | (bytes[2 * i + 1] ?? 0),
  );
const codes = (text: string): number[] => [...text].map((letter) => letter.codePointAt(0)!);
const swapped = (words: readonly number[]): number[] =>
  words.map((word) => ((word & 0xff) << 8) | (word >> 8));
const pairs = (digits: string): string[] => digits.match(/../g)!;

/** The ways in which devices write who they are. */
const ways: readonly (readonly [string, readonly number[]])[] = [
  ['text', wordsOf(codes(SN))],
  ['text that begins in the second byte of a word', wordsOf([0, ...codes(SN), 0])],
  ['text, one character a word', codes(SN)],
  ['digits, one a word', codes(SN).map((code) => code - 48)],
  ['two digits a byte', wordsOf(pairs(SN).map((pair) => Number.parseInt(pair, 16)))],
  [
    'two digits a byte, the second first',
    wordsOf(pairs(SN).map((pair) => Number.parseInt(pair[1]! + pair[0]!, 16))),
  ],
  [
    'its last eight digits in two words',
    wordsOf(pairs(SN.slice(-8)).map((pair) => Number.parseInt(pair, 16))),
  ],
  ['the number of a stick', [Math.floor(Number(STICK) / 65_536), Number(STICK) % 65_536]],
  [
    'the number of 64 bits',
    [48, 32, 16, 0].map((shift) => Number((BigInt(SN) >> BigInt(shift)) & 0xffffn)),
  ],
  ['the address of the host', [(192 << 8) | 168, (1 << 8) | 40]],
  ['the address of the host as text', wordsOf(codes('192.168.1.40'))],
];

describe.each(ways)('%s', (_, plain) => {
  test.each([
    ['as it is', plain],
    ['with its bytes swapped', swapped(plain)],
    ['with its words in the other order', plain.toReversed()],
    ['with both', swapped(plain).toReversed()],
  ])('%s is not in a capture', (__, written) => {
    const words = new Map([7001, ...written, 7002].map((word, i) => [500 + i, word]));
    hideSecrets(words, [SN, STICK, '192.168.1.40']);
    hideTexts(words);
    const left = written.filter((word, i) => words.get(501 + i) === word && word !== 0);
    expect(left).toEqual([]);
    // What stands around it stays.
    expect([words.get(500), words.get(501 + written.length)]).toEqual([7001, 7002]);
  });
});

test.each([
  ['a network', 'My Home Net 5G'],
  ['a short network', 'FRITZ!'],
  ['a serial number of something else', 'AB12CD34EF'],
  ['an e-mail address', 'ada@example.org'],
])('%s that nobody knew of is not in a capture', (_, text) => {
  for (const words of [wordsOf(codes(text)), swapped(wordsOf(codes(text)))]) {
    const known = new Map(words.map((word, i) => [40 + i, word]));
    hideTexts(known);
    expect(new Set(known.values())).toEqual(new Set([0x3030]));
  }
});

test.each(['Müllers Haus', 'Zoë+Łukasz', 'Café', '我的太阳能', 'Солнце', 'Haus ☀️ Süd'])(
  'the name %s is not in a capture, wherever it begins',
  (text) => {
    const bytes = [...Buffer.from(text)];
    for (const written of [wordsOf(bytes), wordsOf([0, ...bytes])])
      for (const words of [written, swapped(written)]) {
        const known = new Map([7001, ...words, 7002].map((word, i) => [40 + i, word]));
        hideTexts(known);
        const left = [...known.values()].slice(1, -1);
        // At most what shares a word with nothing of it.
        expect(left.filter((word, i) => word === words[i] && word !== 0)).toEqual([]);
        expect([known.get(40), known.get(41 + words.length)]).toEqual([7001, 7002]);
      }
  },
);

test.each(['Müllers Haus', 'FRITZ!Box', 'Meadow Lane 4'])(
  'the name %s, one character a word, is not in a capture',
  (text) => {
    for (const words of [codes(text), swapped(codes(text))]) {
      const known = new Map([7001, ...words, 7002].map((word, i) => [40 + i, word]));
      hideTexts(known);
      expect(new Set([...known.values()].slice(1, -1))).toEqual(new Set([0x3030]));
    }
  },
);

test('measurements stay as they are', () => {
  const measured = [
    4021, 2010, 2398, 2401, 2385, 52, 51, 50, 0, 3890, 0, 37, 4998, 3, 0x3105, 0xffff,
    // Percents and temperatures, small and great ones.
    98, 99, 100, 97, 33, 41, 52, 0, 65, 66, 12, 0xffd8, 0xff9c, 50, 49, 48, 47, 46,
  ];
  const words = new Map(measured.map((word, i) => [i, word]));
  hideSecrets(words, [SN, STICK, '192.168.1.40', '', '0']);
  hideTexts(words);
  expect([...words.values()]).toEqual(measured);
});
