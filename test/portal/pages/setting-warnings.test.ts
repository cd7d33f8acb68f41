import type { WireData } from '@helioport/contract';
import { expect, test } from 'vitest';
import { unmetPrerequisite } from '../../../packages/portal/src/parts/settings/unmet-prerequisite.ts';
import { cutsSupply } from '../../../packages/portal/src/screens/device/parameters/supply-cut.ts';

type Setting = WireData<'command/parameters'>[number];

const reserve = { parameter: '157', effectiveWith: '636', effectiveOption: '16' } as Setting;

test.each([
  ['1', true],
  ['33', true],
  ['17', false],
  ['16', false],
  [undefined, false],
])(
  'of storage mode %s it is said that the charge kept for backup has no effect: %s',
  (value, isSaid) => {
    const mode = { parameter: '636', ...(value !== undefined && { value }) } as unknown as Setting;
    expect(unmetPrerequisite(reserve, [reserve, mode])).toBe(isSaid ? mode : undefined);
    expect(unmetPrerequisite({ parameter: '158' }, [reserve, mode])).toBeUndefined();
  },
);

test('nothing is said of a device whose storage mode is not listed', () => {
  expect(unmetPrerequisite(reserve, [reserve])).toBeUndefined();
});

test.each([
  [{ canCutSupply: false }, '0', false],
  [{ canCutSupply: true }, '33', true],
  [{ canCutSupply: true, cutsSupplyAtMost: 11 }, '11', true],
  [{ canCutSupply: true, cutsSupplyAtMost: 11 }, '12', false],
  [{ canCutSupply: true, cutsSupplyAtMost: 1100, scale: 0.01 }, '11', true],
  [{ canCutSupply: true, cutsSupplyAtMost: 1100, scale: 0.01 }, '12', false],
  [{ canCutSupply: true, cutsSupplyAtLeast: 90 }, '90', true],
  [{ canCutSupply: true, cutsSupplyAtLeast: 90 }, '89', false],
  [{ canCutSupply: true, cutsSupplyAtLeast: 90 }, 'no number', true],
])('of a setting with %j, %s is dangerous: %s', (setting, value, isDangerous) => {
  expect(cutsSupply(setting as Setting, value)).toBe(isDangerous);
});

const mode = { canCutSupply: true, cutsSupplyTurnedOn: '4', cutsSupplyTurnedOff: '20' };

test.each([
  ['turning backup on', '33', '49', false],
  ['turning backup off', '49', '33', true],
  ['leaving the grid', '33', '37', true],
  ['returning to it', '37', '33', true],
  ['feeding in first', '17', '80', false],
  ['leaving backup on, of a mode that was not read', undefined, '49', false],
  ['leaving it off', undefined, '33', true],
])('%s is dangerous: %s to %s, %s', (_, value, next, isDangerous) => {
  expect(cutsSupply({ ...mode, ...(value !== undefined && { value }) }, next)).toBe(isDangerous);
});
