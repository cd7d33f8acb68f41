import { afterEach, describe, expect, test } from 'vitest';
import { modbusPython } from '../../bus/modbus-server.ts';
import { checkReadings } from '../../families/readings.ts';
import { WAYS } from '../../families/whole.ts';
import { checkWrites } from '../../families/writes.ts';
import { proving } from '../../support/effort.ts';

// What every test run does of it is in test/families.
const python = proving ? await modbusPython() : undefined;
const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});

describe.runIf(python).each(WAYS)('over %s', (way) => {
  test.each([1, -1] as const)(
    'every value of every family is in inverterDetail as its register says (%s)',
    async (sign) => {
      expect(await checkReadings(python!, way, sign, ended)).toBeGreaterThan(400);
    },
  );

  test('every parameter of every family arrives in its register and ends verified', async () => {
    expect(await checkWrites(python!, way, false, ended)).toBeGreaterThan(190);
  });
});
