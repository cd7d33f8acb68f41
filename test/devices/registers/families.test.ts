import { describe, expect, test } from 'vitest';
import { findProfile, registerProfiles } from '../../../packages/devices/src/profiles/profiles.ts';
import {
  decodeBlock,
  type DecodingContext,
} from '../../../packages/devices/src/registers/decode.ts';
import {
  identifyRegisters,
  NotIdentified,
} from '../../../packages/devices/src/registers/identify.ts';
import { parameterText, planWrite } from '../../../packages/devices/src/registers/plan-write.ts';
import { createReadings } from '../../../packages/devices/src/registers/readings.ts';
import { ascii, createImage, high, low, type Image } from './image.ts';

/** Everything that a device reports, the unconfirmed values included. */
function decoded(id: string, image: Image, context: DecodingContext = {}): Record<string, number> {
  const map = findProfile(id)!.registers!;
  const readings = createReadings(map);
  const all = new Set(map.blocks.flatMap(({ values }) => values.map((value) => value.id)));
  return Object.assign(
    {},
    ...map.blocks.map((block) =>
      readings.take(
        decodeBlock(map, block, image.wordsOf(block), {
          ratedPowerW: 8000,
          confirmed: all,
          ...context,
        }),
      ),
    ),
  ) as Record<string, number>;
}

const solisString = (shift = 0): Image =>
  createImage()
    .put('input', 2999 + shift, 0x00f1, 0x0012, 0x0034, 0, 1)
    .put('input', 3004 + shift, ...high(3210), ...high(3300), ...high(45_678))
    .put('input', 3010 + shift, ...high(300), ...high(310), 123, 99, ...high(2000), ...high(3000))
    .put('input', 3020 + shift, 0, 3502, 47, 3410, 48, 0, 0, 0, 0, 0, 0, 0, 0)
    .put('input', 3033 + shift, 0, 0, 2312, 0, 0, 139, 0, 0, 412, 4999, 3)
    .put('input', 3060 + shift, 0x1032, 0x5476, 0x9810, 0x3254)
    .put('input', 35_000, 0x1010);

const deye1p = (): Image =>
  createImage()
    .put(
      'holding',
      0,
      0x0300,
      0,
      0,
      ...ascii('2200112233', 5),
      0,
      0,
      0,
      0x3311,
      0x2200,
      0x1100,
      0,
      0,
    )
    .put('holding', 16, ...low(80_000), 0x0201)
    .put('holding', 59, 2, 55, 0, 0, ...low(54_321))
    .put('holding', 70, 31, 28, ...low(12_345), ...low(11_111), 17, 22, 0x1234, 5001, 2)
    .put('holding', 81, ...low(9876), 0, 104, ...low(44_444), 0, 0, 0, 1385, 1402, 0, 0, 0, 0)
    .put('holding', 96, ...low(34_567))
    .put('holding', 101, 0, 0, 0, 0, 0, 0, 0, 63)
    .put('holding', 109, 3210, 51, 3180, 49, 0, 0, 0, 0)
    .put('holding', 150, 2341, 0, 0, 0, 0, 0, 0, 2330)
    .put('holding', 160, -321, 0)
    .put('holding', 166, 0, 0, 0, 450, 0, 0, -780, 0, 0, 2400, 0, 0, 1620)
    .put('holding', 182, 1215, 5234, 76, 0, 1640, 1558, 0, 0, -512, -978, 5000, 5000);

const deye3p = (): Image =>
  createImage()
    .put('holding', 0, 5, 0, 0, ...ascii('2300112233', 5))
    .put('holding', 20, ...low(120_000), 0x0203)
    .put('holding', 500, 2)
    .put('holding', 514, 41, 38, ...low(7000), ...low(6500), 12, 34, ...low(8888), ...low(9999))
    .put('holding', 526, 88, ...low(77_777), 99, 0, 0, 0, 0, ...low(66_666))
    .put('holding', 586, 1233, 5210, 81, 0, 1500, 2880)
    .put('holding', 598, 2301, 2310, 2322)
    .put('holding', 609, 4998)
    .put('holding', 604, 0, 0, 0, 0)
    .put('holding', 622, 0, 0, 0, -1234)
    .put('holding', 630, 812, 798, 805)
    .put('holding', 633, 1800, 1790, 1810, 5400)
    .put('holding', 653, 4150)
    .put('holding', 687, 0, 0, 0, 0xffff, 0, 0, 0, 0)
    .put('holding', 659, 0)
    .put('holding', 672, 2200, 2100)
    .put('holding', 676, 5201, 42, 5190, 41);

