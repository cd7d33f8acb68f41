import { findProfile } from '@helioport/devices';
import { afterEach, expect, test } from 'vitest';
import { modbusPython } from '../bus/modbus-server.ts';
import { startWholeSite } from './whole.ts';

const python = await modbusPython();
const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});

/** Two words, the low one first. */
const low = (raw: number): number[] => [raw & 0xffff, (raw >> 16) & 0xffff];
/** As a public table has them, from 36000 and from 36050 on. */
/** Voltage and current of each phase, powers, totals, and what else is known. */
const connection: readonly number[] = [
  [2301, 52, 2312, 61, 2323, 70],
  [-12, 15, -21].map((hundreds) => hundreds & 0xffff),
  low(-18),
  low(254),
  [0x0031, 0x1204, 9000, 10, 50, 3, 0, 0, 0, 13, 42, 7, 1, 0, 0],
  low(272),
].flat();
const energies = [12_345_678, 9_876_543, 4_321_098, 6_789_012].flatMap(low);
const registers = { 4: { 36_000: [...connection], 36_050: energies } };

const SURE = {
  eToaalInverterOrigin: 123_456.78,
  eTotalLoadOrigin: 98_765.43,
  eTotalBuyOrigin: 43_210.98,
  eTotalSellOrigin: 67_890.12,
};
const CONFIRMED = { uAc3: 232.3, iAc3: 7, pAc3: -2100, pEpmTotal: -1.8, pInverterTotal: 25.4 };
const NAMES = Object.keys({ ...SURE, ...CONFIRMED });

test.runIf(python).each(['tcp', 'rtu'] as const)(
  'an export manager is read: what two tables say, and the rest once it is confirmed (%s)',
  async (way) => {
    const all = findProfile('solis-epm')!.registers!.blocks.flatMap(({ values }) =>
      values.map(({ id }) => id),
    );
    const devices = [[], all].map((confirmed, i) => ({
      sn: `EPM${i + 1}`,
      unit: i + 1,
      registers,
      confirmed,
      isNameless: true,
      kind: 'epm' as const,
    }));
    const site = await startWholeSite(python!, way, devices, ended);
    const shown = async (sn: string): Promise<unknown> => {
      const record: Readonly<Record<string, unknown>> = await site.client.call('epmDetail', { sn });
      return Object.fromEntries(NAMES.map((name) => [name, record[name]]));
    };
    await expect
      .poll(() => shown('EPM2'), { timeout: 75_000, interval: 500 })
      .toEqual({ ...SURE, ...CONFIRMED });
    await expect.poll(() => shown('EPM1'), { timeout: 75_000, interval: 500 }).toMatchObject(SURE);
    expect(await shown('EPM1')).not.toMatchObject({ pAc3: expect.anything() });
  },
);
