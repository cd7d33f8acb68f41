import { afterEach, expect, test } from 'vitest';
import { modbusPython } from '../bus/modbus-server.ts';
import { deviceTypes, makeDevice } from './devices.ts';
import { checkReadings } from './readings.ts';

const python = await modbusPython();
const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});

test('every value that a profile reports is in a public table', () => {
  for (const type of deviceTypes) expect(makeDevice(type, 1, 1).untold, type.family).toEqual([]);
});

test.runIf(python)(
  'every value of every family is in inverterDetail as its register says, with sign and unit',
  async () => {
    expect(await checkReadings(python!, 'tcp', -1, ended)).toBeGreaterThan(400);
  },
);
