import type { Chance } from './chance.ts';

/** JSON text of a value that nobody expects there; written as text, so that it may also be no JSON. */
export function hostileValue(chance: Chance, depth = 0): string {
  return chance.pick(VALUES)(chance, depth);
}

const plain = [
  'null',
  'true',
  'false',
  '0',
  '-0',
  '-1',
  '1e400',
  '-1e400',
  '1e-400',
  '0.1e1',
  '9007199254740993',
  '1300386381676644416',
  '123456789012345678901234567890',
  '""',
  '" "',
  '"1"',
  '"NaN"',
  '"Infinity"',
  '"-1"',
  '"0x10"',
  '"１２"',
  '"\\u0000"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\u202e"',
  '"%00"',
  '"../../etc/passwd"',
  '"\' or 1=1 --"',
  '"1; drop table plant"',
  '"$where"',
  '"{{7*7}}"',
  '"${7*7}"',
  '"<script>"',
  '"__proto__"',
  '"constructor"',
  '"2026-02-31"',
  '"2026-11"',
  '"9999-99-99"',
  '"0000-00-00"',
  '"true"',
  '[]',
  '{}',
  '[null]',
  '{"$gt":""}',
  '{"__proto__":{"admin":true}}',
  '{"toString":1}',
  '[[[[[[]]]]]]',
];
// No JSON at all.
const broken = [
  'NaN',
  'Infinity',
  '01',
  '+1',
  '.5',
  '1.',
  "'x'",
  '"\t"',
  '"\\x41"',
  'undefined',
  '{',
  '[',
  '"',
  ',',
  '/**/1',
  '\ufeff1',
  'nul',
  '1 2',
];

const VALUES: readonly ((chance: Chance, depth: number) => string)[] = [
  ...Array.from({ length: 12 }, () => (chance: Chance) => chance.pick(plain)),
  (chance) => chance.pick(broken),
  (chance) => JSON.stringify('x'.repeat(chance.below(5000))),
  (chance) =>
    JSON.stringify(
      String.fromCodePoint(...Array.from({ length: 20 }, () => chance.below(0x10ffff))),
    ),
  (chance) => '['.repeat(chance.below(3000)),
  (chance) => {
    const n = chance.below(3000);
    return '['.repeat(n) + ']'.repeat(n);
  },
  (chance) => '9'.repeat(1 + chance.below(400)),
  (chance) => `-0.${'0'.repeat(chance.below(400))}1e-${chance.below(1000)}`,
  (chance, depth) =>
    depth > 3
      ? '0'
      : `[${Array.from({ length: chance.below(4) }, () => hostileValue(chance, depth + 1)).join(',')}]`,
  (chance, depth) =>
    depth > 3 ? '{}' : hostileObject(chance, ['a', 'pageNo', '__proto__', ''], depth + 1),
];

/** An object with some of these keys, in any order, perhaps one of them twice. */
export function hostileObject(chance: Chance, keys: readonly string[], depth = 0): string {
  const members = Array.from(
    { length: chance.below(5) },
    () => `${JSON.stringify(chance.pick(keys))}:${hostileValue(chance, depth)}`,
  );
  return `{${members.join(chance.pick([',', ',', ',', ' , ', ',,']))}}`;
}

/** Bytes changed, cut, doubled or replaced. */
export function damaged(chance: Chance, text: string): Buffer {
  const bytes = Buffer.from(text);
  switch (chance.below(5)) {
    case 0:
      return bytes.subarray(0, chance.below(bytes.length + 1));
    case 1:
      return Buffer.concat([bytes, chance.bytes(chance.below(20))]);
    case 2:
      return chance.bytes(chance.below(300));
    case 3:
      return Buffer.concat([bytes, bytes]);
    default:
      if (bytes.length > 0) bytes[chance.below(bytes.length)] = chance.below(256);
      return bytes;
  }
}