const sofarG3 = (): Image =>
  createImage()
    .put('holding', 1028, 2)
    .put('holding', 1048, -4, 12)
    .put('holding', 1093, ...ascii('SP1ES120N12345', 8))
    .put('holding', 1107, ...ascii('V100001', 4))
    .put('holding', 1156, 5002, -231, 12, 240, -345)
    .put('holding', 1165, 2311, 1012, -77)
    .put('holding', 1176, 2302, 1001, -78)
    .put('holding', 1187, 2299, 998, -76)
    .put('holding', 1199, 114)
    .put('holding', 1412, 4211, 512, 215, 4105, 498, 204)
    .put('holding', 1476, 42)
    .put('holding', 1540, 2105, 1530, 322, 24, 55, 99)
    .put('holding', 1668, ...high(1234), ...high(56_789))
    .put('holding', 1672, ...high(2222), ...high(33_333), ...high(111), ...high(4444))
    .put('holding', 1680, ...high(555), ...high(6666), ...high(777), ...high(8888))
    .put('holding', 1688, ...high(999), ...high(7777));

const hydEs = (): Image =>
  createImage()
    .put('holding', 512, 4)
    .put('holding', 518, 2330, 1055, 0, 0, 0, 0, 5001, -145, 512, -2830, 64, 21, -12, 88, 92)
    .put('holding', 533, 75, 0, 0, 812, 101, 202, 903)
    .put('holding', 540, ...high(12_345), ...high(2345), ...high(3456), ...high(9876))
    .put('holding', 548, 321, 287, ...high(1500), ...high(1400))
    .put('holding', 567, 98, -3)
    .put('holding', 8193, ...ascii('SE1ES3BC123456', 7))
    .put('holding', 8200, ...ascii('V240', 2));

const sofarString = (): Image =>
  createImage()
    .put('holding', 0, 2, 0, 0, 0, 0, 0, 3502, 512, 3410, 498, 179, 170, 340, 5, 5000)
    .put('holding', 15, 2310, 1480, 0, 0, 0, 0, ...high(23_456), 0, 0, 1234, 300)
    .put('holding', 27, 41, 38, 3900, 0, 0, 0, 0);

