import type { SignatureProfile } from './profile.ts';

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (n: number): string => String(n).padStart(2, '0');

/** Largest difference between `Date` and the time of the server. interface S8 */
export const MAX_SKEW_SECONDS = 15 * 60;

/** The Date header for an instant (epoch ms): `EEE, d MMM yyyy HH:mm:ss 'GMT'`. */
export function signedDate(at: number): string {
  const d = new Date(at);
  return `${DAYS[d.getUTCDay()]}, ${d.getUTCDate()} ${MONTHS[d.getUTCMonth()]} ${d.getUTCFullYear()} ${two(d.getUTCHours())}:${two(d.getUTCMinutes())}:${two(d.getUTCSeconds())} GMT`;
}

const form = (digits: string, zone: string): RegExp =>
  new RegExp(
    `^(${DAYS.join('|')}), (\\d{1,2}) (${MONTHS.join('|')}) (\\d{4}) (${digits}):(${digits}):(${digits}) ${zone}$`,
  );

// interface S7
const FORMS: Record<SignatureProfile, RegExp> = {
  strict: form('\\d{2}', 'GMT'),
  // interface S15: one client does not pad numbers, others name the zone as their programming language does.
  compatible: form('\\d{1,2}', '(?:GMT|UTC|[+-]0000)'),
};

/** The instant of a Date header in epoch milliseconds; undefined unless it is an existing day with the right weekday. */
export function readSignedDate(text: string, profile: SignatureProfile): number | undefined {
  const match = FORMS[profile].exec(text);
  if (!match) return undefined;
  const [, weekday, day, month, year, hour, minute, second] = match;
  const numbers = [
    Number(year),
    MONTHS.indexOf(month!),
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  ] as const;
  const at = Date.UTC(...numbers);
  const date = new Date(at);
  // A date that rolled over (31 Feb, 24:00, a leap second) reads back differently; so do the years 0 to 99.
  const readBack = [
    date.getUTCFullYear(),
    date.getUTCMonth(),
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
  ];
  return numbers.every((number, i) => number === readBack[i]) && weekday === DAYS[date.getUTCDay()]
    ? at
    : undefined;
}
