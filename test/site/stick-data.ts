import { encodeV5, V5_CODES } from '../../packages/collector/src/solarman/v5-frame.ts';

export interface StickData {
  readonly serial: number;
  /** Of the inverter. */
  readonly sn: string;
  /** Epoch milliseconds; undefined: the stick has no clock. */
  readonly at: number | undefined;
  /** Whether the stick has kept it. */
  readonly isKept: boolean;
  readonly askerNumber?: number;
  readonly powerW?: number;
  readonly todayKwh?: number;
  readonly totalKwh?: number;
}

/** Data of an inverter as its stick pushes them. */
export function stickData({
  serial,
  sn,
  at,
  isKept,
  askerNumber = 7,
  powerW = 1234,
  todayKwh = 0,
  totalKwh = 0,
}: StickData): Buffer {
  const payload = Buffer.alloc(0xe9);
  payload.writeUInt8(isKept ? 0x81 : 1, 0);
  payload.writeUInt16LE(0x0507, 1);
  payload.writeUInt32LE(1000, 3);
  payload.writeUInt32LE(at === undefined ? 0 : at / 1000 - 1000, 11);
  payload.write(sn.padEnd(16), 21, 'latin1');
  payload.writeUInt16LE(5000, 59);
  payload.writeUInt32LE(powerW, 61);
  payload.writeUInt16LE(Math.floor(todayKwh * 100), 65);
  payload.writeUInt32LE(Math.floor(totalKwh * 10), 69);
  return encodeV5({ code: V5_CODES.data, askerNumber, stickNumber: 9, serial, payload });
}
