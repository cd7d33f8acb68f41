import { readSignedDate, signedDate } from '@helioport/contract';
import type { Variant } from '../recipe.ts';

const HOUR_MS = 3_600_000;
const QUARTER_MS = HOUR_MS / 4;
/** The end of the year 9999: around it, all forms of an instant can be written. */
const FARTHEST_MS = 253_402_300_799_999;

/** The instant that a text stands for, in any form that a browser can read; undefined if it is none. */
export function instantOf(text: string): number | undefined {
  const strict = readSignedDate(text, 'compatible');
  if (strict !== undefined) return strict;
  if (/^\d{10}$/.test(text)) return Number(text) * 1000;
  if (/^\d{13}$/.test(text)) return Number(text);
  const at = Date.parse(text);
  return Math.abs(at) <= FARTHEST_MS ? at : undefined;
}

const padded = (at: number): string => new Date(at).toUTCString();

/** Forms in which programs write an instant. */
function formsOf(at: number): string[] {
  const [long, short, iso] = [padded(at), signedDate(at), new Date(at).toISOString()];
  const time = long.slice(17, 25);
  const twelve = time.replace(/^\d\d/, (hour) => String(Number(hour) % 12 || 12).padStart(2, '0'));
  return [
    short,
    long,
    ...['UTC', '+0000', '+00:00', 'Z', 'GMT+00:00', 'UT'].flatMap((zone) => [
      long.replace('GMT', zone),
      short.replace('GMT', zone),
    ]),
    long.replace(' GMT', ''),
    short.replace(' GMT', ''),
    long.slice(5),
    short.replace(/^\w+, /, ''),
    long.replace(', ', ' '),
    long.replace(time, twelve),
    long.replace(time, time.replace(/(^|:)0/g, '$1')),
    short.replace(time, time.replace(/(^|:)0/g, '$1')),
    long.replace(/^(\w+), (\d+) (\w+) (\d+) (\S+) GMT$/, '$1 $3 $2 $5 $4'),
    long.replace(/^(\w+), (\d+) (\w+) \d\d(\d+) (\S+) GMT$/, '$1, $2-$3-$4 $5 GMT'),
    long.toLowerCase(),
    long.toUpperCase(),
    iso,
    iso.replace(/\.\d+Z/, 'Z'),
    iso.slice(0, 19),
    iso.slice(0, 19).replace('T', ' '),
    String(at),
    String(at / 1000),
    '',
  ];
}

/** Another text of the same instant was signed. */
export function dateForms(header: string): Variant[] {
  const at = instantOf(header);
  if (at === undefined) return [];
  return [header.trim(), ...formsOf(at)].map((was): Variant => ({
    fault: { cause: 'signedDateForm', was, should: header },
    change: { date: was },
  }));
}

/** A time that is off by a time zone was signed. */
export function zonedDates(header: string): Variant[] {
  const at = instantOf(header);
  if (at === undefined) return [];
  const zones = Array.from({ length: 26 * 4 + 1 }, (_, i) => (i - 12 * 4) * QUARTER_MS).filter(
    (shift) => shift !== 0,
  );
  return zones.flatMap((shift) =>
    usualForms(at + shift).map((date): Variant => ({
      fault: zoneFault(shift, date, header),
      change: { date },
    })),
  );
}

const zoneFault = (shift: number, was: string, should: string): Variant['fault'] => ({
  cause: 'signedDateZone',
  seconds: shift / 1000,
  was,
  should,
});

const NEAR_SECONDS = 3600;

/** The time was taken twice: once for the signature, once for the header. */
export function nearDates(header: string): Variant[] {
  const at = instantOf(header);
  if (at === undefined) return [];
  return Array.from({ length: NEAR_SECONDS }, (_, i) => i + 1).flatMap((seconds) =>
    [-seconds, seconds].flatMap((off) =>
      usualForms(at + off * 1000).map((was): Variant => ({
        fault: { cause: 'signedDateOther', seconds: off, was, should: header },
        change: { date: was },
      })),
    ),
  );
}

const usualForms = (at: number): string[] => [...new Set([signedDate(at), padded(at)])];
