import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reportable, readSourceMap, sourcedValues } from '@helioport/devices/sources';
import type { SmlTelegram } from '../../packages/collector/src/sources/sml/telegram.ts';
import { createSmlParser } from '../../packages/collector/src/sources/sml/transport.ts';
import { readValue } from '../../packages/collector/src/sources/sml/value.ts';
import { pythonWith } from '../support/python.ts';
import {
  kermit,
  SML_ENTRIES,
  SML_SERVER,
  SML_SN,
  SML_VALUES,
  smlTelegram,
  type SmlEntry,
} from './sml-telegram.ts';

const part = readSourceMap('sml').parts['meter']!;
const valuesOf = ({ fields }: SmlTelegram, confirmed?: ReadonlySet<string>) =>
  reportable(sourcedValues(part, fields, confirmed));
const read = (...chunks: Buffer[]): SmlTelegram[] => {
  const parser = createSmlParser();
  return chunks.flatMap((chunk) => parser.take(chunk));
};
const only = (...entries: SmlEntry[]): SmlTelegram => read(smlTelegram(entries))[0]!;
const power = (obis: string, number: number, width = 4): SmlEntry => ({
  obis,
  unit: 27,
  scaler: 0,
  value: { number, width },
});

test('a telegram has the signs and units of the product', () => {
  const [telegram, ...more] = read(smlTelegram());
  expect(more).toEqual([]);
  expect(telegram).toMatchObject({ sn: SML_SN, maker: 'EMH' });
  expect(valuesOf(telegram!)).toEqual(SML_VALUES);
});

test('the number may be any bytes, or missing', () => {
  const named = (value: Buffer) =>
    only({ obis: '0100600100ff', value }, power('0100100700ff', 1)).sn;
  expect(named(Buffer.from('064553590104c5fa2ef7', 'hex'))).toBe('064553590104C5FA2EF7');
  expect(named(Buffer.from('0902415041ff00000001', 'hex'))).toBe('2APAFF00000001');
  expect(named(Buffer.alloc(200, 1))).toBeNull();
  expect(only(power('0100100700ff', 1)).sn).toBe(SML_SN);
});

describe('powers', () => {
  test.each<[string, SmlEntry[], number | undefined]>([
    ['taken', [power('0100100700ff', 4711)], -4711],
    ['sold', [power('0100100700ff', -4711)], 4711],
    ['in two values', [power('0100010700ff', 100), power('0100020700ff', 30)], -70],
    ['only what is taken, which may be all or not', [power('0100010700ff', 100)], undefined],
    ['without a direction', [power('01000f0700ff', 100)], undefined],
    [
      'of another unit',
      [{ obis: '0100100700ff', unit: 28, scaler: 0, value: { number: 9, width: 2 } }],
      undefined,
    ],
    [
      'without a unit',
      [{ obis: '0100100700ff', scaler: 0, value: { number: 9, width: 2 } }],
      undefined,
    ],
    [
      'beyond what can be',
      [{ obis: '0100100700ff', unit: 27, scaler: 9, value: { number: 9, width: 2 } }],
      undefined,
    ],
  ])('%s', (_, entries, expected) => {
    const counter: SmlEntry = { obis: '0100010800ff', unit: 30, value: { number: 5000, width: 4 } };
    const telegram = only(...entries, counter);
    expect(valuesOf(telegram)).toEqual({
      gridImportTotalKwh: 5,
      ...(expected !== undefined && { gridPowerW: expected }),
    });
  });

  test('a house that sells nothing may confirm the one without a direction', () => {
    const confirmed = new Set(['gridPowerW@15.7.0 W']);
    expect(valuesOf(only(power('01000f0700ff', 100)), confirmed)).toEqual({ gridPowerW: -100 });
  });

  test.each([
    ['taken, which looks negative', 'DZG', 0x104, -65_236],
    ['sold', 'DZG', 0x904, 300],
    ['sold, by another maker', 'EMH', 0x104, 300],
  ])('DZG cuts leading zeros: %s', (_, maker, status, expected) => {
    expect(valuesOf(read(shortPower(maker, status))[0]!).gridPowerW).toBe(expected);
  });
});

/** A power of two bytes, -300 W if they are read with a sign. */
const shortPower = (maker: string, status: number): Buffer =>
  smlTelegram([
    { obis: '0100600100ff', value: Buffer.from(`\u000a\u0001${maker}\u0000\u0000aaa`, 'latin1') },
    {
      obis: '0100010800ff',
      unit: 30,
      value: { number: 5000, width: 4 },
      status: { number: status, width: 2 },
    },
    power('0100100700ff', -300, 2),
  ]);

test('a number of 64 bits that nothing can be is none', () => {
  const counter: SmlEntry = {
    obis: '0100010800ff',
    unit: 30,
    value: { number: Number.MAX_SAFE_INTEGER * 4, width: 8 },
  };
  expect(valuesOf(only(counter, power('0100100700ff', 1)))).toEqual({ gridPowerW: -1 });
});

test('Holley’s checksum is accepted', () => {
  expect(read(smlTelegram(SML_ENTRIES, kermit)).map((one) => valuesOf(one))).toEqual([SML_VALUES]);
});

test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13])('%i escapes in a row are data', (count) => {
  const key: SmlEntry = { obis: '8181c78205ff', value: Buffer.alloc(count, 0x1b) };
  for (const entries of [
    [key, ...SML_ENTRIES],
    [...SML_ENTRIES, key],
  ])
    expect(read(smlTelegram(entries)).map((one) => valuesOf(one))).toEqual([SML_VALUES]);
});

