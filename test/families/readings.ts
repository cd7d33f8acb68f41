import { expect } from 'vitest';
import { deviceTypes, makeDevice } from './devices.ts';
import { differences } from './wire-fields.ts';
import { startWholeSite, type Way } from './whole.ts';

/** Every value that a family reports, from its registers to the signed interface. */
export async function checkReadings(
  python: string,
  way: Way,
  sign: 1 | -1,
  ends: (() => unknown)[],
): Promise<number> {
  const made = deviceTypes.map((type, i) => ({
    type,
    unit: i + 1,
    ...makeDevice(type, i + 1, sign),
  }));
  const devices = made.map(({ type, unit, sn, registers, profile }) => ({
    sn,
    unit,
    registers,
    confirmed: profile.registers!.blocks.flatMap(({ values }) => values.map(({ id }) => id)),
    ...(type.isNameless && { isNameless: true }),
  }));
  const site = await startWholeSite(python, way, devices, ends);
  let checked = 0;
  for (const { type, sn, expected } of made) {
    const wrong = async (): Promise<string[]> =>
      differences(await site.client.call('inverterDetail', { sn }), expected);
    await expect
      .poll(wrong, { timeout: 75_000, interval: 200, message: `${type.family} over ${way}` })
      .toEqual([]);
    checked += Object.keys(expected).length;
  }
  return checked;
}
