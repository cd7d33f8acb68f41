/** A time as it is written. */
export interface Stamp {
  /** Local time in milliseconds, as if it were UTC. */
  readonly wall: number;
  readonly offsetMs: number | undefined;
  /** Whether it is a date without a time of day. */
  readonly isDate: boolean;
}

export type ReadStamp = Stamp | { readonly fault: string };

const TIME = String.raw`(?:(?:[T ]|, )\s*(\d{1,2})[:.](\d{2})(?:[:.](\d{2})(?:[.,](\d{1,9}))?)?(?:\s*([AaPp])\.?\s?[Mm]\.?)?)?`;
const OFFSET = String.raw`\s*(Z|z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?`;
const form = (date: string): RegExp => new RegExp(String.raw`^${date}${TIME}${OFFSET}$`);

const YEAR_FIRST = form(String.raw`(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})`);
const SLASHES = form(String.raw`(\d{1,2})/(\d{1,2})/(\d{4}|\d{2})`);
const HYPHENS = form(String.raw`(\d{1,2})-(\d{1,2})-(\d{4}|\d{2})`);
const DOTS = form(String.raw`(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})`);
const DIGITS = /^(\d{4})(\d{2})(\d{2})(?:[T ]?(\d{2}):?(\d{2})(?::?(\d{2}))?)?$/;
const DAY_AND_NAME = form(String.raw`(\d{1,2})[- ]([A-Za-z]{3,9})\.?[-, ]+(\d{4})`);
const NAME_AND_DAY = form(String.raw`([A-Za-z]{3,9})\.? (\d{1,2}),? (\d{4})`);
const EPOCH = /^(\d{10})(\.\d+)?$|^(\d{13})$/;
/** Days since the end of 1899, as spreadsheets count them. */
const SERIAL = /^(\d{5})(?:[.,](\d{1,12}))?$/;
const [SERIAL_FROM, SERIAL_TO] = [36_526, 73_050];
const SERIAL_ZERO = Date.UTC(1899, 11, 30);
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Reads a time. `dayFirst`: whether the day comes first where the order of day and month is not fixed; undefined: with hyphens, but not with slashes. */
export function readStamp(text: string, dayFirst: boolean | undefined): ReadStamp {
  const epoch = EPOCH.exec(text);
  if (epoch)
    return {
      wall: epoch[3] === undefined ? Math.round(Number(text) * 1000) : Number(text),
      offsetMs: 0,
      isDate: false,
    };
  const stamp = calendarStamp(text, dayFirst) ?? serialStamp(text);
  if (stamp) return stamp;
  if (text === '') return { fault: 'the time is empty' };
  const said = `${JSON.stringify(text.slice(0, 40))} is not a time`;
  if (/^\d{1,2}:\d{2}/.test(text))
    return { fault: `${said}: it has no date; a column of dates is added as in --time Date+Time` };
  if (/^\d{1,2}\/\d{1,2}\/\d{2}( |$)/.test(text))
    return { fault: `${said}: its year has two digits; --day-first says that the day comes first` };
  if (/^(total|sum|gesamt|totaal|somme|suma|mittel|average|avg|max|min)/i.test(text))
    return { fault: `${said}: the row seems to sum up others` };
  return { fault: said };
}

function calendarStamp(text: string, dayFirst: boolean | undefined): Stamp | undefined {
  let match = YEAR_FIRST.exec(text) ?? DIGITS.exec(text);
  if (match) return stampOf(match[1], match[2], match[3], match);
  match = DOTS.exec(text);
  if (match) return stampOf(match[3], match[2], match[1], match);
  match = SLASHES.exec(text);
  // A year of two digits may as well be a day, unless it is said or shown what comes first.
  if (match && (match[3]!.length === 4 || dayFirst !== undefined))
    return dayFirst
      ? stampOf(match[3], match[2], match[1], match)
      : stampOf(match[3], match[1], match[2], match);
  match = HYPHENS.exec(text);
  if (match && (match[3]!.length === 4 || dayFirst !== undefined))
    return dayFirst === false
      ? stampOf(match[3], match[1], match[2], match)
      : stampOf(match[3], match[2], match[1], match);
  match = DAY_AND_NAME.exec(text);
  if (match) return stampOf(match[3], monthOf(match[2]!), match[1], match);
  match = NAME_AND_DAY.exec(text);
  return match ? stampOf(match[3], monthOf(match[1]!), match[2], match) : undefined;
}

const monthOf = (name: string): string =>
  String(MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1);

function serialStamp(text: string): Stamp | undefined {
  const [, days, fraction = ''] = SERIAL.exec(text) ?? [];
  if (days === undefined || Number(days) < SERIAL_FROM || Number(days) > SERIAL_TO)
    return undefined;
  const seconds = Math.round(Number(`0.${fraction || '0'}`) * 86_400);
  return {
    wall: SERIAL_ZERO + Number(days) * 86_400_000 + seconds * 1000,
    offsetMs: undefined,
    isDate: fraction === '',
  };
}

function stampOf(year = '', month = '', day = '', match: RegExpExecArray): Stamp | undefined {
  const [, , , , hour, minute = '0', second = '0', fraction = '', half, offset] = match;
  const hours = hourOf(Number(hour ?? '0'), half?.toLowerCase());
  if (hours === undefined || Number(minute) > 59 || Number(second) > 59) return undefined;
  const ms = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const fullYear = year.length === 2 ? 2000 + Number(year) : Number(year);
  const date = new Date(Date.UTC(fullYear, Number(month) - 1, Number(day)));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day))
    return undefined;
  return {
    wall: date.getTime() + ((hours * 60 + Number(minute)) * 60 + Number(second)) * 1000 + ms,
    offsetMs: offsetOf(offset),
    isDate: hour === undefined,
  };
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