describe('broken telegrams give nothing, and the next whole one is read', () => {
  const good = smlTelegram();
  const flipped = Buffer.from(good);
  flipped[100]! ^= 1;
  const listEnd = good.length - 60;
  test.each<[string, Buffer]>([
    ['a flipped bit', flipped],
    ['cut in the middle', good.subarray(0, 120)],
    ['cut before the checksum', good.subarray(0, -2)],
    ['the second half', good.subarray(120)],
    ['without a few bytes', Buffer.concat([good.subarray(0, listEnd), good.subarray(listEnd + 3)])],
    [
      'version 2 of the transport',
      Buffer.concat([Buffer.from('1b1b1b1b02020202', 'hex'), good.subarray(8)]),
    ],
    ['text', Buffer.from('1-0:1.8.0*255(000125.25*kWh)\r\n!\r\n')],
    ['hexadecimal digits', Buffer.from(good.toString('hex'))],
    [
      'a megabyte after the beginning',
      Buffer.concat([good.subarray(0, 8), Buffer.alloc(1_000_000, 0x76)]),
    ],
    ['a megabyte of escapes', Buffer.alloc(1_000_000, 0x1b)],
    ['a megabyte of beginnings', Buffer.alloc(1_000_000, good.subarray(0, 8))],
  ])('%s', (_, bytes) => {
    expect(read(bytes)).toEqual([]);
    const found = read(bytes, Buffer.alloc(8), good, good).map((one) => valuesOf(one));
    expect(found.length).toBeGreaterThan(0);
    for (const values of found) expect(values).toEqual(SML_VALUES);
  });

  test('doubled, it is the same twice', () => {
    expect(read(Buffer.concat([good, good])).map((one) => valuesOf(one))).toEqual([
      SML_VALUES,
      SML_VALUES,
    ]);
  });

  test('each one is counted', () => {
    const parser = createSmlParser();
    parser.take(flipped);
    parser.take(Buffer.concat([good.subarray(0, 120), good]));
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
          for (const telegram of read(bytes.subarray(0, cut), bytes.subarray(cut)))
            expect(valuesOf(telegram)).toEqual(SML_VALUES);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('any bytes with a right checksum are read or refused, without an error', () => {
    const wrap = (content: Uint8Array): Buffer => {
      const padded = Buffer.concat([content, Buffer.alloc((4 - (content.length % 4)) % 4)]);
      const covered = Buffer.concat([
        good.subarray(0, 8),
        padded,
        Buffer.from('1b1b1b1b1a00', 'hex'),
      ]);
      return Buffer.concat([covered, kermit(covered)]);
    };
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (content) => void read(wrap(content))),
      { numRuns: 500 },
    );
    // Lists in lists without an end, and lengths that are not there.
    expect(read(wrap(Buffer.alloc(400, 0x71)))).toEqual([]);
    expect(readValue(Buffer.alloc(100, 0xff), 0)).toBeUndefined();
    expect(readValue(Buffer.from('8f', 'hex'), 0)).toBeUndefined();
  });
});

test('in pieces of any size, it is the same', () => {
  const good = Buffer.concat([smlTelegram(), smlTelegram()]);
  for (const size of [1, 2, 7, 64, 10_000]) {
    const pieces = Array.from({ length: Math.ceil(good.length / size) }, (_, i) =>
      good.subarray(i * size, (i + 1) * size),
    );
    expect(read(...pieces).map((one) => valuesOf(one))).toEqual([SML_VALUES, SML_VALUES]);
  }
});

const python = await pythonWith(
  'sml',
  ['smllib==1.7', 'pysml==0.1.9'],
  'tests of SML telegrams against public readers',
);

test.runIf(python)('public readers read the telegrams of these tests alike', async () => {
  const program = `
import json, sys
from smllib import SmlStreamReader
from sml import SmlBase, SmlGetListResponse
whole, short = [bytes.fromhex(text) for text in sys.argv[1:]]
reader = SmlStreamReader()
reader.add(whole)
frame = SmlBase.find_frame(short)[1]
bodies = [message.get('messageBody') for message in frame]
powers = [one.get('value') for body in bodies if isinstance(body, SmlGetListResponse)
          for one in body.get('valList') if one.get('objName') == '1-0:16.7.0*255']
print(json.dumps([{one.obis: one.get_value() for one in reader.get_frame().get_obis()}, powers], default=str))
`;
  const texts = [smlTelegram(), shortPower('DZG', 0x104)].map((one) => one.toString('hex'));
  const { stdout } = await promisify(execFile)(python!, ['-c', program, ...texts]);
  expect(JSON.parse(stdout)).toMatchObject([
    {
      '0100010800ff': 1_234_567.8,
      '0100020800ff': 4_321_001,
      '0100100700ff': -2345.67,
      '0100380700ff': 0,
      '0100200700ff': 230.1,
      '01000e0700ff': 49.9,
      '0100600100ff': SML_SERVER.toString('hex'),
    },
    [65_236],
  ]);
});

test.each([
  ['escapes', Buffer.alloc(1_000, 0x1b)],
  ['escaped data', Buffer.from('1b1b1b1b1b1b1b1b00'.repeat(100), 'hex')],
  ['data', Buffer.alloc(1_000, 0x55)],
  ['beginnings', Buffer.from('1b1b1b1b01010101'.repeat(100), 'hex')],
])('%s without end take no memory without end, and the next telegram is read', (_, bytes) => {
  const parser = createSmlParser();
  parser.take(Buffer.from('1b1b1b1b01010101', 'hex'));
  for (let i = 0; i < 100; i++) expect(parser.take(bytes)).toEqual([]);
  expect(parser.broken).toBeGreaterThan(0);
  expect(parser.take(smlTelegram(SML_ENTRIES)).map((one) => valuesOf(one))).toEqual([SML_VALUES]);
});
