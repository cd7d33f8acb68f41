import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reportable, readSourceMap, sourcedValues } from '@helioport/devices/sources';
import {
  createP1Parser,
  type P1Telegram,
} from '../../packages/collector/src/sources/p1/telegram.ts';
import { pythonWith } from '../support/python.ts';
import { P1_LINES, P1_SN, P1_VALUES, p1Telegram, uncheckedTelegram } from './p1-telegram.ts';

const part = readSourceMap('p1').parts['meter']!;
const valuesOf = ({ fields }: P1Telegram) => reportable(sourcedValues(part, fields));
const read = (...chunks: Buffer[]): P1Telegram[] => {
  const parser = createP1Parser();
  return chunks.flatMap((chunk) => parser.take(chunk));
};
const without = (...codes: string[]): string[] =>
  P1_LINES.filter((line) => !codes.some((code) => line.startsWith(code)));

test('a telegram has the signs and units of the product, and nothing of gas', () => {
  const [telegram, ...more] = read(p1Telegram());
  expect(more).toEqual([]);
  expect(telegram).toMatchObject({ sn: P1_SN, name: 'ISK5\\2M550E-1012' });
  expect(valuesOf(telegram!)).toEqual(P1_VALUES);
});

test('the meter’s clock has a letter for the season', () => {
  const clockOf = (text: string) =>
    read(p1Telegram(['1-3:0.2.8(50)', `0-0:1.0.0(${text})`, '1-0:1.7.0(00.1*kW)']))[0]!.clockAt;
  expect(clockOf('261128083015W')).toBe(Date.parse('2026-11-28T07:30:15Z'));
  expect(clockOf('260628083015S')).toBe(Date.parse('2026-06-28T06:30:15Z'));
  // The hour that is there twice.
  expect(clockOf('261025023000W')! - clockOf('261025023000S')!).toBe(3_600_000);
  for (const text of ['', '261128083015', '261328083015W', 'x']) expect(clockOf(text)).toBeNull();
});

describe('totals are exact', () => {
  test.each([
    ['two tariffs', ['1-0:1.8.1(000000.100*kWh)', '1-0:1.8.2(000000.200*kWh)'], 0.3],
    ['one', ['1-0:1.8.0(123456.789*kWh)'], 123_456.789],
    ['the sum before the tariffs', ['1-0:1.8.1(1.0*kWh)', '1-0:1.8.0(3.000*kWh)'], 3],
    ['four', [1, 2, 3, 4].map((i) => `1-0:1.8.${i}(000000.00${i}*kWh)`), 0.01],
    ['watt hours', ['1-0:1.8.0(123456789*Wh)'], 123_456.789],
    ['the longest', ['1-0:1.8.1(99999999.999*kWh)', '1-0:1.8.2(0.001*kWh)'], 100_000_000],
  ])('%s', (_, lines, expected) => {
    expect(valuesOf(read(p1Telegram(lines))[0]!).gridImportTotalKwh).toBe(expected);
  });
});

test('a meter that sells nothing may not know the word', () => {
  const [telegram] = read(p1Telegram(['1-0:1.7.0(00.123*kW)', '1-0:1.8.0(5.000*kWh)']));
  expect(valuesOf(telegram!)).toEqual({ gridPowerW: -123, gridImportTotalKwh: 5 });
});

test('a unit that does not fit is no value', () => {
  const [telegram] = read(p1Telegram(['1-0:1.7.0(123*V)', '1-0:1.8.0(5.000*kWh)']));
  expect(valuesOf(telegram!)).toEqual({ gridImportTotalKwh: 5 });
});

test('values of one source are shown and not reported', () => {
  const [{ fields }] = read(
    p1Telegram(['1-0:14.7.0(50.0*Hz)', '1-0:3.7.0(1.0*kvar)', '1-0:4.7.0(0*kvar)']),
  ) as [P1Telegram];
  expect(reportable(sourcedValues(part, fields))).toEqual({});
  expect(reportable(sourcedValues(part, fields, new Set(['gridFrequencyHz'])))).toEqual({
    gridFrequencyHz: 50,
  });
});