/** Written by hand from what the tables say, with the signs of Helioport. */
const expected: readonly (readonly [string, Image, DecodingContext, Record<string, number>])[] = [
  [
    'solis-string',
    solisString(),
    { phases: 1 },
    {
      acPowerW: 3210,
      dcPowerW: 3300,
      energyTotalKwh: 45_678,
      energyTodayKwh: 12.3,
      dcVoltage1V: 350.2,
      dcCurrent1A: 4.7,
      dcVoltage2V: 341,
      dcCurrent2A: 4.8,
      dcVoltage3V: 0,
      dcCurrent4A: 0,
      acVoltage1V: 231.2,
      acCurrent1A: 13.9,
      temperatureC: 41.2,
      gridFrequencyHz: 49.99,
      statusCode: 3,
    },
  ],
  [
    'deye-hybrid-1p',
    deye1p(),
    {},
    {
      statusCode: 2,
      batteryChargeTodayKwh: 3.1,
      batteryDischargeTodayKwh: 2.8,
      batteryChargeTotalKwh: 1234.5,
      batteryDischargeTotalKwh: 1111.1,
      gridImportTodayKwh: 1.7,
      gridExportTodayKwh: 2.2,
      // The high word lies behind the frequency.
      gridImportTotalKwh: (2 * 65_536 + 0x1234) / 10,
      gridFrequencyHz: 50.01,
      gridExportTotalKwh: 987.6,
      loadTodayKwh: 10.4,
      loadTotalKwh: 4444.4,
      temperatureC: 40.2,
      energyTotalKwh: 3456.7,
      energyTodayKwh: 6.3,
      dcVoltage1V: 321,
      dcCurrent1A: 5.1,
      dcPower1W: 1640,
      dcPower2W: 1558,
      acVoltage1V: 234.1,
      acCurrent1A: -3.21,
      acPowerW: 2400,
      // The outer transformer shows export as negative.
      gridPowerW: 780,
      loadPowerW: 1620,
      batteryTemperatureC: 21.5,
      batteryVoltageV: 52.34,
      batterySocPercent: 76,
      batteryPowerW: 512,
      batteryCurrentA: 9.78,
    },
  ],
  [
    'deye-hybrid-3p',
    deye3p(),
    { ratedPowerW: 12_000 },
    {
      statusCode: 2,
      batteryChargeTodayKwh: 4.1,
      batteryDischargeTodayKwh: 3.8,
      batteryChargeTotalKwh: 700,
      gridImportTodayKwh: 1.2,
      gridExportTodayKwh: 3.4,
      gridImportTotalKwh: 888.8,
      gridExportTotalKwh: 999.9,
      loadTodayKwh: 8.8,
      energyTodayKwh: 9.9,
      energyTotalKwh: 6666.6,
      batteryTemperatureC: 23.3,
      batteryVoltageV: 52.1,
      batteryPowerW: -1500,
      batteryCurrentA: -28.8,
      acVoltage3V: 232.2,
      gridFrequencyHz: 49.98,
      gridPowerW: 1234,
      acCurrent1A: 8.12,
      acPower1W: 1800,
      acPowerW: 5400,
      loadPowerW: 4150,
      dcPower1W: 2200,
      dcVoltage2V: 519,
    },
  ],
  [
    'deye-hybrid-3p-high',
    deye3p(),
    { ratedPowerW: 50_000 },
    { batteryPowerW: -15_000, batteryVoltageV: 521, dcPower1W: 22_000, gridPowerW: 1234 },
  ],
  [
    'sofar-g3',
    sofarG3(),
    {},
    {
      statusCode: 2,
      temperatureC: -4,
      gridFrequencyHz: 50.02,
      acPowerW: -2310,
      reactivePowerVar: 120,
      apparentPowerVa: 2400,
      gridPowerW: -3450,
      acVoltage1V: 231.1,
      acCurrent1A: 10.12,
      acPower1W: -770,
      loadPowerW: 1140,
      dcVoltage1V: 421.1,
      dcCurrent1A: 5.12,
      dcPower1W: 2150,
      dcPower2W: 2040,
      dcPowerW: 4200,
      batteryVoltageV: 210.5,
      batteryCurrentA: 15.3,
      batteryPowerW: 3220,
      batterySocPercent: 55,
      energyTodayKwh: 12.34,
      energyTotalKwh: 5678.9,
      gridImportTotalKwh: 444.4,
      gridExportTodayKwh: 5.55,
      batteryChargeTotalKwh: 888.8,
      batteryDischargeTodayKwh: 9.99,
    },
  ],
  [
    'sofar-hyd-es',
    hydEs(),
    {},
    {
      statusCode: 4,
      acVoltage1V: 233,
      acCurrent1A: 10.55,
      gridFrequencyHz: 50.01,
      batteryPowerW: -1450,
      batteryVoltageV: 51.2,
      batteryCurrentA: -28.3,
      batterySocPercent: 64,
      gridPowerW: -120,
      loadPowerW: 880,
      acPowerW: 920,
      dcPowerW: 750,
      energyTodayKwh: 8.12,
      gridExportTotalKwh: 2345,
      gridImportTotalKwh: 3456,
      batteryChargeTodayKwh: 3.21,
      batterySohPercent: 98,
      temperatureC: -3,
    },
  ],
  [
    'sofar-string',
    sofarString(),
    {},
    {
      statusCode: 2,
      dcVoltage1V: 350.2,
      dcCurrent1A: 5.12,
      dcVoltage2V: 341,
      dcCurrent2A: 4.98,
      dcPower1W: 1790,
      acPowerW: 3400,
      reactivePowerVar: 50,
      gridFrequencyHz: 50,
      acVoltage1V: 231,
      acCurrent1A: 14.8,
      energyTotalKwh: 23_456,
      energyTodayKwh: 12.34,
      temperatureC: 38,
      busVoltageV: 390,
    },
  ],
];

test.each(expected)('%s reads its registers with sign and unit', (id, image, context, values) => {
  expect(decoded(id, image, context)).toMatchObject(values);
});

const ratedIn = { ratedPowerW: 12_000 };

