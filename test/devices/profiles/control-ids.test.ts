import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findProfile } from '../../../packages/devices/src/profiles/profiles.ts';
import type { Parameter } from '../../../packages/devices/src/profiles/profile.ts';

type Listed = Readonly<Record<string, string>>;
const facts = JSON.parse(
  readFileSync(
    new URL('../../../packages/devices/src/facts/control-ids.json', import.meta.url),
    'utf8',
  ),
) as {
  readonly slots103: { readonly maxCurrentA: number };
  readonly string: Listed;
  readonly hybrid: Listed;
};

const ours = (id: string): readonly Parameter[] => [...findProfile(id)!.parameters.values()];

/** What public documents and recordings name beside the maker's list. */
const BEYOND_THE_LIST = [
  '230',
  '543',
  '4643',
  '4644',
  '4692',
  '5007',
  '5161',
  '5162',
  '6798',
  '6962',
  '6968',
  '7224',
  '7226',
  '7229',
  '7963',
];
/** Listed for inverters of the other kind only. */
const OF_THE_OTHER_KIND = { string: ['376', '4754'], hybrid: ['15'] };

test('all 81 parameters are in the maker’s list of control ids, or known to be beyond it', () => {
  const all = new Set(
    ['string-inverter', 'storage-inverter'].flatMap((id) => ours(id).map((one) => one.id)),
  );
  expect(all.size).toBe(81);
  const listed = new Set([...Object.keys(facts.string), ...Object.keys(facts.hybrid)]);
  expect(
    [...all].filter((id) => !listed.has(id)).toSorted((a, b) => Number(a) - Number(b)),
  ).toEqual(BEYOND_THE_LIST);
});

test.each([
  ['string-inverter', 'string'],
  ['storage-inverter', 'hybrid'],
] as const)('%s agrees with the list in kind, unit and options', (profile, kind) => {
  for (const { id, form, access } of ours(profile)) {
    if (BEYOND_THE_LIST.includes(id) || OF_THE_OTHER_KIND[kind].includes(id)) continue;
    const [, unit = '', options = ''] = facts[kind][id]!.split('|').map((part) => part.trim());
    if (form.type === 'number' && unit !== '') expect(form.unit, id).toBe(unit);
    if (unit.startsWith('yyyy')) expect(form.type, id).toBe('clock');
    const numbers = [...options.matchAll(/(?:^|; )(\d+)/g)].map(([, number]) => number!);
    if (numbers.length > 0 && form.type === 'choice')
      for (const number of numbers) expect(Object.keys(form.options), id).toContain(number);
    if (access === 'write') expect(form.type, id).not.toBe('text');
  }
});

test('the currents of the three slots go as far as the list says', () => {
  const slots = ours('storage-inverter').find(({ id }) => id === '103')!;
  expect(slots.form).toEqual({ type: 'slots', maxCurrentA: facts.slots103.maxCurrentA });
});