describe('broken telegrams give nothing, and the next whole one is read', () => {
  const good = p1Telegram();
  const flipped = Buffer.from(good);
  flipped[good.indexOf('2.345')] = 0x39;
  test.each([
    ['a flipped digit', flipped],
    ['cut in the middle', good.subarray(0, 300)],
    ['cut before the checksum', good.subarray(0, -6)],
    ['cut within it', good.subarray(0, -4)],
    ['no checksum, though its version has one', uncheckedTelegram(P1_LINES)],
    ['the second half', good.subarray(300)],
    ['text', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n!\r\n')],
    ['another encoding', Buffer.from(good.toString('latin1'), 'utf16le')],
    ['a megabyte without an end', Buffer.alloc(1_000_000, '/ISK5 ')],
    ['a megabyte of zeros', Buffer.alloc(1_000_000)],
    ['a line that never ends', Buffer.from(`/ISK5${'1'.repeat(100_000)}\r\n!0000\r\n`)],
  ])('%s', (_, bytes) => {
    expect(read(bytes)).toEqual([]);
    expect(read(bytes, good).map(valuesOf)).toEqual([P1_VALUES]);
  });

  test('doubled, it is the same twice', () => {
    expect(read(Buffer.concat([good, good])).map(valuesOf)).toEqual([P1_VALUES, P1_VALUES]);
  });

  test('each one is counted', () => {
    const parser = createP1Parser();
    parser.take(flipped);
    parser.take(Buffer.concat([good.subarray(0, 300), good]));
    expect(parser.broken).toBe(2);
  });

  test('whatever is put before, between and inside, no wrong value comes out', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 40 }),
        fc.nat(good.length - 1),
        fc.integer({ min: 1, max: 255 }),
        fc.nat(good.length),
        (noise, at, change, cut) => {
          const spoiled = Buffer.from(good);
          spoiled[at]! ^= change;
          const bytes = Buffer.concat([noise, spoiled, noise]);
          const found = read(bytes.subarray(0, cut), bytes.subarray(cut));
          for (const telegram of found) expect(valuesOf(telegram)).toEqual(P1_VALUES);
        },
      ),
      { numRuns: 300 },
    );
  });
});

test('in pieces of any size, it is the same', () => {
  const good = p1Telegram();
  for (const size of [1, 2, 7, 64, 10_000]) {
    const pieces = Array.from({ length: Math.ceil(good.length / size) }, (_, i) =>
      good.subarray(i * size, (i + 1) * size),
    );
    expect(read(...pieces).map(valuesOf)).toEqual([P1_VALUES]);
  }
});

describe('versions before 4', () => {
  const lines = without('1-3:0.2.8', '0-0:1.0.0');
  const plain = uncheckedTelegram(lines);
  const ones = (byte: number): number => byte.toString(2).replaceAll('0', '').length;
  const withParity = Buffer.from(
    Array.from(plain, (byte) => (ones(byte) % 2 === 1 ? byte | 0x80 : byte)),
  );

  test('have no checksum', () => {
    expect(read(plain).map(valuesOf)).toEqual([P1_VALUES]);
  });
  test('have 7 bits and even parity, which is checked', () => {
    expect(read(withParity).map(valuesOf)).toEqual([P1_VALUES]);
    for (const at of [100, 200, 300]) {
      const flipped = Buffer.from(withParity);
      flipped[at]! ^= 4;
      expect(read(flipped)).toEqual([]);
    }
  });
});

const python = await pythonWith(
  'p1',
  ['dsmr-parser==1.11.2'],
  'tests of P1 telegrams against a public reader',
);

test.runIf(python)('a public reader reads the telegrams of these tests alike', async () => {
  const program = `
import json, sys
from dsmr_parser import telegram_specifications
from dsmr_parser.parsers import TelegramParser
text = sys.stdin.buffer.read().decode('latin1')
telegram = json.loads(TelegramParser(telegram_specifications.V5).parse(text, throw_ex=True).to_json())
print(json.dumps({name: one.get('value') for name, one in telegram.items() if isinstance(one, dict)}))
`;
  const running = promisify(execFile)(python!, ['-c', program]);
  running.child.stdin!.end(p1Telegram());
  const shown = JSON.parse((await running).stdout) as Record<string, number | string>;
  expect({
    gridPowerW:
      (Number(shown['CURRENT_ELECTRICITY_DELIVERY']) - Number(shown['CURRENT_ELECTRICITY_USAGE'])) *
      1000,
    used: Number(shown['ELECTRICITY_USED_TARIFF_1']) + Number(shown['ELECTRICITY_USED_TARIFF_2']),
    acVoltage2V: Number(shown['INSTANTANEOUS_VOLTAGE_L2']),
    clock: Date.parse(String(shown['P1_MESSAGE_TIMESTAMP'])),
  }).toEqual({
    gridPowerW: P1_VALUES.gridPowerW,
    used: P1_VALUES.gridImportTotalKwh,
    acVoltage2V: P1_VALUES.acVoltage2V,
    clock: createP1Parser().take(p1Telegram())[0]!.clockAt,
  });
});
