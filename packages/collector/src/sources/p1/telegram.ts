import { HOUR_MS } from '@helioport/contract/durations';
import { crc16 } from '../../bus/crc16.ts';
import type { TelegramParser } from '../telegrams.ts';

/** A telegram of a P1 port, as far as it is about electricity. */
export interface P1Telegram {
  /** What the meter calls itself, such as `ISK5\2M550E-1012`. */
  readonly name: string;
  /** The number of the equipment; null if it tells none. */
  readonly sn: string | null;
  /** Numbers by OBIS code and unit, such as `1.7.0 kW`. */
  readonly fields: ReadonlyMap<string, number>;
  /** What the meter's clock showed, epoch milliseconds, in the time of Central Europe. */
  readonly clockAt: number | null;
}

const [SLASH, BANG, RETURN, NEWLINE] = [0x2f, 0x21, 0x0d, 0x0a];
/** The longest ones have a text for the customer of 2 KiB, and a log of failures. */
const LONGEST = 16_384;
const CRC_DIGITS = 4;

/**
 * Divides what a meter writes into telegrams: from / to ! and a checksum, which the versions before 4 do not have. Lines of
 * 7 bits with even parity, as those versions use them, are read as 8 bits. P1 Companion Standard 5.0.2, section 6
 */
export function createP1Parser(): TelegramParser<P1Telegram> {
  let bytes: number[] = [];
  let [isInside, hasEighthBit, isParityWrong] = [false, false, false];
  /** How many bytes follow the exclamation mark; undefined before it. */
  let tail: number | undefined;
  let broken = 0;

  function finish(): P1Telegram | undefined {
    isInside = false;
    if (hasEighthBit && isParityWrong) return undefined;
    return readP1(Buffer.from(bytes));
  }

  return {
    get broken() {
      return broken;
    },
    take(chunk) {
      const found: P1Telegram[] = [];
      for (const byte of chunk) {
        const code = byte & 0x7f;
        if (code === SLASH) {
          if (isInside) broken++;
          [bytes, tail] = [[], undefined];
          [isInside, hasEighthBit, isParityWrong] = [true, false, false];
        }
        if (!isInside) continue;
        if (byte !== code) hasEighthBit = true;
        if (isOdd(byte)) isParityWrong = true;
        if (tail !== undefined && (code === RETURN || code === NEWLINE)) {
          const telegram = finish();
          if (telegram) found.push(telegram);
          else broken++;
          continue;
        }
        bytes.push(code);
        if (tail !== undefined) tail++;
        if (code === BANG) tail = 0;
        if (bytes.length > LONGEST || (tail ?? 0) > CRC_DIGITS) {
          isInside = false;
          broken++;
        }
      }
      return found;
    },
  };
}

function isOdd(byte: number): boolean {
  const half = byte ^ (byte >> 4);
  return ((0x6996 >> (half & 0xf)) & 1) === 1;
}

const LINE = /^(\d{1,3})-(\d{1,3}):(\d{1,3}\.\d{1,3}\.\d{1,3})(?:\.255|\*255)?((?:\([^()]*\))+)$/;
const NUMBER = /^\((-?\d{1,9}(?:\.\d{1,6})?)\*(kWh|Wh|kW|W|V|A|Hz|kvar|var)\)$/;
/** Units that are written in another one, with what they are multiplied by. */
const UNITS: Readonly<Record<string, readonly [string, number]>> = {
  Wh: ['kWh', 0.001],
  W: ['kW', 0.001],
  var: ['kvar', 0.001],
};
/** From this version on, each telegram has a checksum. */
const CHECKED_FROM = 40;
/** What the lines are about: a meter's electricity, and the meter itself. */
const [ELECTRICITY, ABSTRACT] = ['1', '0'];

/** Reads one telegram, without the end of its last line; undefined if it is broken. */
export function readP1(bytes: Buffer): P1Telegram | undefined {
  const text = bytes.toString('latin1');
  const end = text.lastIndexOf('!');
  const [head = '', ...lines] = text.slice(0, end).split(/\r?\n/);
  const [, name] = /^\/([\x20-\x7e]{4,100})$/.exec(head) ?? [];
  if (end < 0 || name === undefined) return undefined;
  const checksum = text.slice(end + 1);
  if (checksum !== '' && !isRight(bytes.subarray(0, end + 1), checksum)) return undefined;
  const fields = new Map<string, number>();
  const texts = new Map<string, string>();
  for (const line of lines) {
    const [, medium, channel, code = '', values = ''] = LINE.exec(line) ?? [];
    // Other channels are meters of gas, water and heat.
    if (channel !== '0' && code !== '0.2.8') continue;
    const [, digits, unit = ''] = NUMBER.exec(values) ?? [];
    if (medium === ELECTRICITY && digits !== undefined) {
      const [base, factor] = UNITS[unit] ?? [unit, 1];
      const field = `${code} ${base}`;
      if (!fields.has(field)) fields.set(field, Number(digits) * factor);
    } else if (medium === ABSTRACT || code === '0.2.8') {
      texts.set(code, values.slice(1, -1));
    }
  }
  const version = Number((texts.get('0.2.8') ?? texts.get('96.1.4') ?? '0').slice(0, 2));
  if (checksum === '' && version >= CHECKED_FROM) return undefined;
  if (fields.size === 0) return undefined;
  return {
    name,
    sn: equipmentOf(texts.get('96.1.1') ?? texts.get('96.1.0') ?? texts.get('42.0.0') ?? ''),
    fields,
    clockAt: timeOf(texts.get('1.0.0') ?? ''),
  };
}

const isRight = (covered: Buffer, checksum: string): boolean =>
  /^[0-9A-Fa-f]{4}$/.test(checksum) && crc16(covered, 0) === Number.parseInt(checksum, 16);

/** The number of the equipment is written as hexadecimal octets of its characters. */
function equipmentOf(text: string): string | null {
  const plain = /^(?:[0-9A-Fa-f]{2}){4,48}$/.test(text)
    ? Buffer.from(text, 'hex').toString('latin1').trim()
    : text;
  return /^[\x21-\x2b\x2d-\x7e]{4,64}$/.test(plain) ? plain : null;
}

/** `YYMMDDhhmmss` and S for summer or W for winter. */
function timeOf(text: string): number | null {
  const [, year, month, day, hour, minute, second, season] =
    /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)([SW])$/.exec(text) ?? [];
  if (season === undefined) return null;
  const at = Date.parse(`20${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(at) ? null : at - (season === 'S' ? 2 : 1) * HOUR_MS;
}
