import { afterEach, expect, test } from 'vitest';
import { modbusPython } from '../bus/modbus-server.ts';
import { checkWrites } from './writes.ts';

const python = await modbusPython();
const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});

test.runIf(python)(
  'each way of writing arrives in the registers of every family, ends verified, and changes nothing else',
  async () => {
    expect(await checkWrites(python!, 'tcp', true, ended)).toBeGreaterThan(20);
  },
);
