import { reportable, sourcedValues } from '@helioport/devices/sources';
import { afterEach, expect, test } from 'vitest';
import { timerPause, type Pause } from '../../packages/collector/src/clock.ts';
import {
  deviceAddressText,
  parseDeviceAddress,
  type HostAddress,
} from '../../packages/collector/src/sources/source-address.ts';
import { openV4 } from '../../packages/collector/src/sources/v4/v4-source.ts';
import { ginlongFrame, omnikFrame, startV4Stick, TEXT, V4_SERIAL } from './v4-stick.ts';

const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});
const NEVER = new AbortController().signal;
/** A stick is given up after moments. */
const briefly: Pause = (ms, signal) => timerPause(ms / 20, signal);

async function stickOf(...[answer, code]: Parameters<typeof startV4Stick>) {
  const stick = await startV4Stick(answer, code);
  ended.push(() => stick.close());
  return stick;
}
const sourceAt = (port: number, serial = V4_SERIAL) =>
  openV4(parseDeviceAddress(`v4://127.0.0.1:${port}?serial=${serial}`) as HostAddress, {
    pause: briefly,
  });

test('each inverter behind a stick is read, with sign and unit, in the long form and in that of Ginlong', async () => {
  const stick = await stickOf(() => [omnikFrame(), ginlongFrame(), TEXT]);
  const { devices } = await sourceAt(stick.port).read(NEVER);
  expect(stick.asked).toEqual(['680241b181cae12381cae12301009316']);
  const values = devices.map(({ sn, part, fields }) => [
    sn,
    reportable(sourcedValues(part, fields)),
  ]);
  expect(values).toEqual([
    [
      'NLDN1520150001',
      {
        temperatureC: 41.5,
        dcVoltage1V: 320.1,
        dcVoltage2V: 298.7,
        dcCurrent1A: 5.1,
        dcCurrent2A: 4.7,
        acCurrent1A: 6.6,
        acCurrent2A: 3.1,
        acVoltage1V: 234.5,
        acVoltage2V: 233.8,
        gridFrequencyHz: 49.99,
        acPower1W: 1500,
        acPower2W: 700,
        acPowerW: 2200,
        energyTodayKwh: 5.12,
        energyTotalKwh: 12_345.6,
      },
    ],
    [
      '000608111111-001',
      {
        dcVoltage1V: 196.6,
        dcVoltage2V: 232.7,
        dcCurrent1A: 5,
        dcCurrent2A: 4.8,
        acVoltage1V: 242,
        acPowerW: 2008,
        energyTodayKwh: 1.4,
        energyTotalKwh: 2524,
      },
    ],
  ]);
});

test('a stick that wants the other request is asked by it from then on', async () => {
  const stick = await stickOf(() => [omnikFrame()], '4030');
  const source = sourceAt(stick.port);
  for (let i = 0; i < 2; i++) expect((await source.read(NEVER)).devices).toHaveLength(1);
  expect(stick.asked.map((hex) => hex.slice(4, 8))).toEqual(['41b1', '4030', '4030']);
});

test('what is broken, or of another stick, is no measurement', async () => {
  const broken = omnikFrame();
  broken[60]! ^= 1;
  const foreign = omnikFrame('OTHER150001');
  for (const at of [4, 8]) foreign.writeUInt32LE(77, at);
  foreign[foreign.length - 2] = foreign
    .subarray(1, -2)
    .reduce((sum, byte) => (sum + byte) & 0xff, 0);
  const stick = await stickOf(() => [Buffer.from('AT+\r\n'), broken, foreign]);
  const source = sourceAt(stick.port);
  await expect(source.read(NEVER)).rejects.toThrow('has not answered in V4');
  expect(source.counters).toMatchObject({ timeouts: 1, strays: 1 });
});

test('one that does not answer, or is not there, is said to be so, with what to do', async () => {
  const stick = await stickOf(() => [omnikFrame()]);
  await expect(sourceAt(stick.port, 602_000_002).read(NEVER)).rejects.toThrow(
    /is 602000002 the serial number on the label of the stick\? .* newer one \(v5:\/\/\)$/,
  );
  const { port } = await stickOf(() => []);
  await ended.pop()!();
  await expect(sourceAt(port).read(NEVER)).rejects.toThrow('is it the address of the stick');
});

test('its address has the number of the stick', () => {
  const text = 'v4://192.168.1.42:8899?serial=602000001';
  expect(deviceAddressText(parseDeviceAddress(text))).toBe(text);
  expect(parseDeviceAddress('v4://stick?serial=7')).toMatchObject({ port: 8899, serial: 7 });
  for (const wrong of ['v4://stick', 'v4://stick?serial=0', 'v4://stick?serial=x'])
    expect(() => parseDeviceAddress(wrong)).toThrow('needs the serial number of the stick');
  expect(() => parseDeviceAddress('v4://stick?baud=9600')).toThrow('baud');
});