test('a high word far away: newer firmware fills it, older leaves it 0', () => {
  const older = deye3p().put('holding', 690, 0);
  expect(decoded('deye-hybrid-3p', older, ratedIn)).toMatchObject({ gridPowerW: 1234 });
  const large = (watts: number) => deye3p().put('holding', 625, watts).put('holding', 690, 0);
  expect(decoded('deye-hybrid-3p', large(35_000), ratedIn)).toMatchObject({ gridPowerW: -35_000 });
  // It could be 40,000 W, or -25,536 W.
  expect(decoded('deye-hybrid-3p', large(40_000), ratedIn)).not.toHaveProperty('gridPowerW');
  const garbage = deye3p().put('holding', 690, 77);
  expect(decoded('deye-hybrid-3p', garbage, ratedIn)).not.toHaveProperty('gridPowerW');
});

test('without an outer transformer, the power at the inverter counts; afterwards never again', () => {
  const map = findProfile('deye-hybrid-1p')!.registers!;
  const block = map.blocks.find(({ name }) => name === 'power')!;
  const context = { ratedPowerW: 8000, confirmed: new Set(['gridPowerW@169']) };
  const readings = createReadings(map);
  const take = (image: Image) =>
    readings.take(decodeBlock(map, block, image.wordsOf(block), context)).gridPowerW;
  const without = deye1p().put('holding', 172, 0);
  expect(take(without)).toBe(-450);
  expect(take(deye1p())).toBe(780);
  expect(take(without)).toBeUndefined();
});

test('powers of large one-phase units are doubtful', () => {
  const map = findProfile('deye-hybrid-1p')!.registers!;
  const block = map.blocks.find(({ name }) => name === 'power')!;
  const words = deye1p().wordsOf(block);
  const of = (ratedPowerW: number | null) => decodeBlock(map, block, words, { ratedPowerW }).values;
  expect(of(8000)).toHaveProperty('batteryPowerW', 512);
  expect(of(16_000)).not.toHaveProperty('batteryPowerW');
  expect(of(null)).not.toHaveProperty('batteryPowerW');
  expect(of(16_000)).toHaveProperty('batterySocPercent', 76);
});

describe('what a device is', () => {
  const found = async (image: Image): Promise<unknown> => {
    const { profile, ...identity } = await identifyRegisters(image.read, registerProfiles());
    return { ...identity, profile: profile.id };
  };

  test.each([
    [
      solisString(),
      { profile: 'solis-string', shift: 0, sn: '0123456789012345', phases: 1, strings: 2 },
    ],
    [solisString(1), { profile: 'solis-string', shift: 1, sn: '0123456789012345', phases: 1 }],
    [
      deye1p(),
      {
        profile: 'deye-hybrid-1p',
        sn: '2200112233',
        ratedPowerW: 8000,
        strings: 2,
        phases: 1,
        firmware: '110022003311',
      },
    ],
    [deye3p(), { profile: 'deye-hybrid-3p', sn: '2300112233', ratedPowerW: 12_000, phases: 3 }],
    [deye3p().put('holding', 0, 0x0600), { profile: 'deye-hybrid-3p-high' }],
    [sofarG3(), { profile: 'sofar-g3', sn: 'SP1ES120N12345', firmware: 'V100001' }],
    [hydEs(), { profile: 'sofar-hyd-es', sn: 'SE1ES3BC123456', firmware: 'V240' }],
    [sofarString(), { profile: 'sofar-string', sn: null }],
  ])('%#', async (image, identity) => {
    expect(await found(image)).toMatchObject(identity);
  });

  test('a device that has every register one higher is read where it has them', async () => {
    const { profile } = await identifyRegisters(solisString(1).read, registerProfiles());
    const map = profile.registers!;
    const block = map.blocks[0]!;
    expect(block.address).toBe(3005);
    expect(
      decodeBlock(map, block, solisString(1).wordsOf(block), { phases: 1 }).values,
    ).toMatchObject({ acPowerW: 3210, acVoltage1V: 231.2, gridFrequencyHz: 49.99 });
  });

  const filled = (word: (i: number) => number): Image => {
    const image = createImage();
    for (const table of ['input', 'holding'] as const)
      for (let i = 0; i < 50_000; i += 1) image.put(table, i, word(i));
    return image;
  };

  test.each([
    ['nothing but zeros', filled(() => 0)],
    ['nothing but ones', filled(() => 0xffff)],
    ['the address in each word', filled((i) => i)],
    ['50 Hz everywhere', filled(() => 5000)],
    ['letters everywhere', filled(() => 0x4141)],
    [
      'a storage inverter of Solis in the dark',
      createImage()
        .put('input', 35_000, 0x2031)
        .put('input', 33_094, 0)
        .put('input', 33_000, 0x2031),
    ],
    ['a Deye without a rating', deye1p().put('holding', 16, 0, 0)],
    ['a Deye of an unknown kind', deye1p().put('holding', 0, 9)],
    ['a Sofar without its serial number', sofarG3().put('holding', 1093, 0, 0)],
  ])('%s is not taken for a device', async (_, image) => {
    await expect(found(image)).rejects.toThrow(NotIdentified);
    await expect(found(image)).rejects.toThrow(/answers/);
  });

  test('what could be two families is neither', async () => {
    const both = deye1p();
    for (const [address, word] of [[1156, 5000]] as const) both.put('holding', address, word);
    both.put('holding', 1093, ...ascii('SP1ES120N12345', 8));
    await expect(found(both)).rejects.toThrow(
      'the device answers like Deye hybrid inverter, one phase and Sofar inverter, G3',
    );
  });

  test('a device that never answers is silent, not unknown', async () => {
    const silent = () => Promise.reject(new Error('no answer within 3 s'));
    await expect(identifyRegisters(silent, registerProfiles())).rejects.toThrow(
      'no answer within 3 s',
    );
  });
});

