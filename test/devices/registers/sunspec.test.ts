import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { identify } from '../../../packages/devices/src/identify-device.ts';
import { decodeBlock } from '../../../packages/devices/src/registers/decode.ts';
import type { Identity } from '../../../packages/devices/src/registers/identify.ts';
import { parameterText, planWrite } from '../../../packages/devices/src/registers/plan-write.ts';
import { createReadings } from '../../../packages/devices/src/registers/readings.ts';
import { pythonWith } from '../../support/python.ts';
import { ascii, createImage, high, type Image } from './image.ts';

const NONE = 0x8000;

interface Model {
  readonly id: number;
  readonly words: readonly number[];
}

const common = (maker: string, model: string, sn: string): Model => ({
  id: 1,
  words: [
    ...ascii(maker, 16),
    ...ascii(model, 16),
    ...ascii('', 8),
    ...ascii('1.2.3', 8),
    ...ascii(sn, 16),
    1,
    NONE,
  ],
});
const ratings: Model = { id: 120, words: [4, 1000, 1, ...Array.from({ length: 23 }, () => 0)] };
/** Three phases: 9,812.3 W out, 49.98 Hz, 12,345,678 Wh. */
const inverter = (watts = 9812): Model => ({
  id: 103,
  words: [
    4123,
    1370,
    1375,
    1378,
    -2,
    4001,
    4002,
    4003,
    2311,
    2302,
    2299,
    -1,
    watts,
    0,
    4998,
    -2,
    9900,
    0,
    -310,
    0,
    -985,
    -1,
    ...high(12_345_678),
    0,
    0xffff,
    NONE,
    0xffff,
    NONE,
    10_021,
    0,
    412,
    NONE,
    NONE,
    NONE,
    -1,
    4,
    0,
    ...high(0),
    ...high(0),
    0xffff,
    0xffff,
    0xffff,
    0xffff,
    0xffff,
    0xffff,
    0xffff,
    0xffff,
  ],
});
const meter = (watts: number): Model => ({
  id: 203,
  words: [
    100,
    30,
    30,
    40,
    -2,
    2310,
    2300,
    2310,
    2320,
    4000,
    4000,
    4000,
    4000,
    -1,
    4999,
    -2,
    watts,
    0,
    0,
    0,
    0,
    ...Array.from({ length: 15 }, () => 0),
    ...high(7_654_321),
    ...Array.from({ length: 6 }, () => 0),
    ...high(1_234_567),
    ...Array.from({ length: 6 }, () => 0),
    0,
    ...Array.from({ length: 52 }, () => 0),
  ],
});
const controls: Model = {
  id: 123,
  words: [0, 0, 1, 10_000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -2, -2, 0],
};
const storage: Model = {
  id: 124,
  words: [
    5000,
    100,
    100,
    0,
    0xffff,
    1000,
    5550,
    0xffff,
    3820,
    4,
    10_000,
    -2500,
    0,
    0,
    0,
    1,
    0,
    0,
    NONE,
    -2,
    -2,
    NONE,
    -1,
    -2,
  ],
};
const inputs = (charge: number, discharge: number): Model => {
  const module = (n: number, watts: number, energy: number): number[] => [
    n,
    ...ascii(`String ${n}`, 8),
    512,
    4102,
    watts,
    ...high(energy),
    ...high(0),
    NONE,
    4,
    ...high(0),
  ];
  return {
    id: 160,
    words: [
      -2,
      -1,
      0,
      0,
      ...high(0),
      4,
      0,
      ...module(1, 2100, 5_000_000),
      ...module(2, 1900, 4_000_000),
      ...module(3, charge, 800_000),
      ...module(4, discharge, 700_000),
    ],
  };
};

function device(models: readonly Model[], base = 40_000): Image {
  const image = createImage().put('holding', base, 0x5375, 0x6e53);
  let address = base + 2;
  for (const { id, words } of models) {
    image.put('holding', address, id, words.length, ...words);
    address += 2 + words.length;
  }
  return image.put('holding', address, 0xffff, 0);
}

function valuesOf({ profile, ratedPowerW }: Identity, image: Image): Record<string, number> {
  const map = profile.registers!;
  const readings = createReadings(map);
  return Object.assign(
    {},
    ...map.blocks.map((block) =>
      readings.take(decodeBlock(map, block, image.wordsOf(block), { ratedPowerW })),
    ),
  ) as Record<string, number>;
}

