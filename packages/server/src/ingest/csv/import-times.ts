import { DAY_MS } from '@helioport/contract/durations';
import { createLocalZone, type LocalZone } from '../../calendar/local-zone.ts';

/** How the times of a file are written. */
export interface TimeForm {
  /** An IANA zone, or null when each time carries its own offset. */
  readonly zone: string | null;
  /** Whether dates with slashes put the day first. */
  readonly dayFirst: boolean;
}

/** An instant, or why a text is not one. */
export type ReadTime =
  | { readonly at: number; readonly ambiguous: boolean }
  | { readonly fault: string };

const TIME = String.raw`(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:\s*([AaPp])\.?[Mm]\.?)?)?`;
const OFFSET = String.raw`\s*(Z|z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?`;
const DATES = {
  yearFirst: new RegExp(String.raw`^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})${TIME}${OFFSET}$`),
  slashes: new RegExp(String.raw`^(\d{1,2})/(\d{1,2})/(\d{4})${TIME}${OFFSET}$`),
  dots: new RegExp(String.raw`^(\d{1,2})\.(\d{1,2})\.(\d{4})${TIME}${OFFSET}$`),
};
const EPOCH = /^(\d{10})(\.\d+)?$|^(\d{13})$/;

/**
 * Reads times one after another. When clocks go back, a local time occurs twice: of the two instants,
 * the first one after the previous time is used. A local time that the clocks skipped is refused.
 */
export function createTimeReader({ zone, dayFirst }: TimeForm): (text: string) => ReadTime {
  const local = zone === null ? null : createLocalZone(zone);
  const instants = local && createInstants(local);
  let last = Number.NEGATIVE_INFINITY;

  return (text) => {
    const read = readTime(text.trim());
    if ('at' in read) last = read.at;
    return read;
  };

  function readTime(text: string): ReadTime {
    const epoch = EPOCH.exec(text);
    if (epoch)
      return {
        at: epoch[3] === undefined ? Math.round(Number(text) * 1000) : Number(text),
        ambiguous: false,
      };
    const stamp = readStamp(text, dayFirst);
    if (stamp === undefined)
      return {
        fault:
          text === '' ? 'the time is empty' : `${JSON.stringify(text.slice(0, 40))} is not a time`,
      };
    if (stamp.offsetMs !== undefined) return { at: stamp.wall - stamp.offsetMs, ambiguous: false };
    if (!instants) return { fault: 'the time carries no offset: say which zone it is in' };
    const [first, second] = instants(stamp.wall);
    if (first === undefined)
      return { fault: `${text} does not exist in ${zone}: the clocks were put forward` };
    if (second === undefined) return { at: first, ambiguous: false };
    return { at: first > last ? first : second > last ? second : first, ambiguous: true };
  }
}

interface Stamp {
  /** Local time in milliseconds, as if it were UTC. */
  readonly wall: number;
  readonly offsetMs: number | undefined;
}

function readStamp(text: string, dayFirst: boolean): Stamp | undefined {
  const iso = DATES.yearFirst.exec(text);
  if (iso) return stampOf(iso[1], iso[2], iso[3], iso);
  const slashes = DATES.slashes.exec(text);
  if (slashes)
    return dayFirst
      ? stampOf(slashes[3], slashes[2], slashes[1], slashes)
      : stampOf(slashes[3], slashes[1], slashes[2], slashes);
  const dots = DATES.dots.exec(text);
  return dots ? stampOf(dots[3], dots[2], dots[1], dots) : undefined;
}

function stampOf(year = '', month = '', day = '', match: RegExpExecArray): Stamp | undefined {
  const [, , , , hour = '0', minute = '0', second = '0', fraction = '', half, offset] = match;
  const hours = hourOf(Number(hour), half?.toLowerCase());
  if (hours === undefined || Number(minute) > 59 || Number(second) > 59) return undefined;
  const ms = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const wall = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    hours,
    Number(minute),
    Number(second),
    ms,
  );
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day))
    return undefined;
  return { wall, offsetMs: offsetOf(offset) };
}

function hourOf(hour: number, half: string | undefined): number | undefined {
  // 24:00 is the end of the day in ISO 8601.
  if (half === undefined) return hour <= 24 ? hour : undefined;
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (half === 'p' ? 12 : 0);
}

function offsetOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[+-]/.test(text)) return 0;
  const digits = text.replace(/\D/g, '');
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2) || '0');
  return (text.startsWith('-') ? -1 : 1) * minutes * 60_000;
}

/** The instants with a given local time: usually one, two when clocks go back, none when they go forward. */
function createInstants(zone: LocalZone): (wall: number) => readonly number[] {
  let plain = { day: Number.NaN, offset: 0 };
  return (wall) => {
    const day = Math.floor(wall / DAY_MS);
    if (day === plain.day) return [wall - plain.offset];
    const offsets = [
      zone.offsetAt(day * DAY_MS - DAY_MS),
      zone.offsetAt(day * DAY_MS + 2 * DAY_MS),
    ];
    if (offsets[0] === offsets[1]) {
      plain = { day, offset: offsets[0]! };
      return [wall - plain.offset];
    }
    return [...new Set(offsets.map((offset) => wall - offset))]
      .filter((at) => at + zone.offsetAt(at) === wall)
      .toSorted((a, b) => a - b);
  };
}
