import type { Values } from '@helioport/contract';
import { judged } from '../judged.ts';
import { roundedValue, serialNumberAt, sumOf } from './frame-bytes.ts';

/** What an old stick (V4) reports of one inverter; its frames have no date. */
export interface V4Reading {
  /** Serial number of the stick. */
  readonly serial: number;
  /** Serial number of the inverter. */
  readonly sn: string;
  /** Whether it is of the short form, by Ginlong. */
  readonly isGinlong: boolean;
  /** As they stand there, whether or not they can be. */
  readonly raw: readonly (readonly [Name, number])[];
  readonly values: Values;
  /** Number of values that cannot be. */
  readonly dropped: number;
}

const START = 0x68;
const END = 0x16;
/** Length of a frame beyond what its second byte says. */
const REST_BYTES = 14;
const DATA_CODES = new Set([0x41b0, 0x51b0]);
const GINLONG_LENGTH = 0x59;

type Name = keyof Values;
type FieldRow = readonly [Name, number, 2 | 4, number];

/** Quantity, offset, bytes, value of one step; high byte first. */
const INPUTS: readonly FieldRow[] = [
  ['temperatureC', 31, 2, 0.1],
  ['dcVoltage1V', 33, 2, 0.1],
  ['dcVoltage2V', 35, 2, 0.1],
  ['dcVoltage3V', 37, 2, 0.1],
  ['dcCurrent1A', 39, 2, 0.1],
  ['dcCurrent2A', 41, 2, 0.1],
  ['dcCurrent3A', 43, 2, 0.1],
  ['acCurrent1A', 45, 2, 0.1],
  ['acCurrent2A', 47, 2, 0.1],
  ['acCurrent3A', 49, 2, 0.1],
  ['acVoltage1V', 51, 2, 0.1],
  ['acVoltage2V', 53, 2, 0.1],
  ['acVoltage3V', 55, 2, 0.1],
];
const LONG: readonly FieldRow[] = [
  ['acPower1W', 59, 2, 1],
  ['acPower2W', 63, 2, 1],
  ['acPower3W', 67, 2, 1],
  ['energyTodayKwh', 69, 2, 0.01],
  ['energyTotalKwh', 71, 4, 0.1],
  ['statusCode', 79, 2, 1],
  ['warningCode', 93, 4, 1],
];
const GINLONG: readonly FieldRow[] = [
  ['gridFrequencyHz', 57, 2, 0.01],
  ['acPowerW', 59, 2, 1],
  ['energyTodayKwh', 69, 2, 0.01],
  ['energyTotalKwh', 71, 4, 0.1],
];

/** The codes with which sticks want to be asked, each by some. */
export const V4_REQUESTS: readonly number[] = [0x41b1, 0x4030];

/** Asks a stick for the frames of its inverters. @param form position in `V4_REQUESTS` */
export function v4Request(serial: number, form: number): Buffer {
  const frame = Buffer.alloc(16);
  frame.set([START, 2]);
  frame.writeUInt16BE(V4_REQUESTS[form]!, 2);
  frame.writeUInt32LE(serial, 4);
  frame.writeUInt32LE(serial, 8);
  frame[12] = 1;
  frame[14] = sumOf(frame);
  frame[15] = END;
  return frame;
}

/** Takes the measurements out of a stream of frames. */
export function createV4Parser(): (bytes: Buffer) => V4Reading[] {
  let kept: Buffer = Buffer.alloc(0);
  return (bytes) => {
    kept = Buffer.concat([kept, bytes]);
    const readings: V4Reading[] = [];
    for (;;) {
      const start = kept.indexOf(START);
      kept = kept.subarray(start === -1 ? kept.length : start);
      if (kept.length < 2) return readings;
      const length = kept[1]! + REST_BYTES;
      if (kept.length < length) return readings;
      const frame = kept.subarray(0, length);
      if (frame.at(-1) !== END || frame.at(-2) !== sumOf(frame)) {
        kept = kept.subarray(1);
        continue;
      }
      kept = kept.subarray(length);
      const reading = readingOf(frame);
      if (reading) readings.push(reading);
    }
  };
}

function readingOf(frame: Buffer): V4Reading | undefined {
  const isOnce = frame.readUInt32LE(4) === frame.readUInt32LE(8);
  if (!isOnce || !DATA_CODES.has(frame.readUInt16BE(2)) || frame.length < 77) return undefined;
  const sn = serialNumberAt(frame, 15);
  if (sn === undefined) return undefined;
  const isGinlong = frame[1] === GINLONG_LENGTH;
  const values: { [Key in Name]?: number } = {};
  const read = ([name, at, bytes, step]: FieldRow): void => {
    if (at + bytes > frame.length - 2) return;
    const raw = bytes === 2 ? frame.readUInt16BE(at) : frame.readUInt32BE(at);
    if (raw !== (bytes === 2 ? 0xffff : 0xffff_ffff)) values[name] = roundedValue(raw * step);
  };
  for (const field of [...INPUTS, ...(isGinlong ? GINLONG : LONG)]) read(field);
  if (!isGinlong) {
    read(['gridFrequencyHz', 57, 2, frame[14] === 6 ? 0.1 : 0.01]);
    const phases = [values.acPower1W, values.acPower2W, values.acPower3W];
    if (phases.some((power) => power !== undefined))
      values.acPowerW = phases.reduce<number>((sum, power) => sum + (power ?? 0), 0);
  }
  const raw = Object.entries(values) as [Name, number][];
  return { serial: frame.readUInt32LE(4), sn, isGinlong, raw, ...judged(values) };
}