const fronius = common('Fronius', 'Symo 10.0-3-M', '31234567');

describe('an inverter that follows SunSpec', () => {
  test.each([40_000, 0, 50_000])('is known by its list of models at %i', async (base) => {
    const image = device([fronius, inverter(), ratings, controls], base);
    const identity = await identify(image.read);
    expect({ ...identity, profile: identity.profile.id }).toEqual({
      profile: 'sunspec-inverter',
      shift: 0,
      kind: 'inverter',
      maker: 'Fronius',
      model: 'Fronius Symo 10.0-3-M',
      sn: '31234567',
      modelCode: null,
      firmware: '1.2.3',
      displayVersion: null,
      ratedPowerW: 10_000,
      strings: null,
      phases: 3,
    });
    expect(valuesOf(identity, image)).toEqual({
      acCurrent1A: 13.7,
      acCurrent2A: 13.75,
      acCurrent3A: 13.78,
      acVoltage1V: 231.1,
      acVoltage2V: 230.2,
      acVoltage3V: 229.9,
      acPowerW: 9812,
      gridFrequencyHz: 49.98,
      apparentPowerVa: 9900,
      reactivePowerVar: -310,
      powerFactor: -0.985,
      energyTotalKwh: 12_345.678,
      dcPowerW: 10_021,
      temperatureC: 41.2,
      statusCode: 4,
      warningCode: 0,
    });
    expect(identity.profile.registers!.states.get(7)).toEqual({
      name: 'fault',
      alarm: { code: 'fault', level: 2, name: 'fault' },
    });
  });

  test('shows nothing where it has nothing, and its scale factors come from the same words', async () => {
    const identity = await identify(device([fronius, inverter(), ratings]).read);
    const block = identity.profile.registers!.blocks.find(({ name }) => name === 'model 103')!;
    const of = (change: readonly (readonly [number, number])[]): Record<string, number> => {
      const image = device([fronius, inverter(), ratings]);
      for (const [offset, word] of change) image.put('holding', block.address + offset, word);
      return decodeBlock(identity.profile.registers!, block, image.wordsOf(block), {
        ratedPowerW: 10_000,
      }).values as Record<string, number>;
    };
    expect(
      of([
        [14, NONE],
        [24, 0],
        [25, 0],
        [38, 0xffff],
      ]),
    ).not.toMatchObject({ acPowerW: expect.anything() });
    expect(
      of([
        [24, 0],
        [25, 0],
      ]),
    ).not.toHaveProperty('energyTotalKwh');
    expect(of([[38, 0xffff]])).not.toHaveProperty('statusCode');
    expect(
      of([
        [14, 981],
        [15, 1],
      ]),
    ).toMatchObject({ acPowerW: 9810 });
    // A factor that is not implemented, and one that cannot be.
    expect(of([[15, NONE]])).not.toHaveProperty('acPowerW');
    expect(of([[15, 4]])).not.toHaveProperty('acPowerW');
  });

  test('a hybrid of Fronius: the battery and the energy of the modules come from its inputs', async () => {
    const charging = device([fronius, inverter(), ratings, storage, inputs(1500, 0)]);
    const identity = await identify(charging.read);
    expect(identity.profile.id).toBe('sunspec-storage');
    expect(valuesOf(identity, charging)).toMatchObject({
      batteryPowerW: 1500,
      energyTotalKwh: 9000,
      batteryChargeTotalKwh: 800,
      batteryDischargeTotalKwh: 700,
      batterySocPercent: 55.5,
      batteryVoltageV: 382,
      dcPower1W: 2100,
      dcVoltage2V: 410.2,
      dcCurrent1A: 5.12,
    });
    const discharging = device([fronius, inverter(), ratings, storage, inputs(0, 900)]);
    const values = valuesOf(await identify(discharging.read), discharging);
    expect(values).toMatchObject({ batteryPowerW: -900 });
    expect(values).not.toHaveProperty('dcPower3W');
    const other = device([common('Somebody', 'Hybrid', 'S1'), inverter(), ratings, storage]);
    expect(valuesOf(await identify(other.read), other)).not.toHaveProperty('energyTotalKwh');
  });

  test('a limit of its power: Fronius lets go before it changes, and enabling comes last', async () => {
    const plan = async (maker: string, enabled: number): Promise<unknown> => {
      const image = device([common(maker, 'X', 'S1'), inverter(), ratings, controls]);
      const { profile } = await identify(image.read);
      const from = profile.registers!.blocks.find(({ name }) => name === 'model 123')!.address;
      image.put('holding', from + 9, enabled);
      expect(parameterText(profile, '376', image.at('holding'))).toBe('100');
      const planned = planWrite(profile, '376', '60', image.at('holding'));
      return 'fault' in planned
        ? planned.fault
        : planned.writes.map((one) => [one.function, one.address - from, ...one.words]);
    };
    expect(await plan('Fronius', 1)).toEqual([
      [16, 9, 0],
      [16, 5, 6000],
      [16, 9, 1],
    ]);
    expect(await plan('Fronius', 0)).toEqual([
      [16, 5, 6000],
      [16, 9, 1],
    ]);
    expect(await plan('SMA', 1)).toEqual([[16, 5, 6000]]);
    // Kostal refuses function 16.
    expect(await plan('KOSTAL', 0)).toEqual([
      [6, 5, 6000],
      [6, 9, 1],
    ]);
  });

  test('the battery: rates have a sign, the reserve is kept for backup', async () => {
    const image = device([fronius, inverter(), ratings, storage]);
    const { profile } = await identify(image.read);
    const at = image.at('holding');
    expect(['157', '90101', '90102', '90103'].map((id) => parameterText(profile, id, at))).toEqual([
      '10',
      '0',
      '-25',
      '100',
    ]);
    const planned = planWrite(profile, '90103', '-50', at);
    expect(planned).toMatchObject({ writes: [{ function: 16, words: [0x10000 - 5000] }] });
    expect(profile.parameters.has('376')).toBe(false);
  });
});

