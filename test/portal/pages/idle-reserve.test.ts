import type { WireData } from '@helioport/contract';
import { expect, test } from 'vitest';
import { modeWithoutReserve } from '../../../packages/portal/src/screens/device/parameters/idle-reserve.ts';

type Setting = WireData<'command/parameters'>[number];

const options = [
  { value: '1', name: 'self-use', settable: true, exclusive: false },
  { value: '16', name: 'backup', settable: true, exclusive: false },
  { value: '32', name: 'charge from the grid', settable: true, exclusive: false },
];
const reserve = { parameter: '157' } as Setting;

test.each([
  ['1', true],
  ['33', true],
  ['17', false],
  ['16', false],
  [undefined, false],
])('of storage mode %s it is said that it keeps no charge for backup: %s', (value, isSaid) => {
  const mode = { parameter: '636', options, ...(value !== undefined && { value }) } as unknown as Setting;
  expect(modeWithoutReserve(reserve, [reserve, mode])).toBe(isSaid ? mode : undefined);
  expect(modeWithoutReserve({ ...reserve, parameter: '158' }, [reserve, mode])).toBeUndefined();
});

test('nothing is said of a device without storage modes', () => {
  expect(modeWithoutReserve(reserve, [reserve])).toBeUndefined();
  expect(modeWithoutReserve(reserve, [reserve, { parameter: '636', value: '1' }])).toBeUndefined();
});
