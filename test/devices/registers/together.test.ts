import { checkValue, findProfile, planWrite, readsBackAs, spansOf } from '@helioport/devices';
import { expect, test } from 'vitest';

test.each([
  ['deye-hybrid-1p', 250],
  ['deye-hybrid-3p', 148],
  ['deye-hybrid-3p-high', 148],
] as const)('%s: the six times of programs are written by one request', (family, at) => {
  const profile = findProfile(family)!;
  const present = new Map([0, 500, 900, 1300, 1700, 2100].map((word, i) => [at + i, word]));
  const wanted = '00:00,05:30,06:00,13:00,17:00,23:55';
  expect(spansOf(profile, '90020')).toEqual([{ table: 'holding', address: at, count: 6 }]);
  expect(planWrite(profile, '90020', wanted, (address) => present.get(address))).toEqual({
    value: wanted,
    writes: [
      {
        function: 16,
        table: 'holding',
        address: at,
        words: [0, 530, 600, 1300, 1700, 2355],
      },
    ],
  });
});

const times = findProfile('deye-hybrid-1p')!.parameters.get('90020')!;

test.each([
  '00:00,05:00,09:00,13:00,17:00',
  '00:00,05:00,09:00,13:00,17:00,21:00,22:00',
  '00:00,05:00,09:00,09:00,17:00,21:00',
  '05:00,00:00,09:00,13:00,17:00,21:00',
  '00:00,05:01,09:00,13:00,17:00,21:00',
  '00:00,05:00,09:00,13:00,17:00,24:00',
  '0:00,05:00,09:00,13:00,17:00,21:00',
  '',
])('times that an inverter could not follow are refused: %s', (text) => {
  expect(checkValue(times, text)).toMatchObject({
    fault: { reason: 'malformed', expected: expect.stringContaining('each later than the one') },
  });
  expect(readsBackAs(times, text, text)).toBe(false);
});

test('a forced power is written with its direction first, and each time anew; what forces nothing, only if need be', () => {
  const profile = findProfile('solis-storage')!;
  const written = (text: string, words: Readonly<Record<number, number>>): unknown => {
    const plan = planWrite(profile, '90201', text, (at) => words[at] ?? 0);
    return 'writes' in plan
      ? plan.writes.map(({ function: fn, address, words: [word] }) => [fn, address, word])
      : plan;
  };
  expect(written('2500', {})).toEqual([
    [6, 43_135, 1],
    [6, 43_136, 250],
  ]);
  expect(written('-2500', { 43_135: 2, 43_129: 250 })).toEqual([
    [6, 43_135, 2],
    [6, 43_129, 250],
  ]);
  expect(written('0', { 43_135: 2, 43_129: 250 })).toEqual([[6, 43_135, 0]]);
  expect(written('0', { 43_129: 250 })).toEqual([]);
});
