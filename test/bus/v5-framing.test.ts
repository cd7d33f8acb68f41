import { expect, test } from 'vitest';
import { createV5Framing } from '../../packages/collector/src/bus/v5-framing.ts';
import type { Arrival } from '../../packages/collector/src/bus/framing.ts';

// A stick of the number 2700000001, asked for input registers 33139 and 33140 of unit 1 as request 0x21.
const REQUEST = 'a517001045210001bbeea0020000000000000000000000000000010481730002a82ca815';
const ANSWER = 'a517001015219a01bbeea0020140420f00100e0000c03e1569010404003900636ba01f15';
const CHECKSUM_TWICE =
  'a519001015219b01bbeea0020140420f00100e0000c03e1569010404003900636ba000002215';
const HEARTBEAT = 'a5010010478d6901bbeea0009815';
const HEARTBEAT_ANSWER = 'a50a0010178e6901bbeea00001c03e156900000000ef15';
const EXCEPTION = 'a510001015219c01bbeea0020140420f00100e0000c03e156902006c15';
const OTHER_NUMBER = 'a517001015209d01bbeea0020140420f00100e0000c03e1569010404003900636ba02115';
const DAMAGED = 'a517001015219a01bbeea0020140420f00100e0000c03e1569010404003900636ba0e015';
const WORDS = Buffer.from('040400390063', 'hex');

function asked(serial = 2_700_000_001, onSerial?: (serial: number) => void) {
  const clock = { now: () => 0x69153ec0 * 1000 };
  const framing = createV5Framing({ serial, first: 0x21, clock, ...(onSerial && { onSerial }) });
  const request = framing.encode({ unit: 1, fn: 4, address: 33_139, count: 2 });
  return {
    request,
    take: (hex: string): Arrival[] => framing.take(Buffer.from(hex, 'hex')),
    framing,
  };
}

const answer = { kind: 'answer', unit: 1, pdu: WORDS, isCurrent: true };

test('a request has the form that sticks know', () => {
  expect(asked().request.toString('hex')).toBe(REQUEST);
});

test('an answer is found, whole or byte by byte, with one checksum or two', () => {
  expect(asked().take(ANSWER)).toEqual([answer]);
  expect(asked().take(CHECKSUM_TWICE)).toEqual([answer]);
  const { framing } = asked();
  const arrived = [...Buffer.from(ANSWER, 'hex')].flatMap((byte) => framing.take(Buffer.of(byte)));
  expect(arrived).toEqual([answer]);
});

test('a heartbeat between is answered with the time, and several frames may come at once', () => {
  const greeting = { kind: 'greeting', bytes: Buffer.from(HEARTBEAT_ANSWER, 'hex') };
  expect(asked().take(HEARTBEAT + ANSWER + HEARTBEAT)).toEqual([greeting, answer, greeting]);
});

test('a bare code is an exception', () => {
  expect(asked().take(EXCEPTION)).toEqual([
    { kind: 'answer', unit: 1, pdu: Buffer.of(0x84, 2), isCurrent: true },
  ]);
});

test('an answer to somebody else’s request is recognized by its number, and one of another stick is none', () => {
  expect(asked().take(OTHER_NUMBER)).toEqual([{ ...answer, isCurrent: false }]);
  expect(asked(2_700_000_002).take(ANSWER)).toEqual([{ kind: 'noise' }]);
});

test('texts, damaged frames and damaged inner frames are skipped', () => {
  const text = Buffer.from('+ok=MODBUS\r\n\xa5\xa5', 'latin1').toString('hex');
  expect(
    asked()
      .take(text + ANSWER)
      .at(-1),
  ).toEqual(answer);
  expect(asked().take(DAMAGED + ANSWER)).toEqual([{ kind: 'noise' }, answer]);
  // The sum of the outer frame holds, the checksum of the inner one does not.
  const inner = ANSWER.replace('00390063', '003a0062');
  expect(asked().take(inner)).toEqual([{ kind: 'noise' }]);
});

test('a stick whose number is not known tells it', () => {
  let serialNo = 0;
  const { request, take } = asked(0, (serial) => (serialNo = serial));
  expect(request.readUInt32LE(7)).toBe(0);
  expect(take(ANSWER)).toEqual([answer]);
  expect(serialNo).toBe(2_700_000_001);
});
