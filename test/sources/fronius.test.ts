import { afterEach, describe, expect, test } from 'vitest';
import { reportable, sourcedValues } from '@helioport/devices/sources';
import { systemClock, timerPause } from '../../packages/collector/src/clock.ts';
import { openSource } from '../../packages/collector/src/sources/open-source.ts';
import { FIRST_VERSION, GEN24, NIGHT, TWO } from './fronius-answers.ts';
import { startHttpDevice } from './http-device.ts';

const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});
const never = new AbortController().signal;

async function open(answers: () => Readonly<Record<string, unknown>>) {
  const device = await startHttpDevice({ answers });
  ended.push(() => device.close());
  const source = await openSource(
    { kind: 'fronius', host: '127.0.0.1', port: device.port },
    { clock: systemClock, pause: timerPause },
  );
  ended.push(() => source.release());
  const read = async () =>
    (await source.read(never)).devices.map(({ sn, part, fields }) => ({
      sn,
      kind: part.kind,
      values: reportable(sourcedValues(part, fields)),
    }));
  return { device, read };
}

describe('the signs and units of the product', () => {
  test('a GEN24 with battery, and its meter', async () => {
    const { device, read } = await open(() => GEN24);
    expect(await read()).toEqual([
      {
        sn: '34567890',
        kind: 'inverter',
        // The total includes the battery, and is unconfirmed, as are the phases.
        values: {
          acPowerW: 3012.3,
          dcPowerW: 5150.4,
          gridPowerW: 1200.2,
          loadPowerW: 1812.1,
          batteryPowerW: 2100.5,
          batterySocPercent: 66.6,
          gridFrequencyHz: 50.01,
          acVoltage1V: 230.7,
          dcVoltage1V: 412.5,
          dcVoltage2V: 398.1,
          dcCurrent1A: 7.1,
          dcCurrent2A: 5.2,
        },
      },
      {
        sn: '1234567890',
        kind: 'ammeter',
        values: {
          gridPowerW: 1200.2,
          gridImportTotalKwh: 1234.5678,
          gridExportTotalKwh: 7654.3211,
          acPower1W: 900,
          acPower2W: 500.2,
          acPower3W: -200,
          acVoltage1V: 230.5,
          acVoltage2V: 231.5,
          acVoltage3V: 229.5,
          acCurrent1A: -3.9,
          gridFrequencyHz: 50,
        },
      },
    ]);
    expect(device.connections).toBe(1);
  });

  test('at night, what is null is left out, and modules without light give nothing', async () => {
    const { read } = await open(() => NIGHT);
    expect(await read()).toEqual([
      {
        sn: '30412345',
        kind: 'inverter',
        values: {
          dcPowerW: 0,
          gridPowerW: -391.5,
          loadPowerW: 391.5,
          energyTodayKwh: 0,
          energyTotalKwh: 26_213.502,
        },
      },
    ]);
  });

  test('of two inverters, the first has what is measured once', async () => {
    const { device, read } = await open(() => TWO);
    expect(await read()).toEqual([
      {
        sn: '38183',
        kind: 'inverter',
        values: {
          acPowerW: 1000,
          energyTotalKwh: 1,
          gridPowerW: -100,
          loadPowerW: 3100,
          acVoltage1V: 230,
        },
      },
      {
        sn: null,
        kind: 'inverter',
        values: { acPowerW: 2000, energyTotalKwh: 2, acVoltage1V: 231 },
      },
      {
        sn: '15480258',
        kind: 'ammeter',
        values: {
          gridPowerW: -100,
          gridImportTotalKwh: 1739.327,
          gridExportTotalKwh: 739.014,
          acPower1W: -100,
          acVoltage1V: 230,
          gridFrequencyHz: 49.9,
        },
      },
    ]);
    // What it does not know is asked once.
    const before = device.asked.filter((path) => path.includes('Storage')).length;
    await read();
    expect([before, device.asked.filter((path) => path.includes('Storage')).length]).toEqual([
      1, 1,
    ]);
  });

  test('the first version has other paths, and no figures of the house', async () => {
    const { read } = await open(() => FIRST_VERSION);
    expect(await read()).toEqual([
      {
        sn: '4711',
        kind: 'inverter',
        values: { acPowerW: 764, energyTodayKwh: 1.2, energyTotalKwh: 17_443 },
      },
    ]);
  });
});

describe('what is wrong is said with what to do', () => {
  const flow = '/solar_api/v1/GetPowerFlowRealtimeData.fcgi';
  test.each<[string, Readonly<Record<string, unknown>>, RegExp]>([
    ['switched off', {}, /has no Solar API: on a GEN24, switch it on/],
    ['a web page', { '/solar_api/GetAPIVersion.cgi': '<html>' }, /has no Solar API/],
    [
      'a base elsewhere',
      { '/solar_api/GetAPIVersion.cgi': { BaseURL: 'http://elsewhere/' } },
      /has no Solar API/,
    ],
    [
      'no inverter',
      {
        ...GEN24,
        '/solar_api/v1/GetInverterInfo.cgi': { Head: { Status: { Code: 0 } }, Body: { Data: {} } },
      },
      /names no inverter: they may be off/,
    ],
    ['a failure', { ...GEN24, [flow]: 500 }, /status 500/],
    ['another form', { ...GEN24, [flow]: { Body: {} } }, /in another form/],
    ['a list', { ...GEN24, [flow]: [1] }, /in another form/],
  ])('%s', async (_, answers, expected) => {
    const { read } = await open(() => answers);
    await expect(read()).rejects.toThrow(expected);
  });

  test('it goes on when it is mended', async () => {
    let answers: Readonly<Record<string, unknown>> = { ...GEN24, [flow]: 500 };
    const { read } = await open(() => answers);
    await expect(read()).rejects.toThrow('status 500');
    answers = GEN24;
    expect(await read()).toHaveLength(2);
  });
});