describe('control ids of one maker work on the others', () => {
  const written = (
    id: string,
    image: Image,
    parameter: string,
    value: string,
    confirmed: string[] = [],
  ) => {
    const plan = planWrite(findProfile(id)!, parameter, value, image.at('holding'), {
      confirmed: new Set(confirmed),
    });
    return 'fault' in plan
      ? plan.fault
      : plan.writes.map(({ function: code, address, words }) => [code, address, ...words]);
  };
  const block = (): Image =>
    createImage()
      .put('holding', 4131, 0, 50)
      .put('holding', 4164, 1, 2, 3, 4, 5, 6, 7, 8, 9, 80, 60, 100, 512, 16, 20, 0)
      .put('holding', 4100, 26, 1, 2, 3, 4, 5, 0)
      .put('holding', 210, 120, 130)
      .put('holding', 245, 3000)
      .put('holding', 22, 0x1a0b, 0x1c06, 0x0504)
      .put('holding', 143, 500)
      .put('holding', 3051, 10_000)
      .put('holding', 3069, 85);

  test.each([
    ['deye-hybrid-1p', '7224', '100', [[16, 210, 100]], '120'],
    ['deye-hybrid-1p', '499', '3600', [[16, 245, 3600]], '3000'],
    [
      'sofar-g3',
      '158',
      '25',
      [[16, 4164, 1, 2, 3, 4, 5, 6, 7, 8, 9, 75, 60, 100, 512, 16, 20, 1]],
      '20',
    ],
    [
      'sofar-g3',
      '157',
      '30',
      [[16, 4164, 1, 2, 3, 4, 5, 6, 7, 8, 9, 80, 60, 100, 512, 16, 30, 1]],
      '20',
    ],
    // The switch of the limit and its power, in one request.
    ['sofar-g3', '499', '3600', [[16, 4131, 1, 36]], '5000'],
    ['sofar-g3', '499', '5000', [[16, 4131, 1, 50]], '5000'],
  ])('%s %s = %s', (id, parameter, value, writes, before) => {
    expect(parameterText(findProfile(id)!, parameter, block().at('holding'))).toBe(before);
    expect(written(id, block(), parameter, value)).toEqual(writes);
  });

  test.each([
    ['deye-hybrid-1p', '56', '2026-11-28 06:05:04', [[16, 22, 0x1a0b, 0x1c06, 0x0504]]],
    ['sofar-g3', '56', '2026-11-28 06:05:04', [[16, 4100, 26, 11, 28, 6, 5, 4, 1]]],
    ['deye-hybrid-3p-high', '499', '6000', [[16, 143, 600]]],
    // The gate first, then the limit in hundredths.
    [
      'solis-string',
      '15',
      '60',
      [
        [6, 3069, 170],
        [6, 3051, 6000],
      ],
    ],
  ])('%s %s = %s, once the owner has confirmed it', (id, parameter, value, writes) => {
    expect(written(id, block(), parameter, value)).toMatch(/is unconfirmed/);
    expect(written(id, block(), parameter, value, [parameter])).toEqual(writes);
  });
});
