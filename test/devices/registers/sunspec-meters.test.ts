import { describe, expect, test } from 'vitest';
import { identify } from '../../../packages/devices/src/identify-device.ts';
import { decodeBlock } from '../../../packages/devices/src/registers/decode.ts';
import { createReadings } from '../../../packages/devices/src/registers/readings.ts';
import { pythonWith } from '../../support/python.ts';
import { createImage } from './image.ts';
import { SUNSPEC_SHOWN, sunspecMeter } from './sunspec-meter.ts';

const python = await pythonWith(
  'sunspec',
  ['pysunspec2==1.3.7'],
  'SunSpec meters against pysunspec2',
);

const SIGNED = new Set(['gridPowerW', 'acPower1W', 'acPower2W', 'acPower3W']);
async function valuesOf(maker: string, model: number) {
  const words = await sunspecMeter(python!, maker, model);
  const image = createImage().put('holding', 40_000, ...words);
  const { kind, sn, profile, phases, ratedPowerW } = await identify(image.read);
  const registers = profile.registers!;
  const readings = createReadings(registers);
  const values = {};
  for (const block of registers.blocks) {
    const decoded = decodeBlock(registers, block, image.wordsOf(block), { phases, ratedPowerW });
    Object.assign(values, readings.take(decoded));
  }
  return { kind, sn, values: values as Readonly<Record<string, number>> };
}

const MODELS = [201, 202, 203, 204, 211, 212, 213, 214];

describe.runIf(python)('each value of a SunSpec meter', () => {
  test.each(
    MODELS.flatMap(
      (model) =>
        [
          [model, 'Fronius', -1],
          [model, 'SolarEdge', 1],
        ] as const,
    ),
  )('of model %i by %s', async (model, maker, sign) => {
    const expected = Object.fromEntries(
      Object.values(SUNSPEC_SHOWN).map(([value, quantity]) => [
        quantity,
        SIGNED.has(quantity) ? sign * value : quantity.endsWith('Kwh') ? value / 1000 : value,
      ]),
    );
    const { kind, sn, values } = await valuesOf(maker, model);
    expect([kind, sn]).toEqual(['ammeter', 'M1']);
    expect(Object.keys(values).toSorted()).toEqual(Object.keys(expected).toSorted());
    for (const [quantity, value] of Object.entries(expected))
      expect(values[quantity], quantity).toBeCloseTo(value, 3);
    // The phases add up to the whole.
    expect(values['acPower1W']! + values['acPower2W']! + values['acPower3W']!).toBe(
      values['gridPowerW'],
    );
  });

  test('of another maker, everything but the direction', async () => {
    const { values } = await valuesOf('Somebody', 203);
    expect(Object.keys(values).filter((name) => SIGNED.has(name))).toEqual([]);
    expect(values).toHaveProperty('gridImportTotalKwh');
    expect(values).toHaveProperty('acVoltage1V');
  });
});