describe('a meter that follows SunSpec', () => {
  test.each([
    ['Fronius', 1200, -1200],
    ['SolarEdge ', 1200, 1200],
    ['Somebody', 1200, undefined],
  ])('of %s counts as %i W what is %s W to the grid', async (maker, watts, grid) => {
    const image = device([common(maker.trim(), 'Meter', 'M1'), meter(watts)]);
    const identity = await identify(image.read);
    expect(identity).toMatchObject({ kind: 'ammeter', sn: 'M1', ratedPowerW: null });
    const values = valuesOf(identity, image);
    expect(values['gridPowerW']).toBe(grid);
    expect(values).toMatchObject({
      gridExportTotalKwh: 7654.321,
      gridImportTotalKwh: 1234.567,
      gridFrequencyHz: 49.99,
    });
  });

  test('behind an inverter, it gives only what the inverter does not measure', async () => {
    const image = device([
      common('SolarEdge', 'SE10K', 'S1'),
      inverter(),
      common('SolarEdge', 'Meter', 'M1'),
      meter(-800),
    ]);
    const identity = await identify(image.read);
    expect(identity).toMatchObject({ kind: 'inverter', sn: 'S1' });
    expect(valuesOf(identity, image)).toMatchObject({
      gridPowerW: -800,
      gridFrequencyHz: 49.98,
      acPowerW: 9812,
    });
    expect(valuesOf(identity, image)).not.toHaveProperty('acPower1W');
  });
});

test('a device that somebody else describes: the example of pysunspec2', async () => {
  const python = await pythonWith('sunspec', ['pysunspec2==1.3.7'], 'the example of pysunspec2');
  if (!python) return;
  const script = `
import json, os, sunspec2, sunspec2.file.client as client
path = os.path.join(os.path.dirname(sunspec2.__file__), 'tests', 'test_data', 'device_1547.json')
device = client.FileClientDevice(path)
device.scan()
print(json.dumps([[model.model_id, list(model.get_mb())] for model in device.model_list]))
`;
  const { stdout } = await promisify(execFile)(python, ['-c', script]);
  const models = (JSON.parse(stdout) as [number, number[]][]).map(([id, bytes]): Model => {
    const words = Array.from(
      { length: bytes.length / 2 },
      (_, i) => (bytes[2 * i]! << 8) | bytes[2 * i + 1]!,
    );
    return { id, words: words.slice(2) };
  });
  const image = device(models);
  const identity = await identify(image.read);
  expect(identity.kind).toBe('inverter');
  expect(valuesOf(identity, image)).toMatchObject({ acPowerW: 9800, gridFrequencyHz: 60.01 });
});
