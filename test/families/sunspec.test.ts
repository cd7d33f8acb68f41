import { afterEach, expect, test } from 'vitest';
import { modbusPython } from '../bus/modbus-server.ts';
import { readHolding } from './read-holding.ts';
import { simulated, sunspecDevices } from './sunspec.ts';
import { startWholeSite } from './whole.ts';
import { differences } from './wire-fields.ts';

const python = await modbusPython();
const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});

test.runIf(python).each(['tcp', 'other'] as const)(
  'SunSpec devices of models 1xx and 7xx are read with sign and unit, and their limit is set (%s)',
  async (way) => {
    const devices = await simulated(python!, sunspecDevices);
    const site = await startWholeSite(python!, way, devices, ended);
    for (const [i, { name, expected }] of sunspecDevices.entries())
      await expect
        .poll(
          async () =>
            differences(await site.client.call('inverterDetail', { sn: devices[i]!.sn }), expected),
          { timeout: 75_000, interval: 200, message: name },
        )
        .toEqual([]);
    for (const [i, { name, unsaid = {} }] of sunspecDevices.entries())
      expect(
        differences(await site.client.call('inverterDetail', { sn: devices[i]!.sn }), unsaid),
        name,
      ).toHaveLength(Object.keys(unsaid).length);
    const limited = sunspecDevices.flatMap(({ limit }, i) => (limit ? [{ limit, i }] : []));
    const outcomes = await Promise.all(
      limited.map(({ i }) => site.command(devices[i]!.sn, '376', '60')),
    );
    expect(outcomes).toEqual(limited.map(() => 'verified'));
    for (const [i, { name, writes = [] }] of sunspecDevices.entries())
      for (const [parameter, value] of writes)
        expect(await site.command(devices[i]!.sn, parameter, value), name).toBe('verified');
    await site.stopCollecting();
    for (const [i, { name, writes = [] }] of sunspecDevices.entries())
      for (const [, , at, word] of writes)
        expect(
          await readHolding(site.addresses[i]!, way === 'other' ? 1 : devices[i]!.unit, at, 1),
          name,
        ).toEqual([word]);
    for (const { limit, i } of limited) {
      const { name, models } = sunspecDevices[i]!;
      const unit = way === 'other' ? 1 : devices[i]!.unit;
      const [raw] = await readHolding(site.addresses[i]!, unit, limit.at, 1);
      const factor = models
        .map((points) => points['WMaxLimPct_SF'] as number | undefined)
        .find((one) => one !== undefined)!;
      expect(raw! * 10 ** factor, name).toBe(60);
      expect(await readHolding(site.addresses[i]!, unit, limit.enabledAt, 1), name).toEqual([1]);
    }
  },
);
