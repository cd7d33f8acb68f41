import { crc16 } from '../../bus/crc16.ts';
import type { TelegramParser } from '../telegrams.ts';
import { readSml, type SmlTelegram } from './telegram.ts';

const [ESCAPE, START, END] = [0x1b, 0x01, 0x1a];
/** Four of a kind are an escape sequence, and four of a kind follow it. */
const FOUR = 4;
const HEAD = 2 * FOUR;
/** A telegram with all values and a signature has less than 1 KiB. */
const LONGEST = 16_384;

/**
 * Divides what a meter sends into telegrams: from the start sequence to the end sequence and the checksum, version 1 of the
 * transport. Four escapes in the data are sent twice. BSI TR-03109-1, Smart Message Language 1.04, section 8
 */
export function createSmlParser(): TelegramParser<SmlTelegram> {
  let buffer: Buffer = Buffer.alloc(0);
  /** What has been looked at, from the beginning of `buffer`, and the data in it; undefined between telegrams. */
  let inside: { at: number; readonly data: Buffer[] } | undefined;
  let broken = 0;

  function giveUp(at: number): void {
    broken++;
    buffer = buffer.subarray(at);
    inside = undefined;
  }

  /** Looks for the beginning; false if it is not there yet. */
  function begin(): boolean {
    const start = buffer.indexOf(startSequence);
    if (start < 0) {
      buffer = buffer.subarray(Math.max(0, buffer.length - HEAD + 1));
      return false;
    }
    buffer = buffer.subarray(start);
    inside = { at: HEAD, data: [] };
    return true;
  }

  /** Goes on to the next escape sequence; the telegram at the end, and undefined if more bytes are needed. */
  function step(): SmlTelegram | 'broken' | 'further' | undefined {
    const { data } = inside!;
    const from = inside!.at;
    if (from > LONGEST) {
      giveUp(1);
      return 'broken';
    }
    const next = buffer.indexOf(escapeSequence, from);
    if (next < 0) {
      if (buffer.length > LONGEST) giveUp(1);
      return undefined;
    }
    let end = next;
    while (buffer[end] === ESCAPE) end++;
    // The bytes after the last escape decide what it is.
    if (buffer.length < end + FOUR) {
      if (buffer.length > 2 * LONGEST) giveUp(1);
      return undefined;
    }
    const count = end - next;
    const rest = count % HEAD;
    data.push(buffer.subarray(from, next));
    data.push(Buffer.alloc(((count - rest) / HEAD) * FOUR + (rest % FOUR), ESCAPE));
    inside!.at = end;
    if (rest < FOUR) return 'further';
    if (buffer[end] !== END) {
      giveUp(buffer[end] === START ? end - FOUR : end);
      return 'broken';
    }
    const whole = buffer.subarray(0, end + FOUR);
    const padding = whole.at(-3)!;
    const content = Buffer.concat(data);
    const telegram =
      padding < FOUR && isChecked(whole)
        ? readSml(content.subarray(0, content.length - padding))
        : undefined;
    if (!telegram) {
      // The beginning of another one may be inside.
      giveUp(HEAD);
      return 'broken';
    }
    buffer = buffer.subarray(end + FOUR);
    inside = undefined;
    return telegram;
  }

  return {
    get broken() {
      return broken;
    },
    take(bytes) {
      buffer = Buffer.concat([buffer, bytes]);
      const found: SmlTelegram[] = [];
      while (inside !== undefined || begin()) {
        const result = step();
        if (result === undefined && inside !== undefined) break;
        if (typeof result === 'object') found.push(result);
      }
      return found;
    },
  };
}

const escapeSequence = Buffer.alloc(FOUR, ESCAPE);
const startSequence = Buffer.concat([escapeSequence, Buffer.alloc(FOUR, START)]);

/** x^16 + x^12 + x^5 + 1 */
const POLYNOMIAL = 0x8408;

/** Whether the last two bytes are the checksum of all before: CRC-16/X-25, or with Holley's error the Kermit form. */
function isChecked(whole: Buffer): boolean {
  const [first, last] = [whole.at(-2)!, whole.at(-1)!];
  const covered = whole.subarray(0, -2);
  return (
    (crc16(covered, 0xffff, POLYNOMIAL) ^ 0xffff) === (first | (last << 8)) ||
    crc16(covered, 0, POLYNOMIAL) === ((first << 8) | last)
  );
}
