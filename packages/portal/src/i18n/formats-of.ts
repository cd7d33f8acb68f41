import { roundMoney } from '@helioport/contract/money';
import { dayAsDate } from './plant-time.ts';

/** A figure and its unit, apart, so that they can be set in different sizes. */
export interface Shown {
  readonly value: string;
  readonly unit: string;
}

/** What is shown for a figure that is not known. */
export const UNKNOWN = '–';

type Known = number | null | undefined;

/** How figures and times are written in one language. Unknown figures are shown as a dash. */
export interface Formats {
  /** What separates the decimals. */
  readonly decimal: '.' | ',';
  number(value: Known, decimals?: number): string;
  /** W as W, kW or MW. */
  power(watts: Known): Shown;
  /** kWh as Wh, kWh, MWh or GWh. */
  energy(kwh: Known): Shown;
  /** kg as kg or t. */
  mass(kg: Known): Shown;
  percent(value: Known): Shown;
  /** An amount in a currency, named by its ISO 4217 code; other codes are written after the amount. */
  money(amount: Known, currency: string | undefined): string;
  /** An amount without its currency, very large ones in millions: for tables that name the currency elsewhere. */
  amount(amount: Known): string;
  /** A figure with exactly so many decimals: in a column, they line up. */
  aligned(value: Known, decimals: number): string;
  /** A price of a kWh, to the hundredth of a cent. */
  price(amount: Known, currency: string | undefined): string;
  /** The clock time in a zone. */
  time(at: Known, zone: string): string;
  /** Day and clock time in a zone. */
  dateTime(at: Known, zone: string): string;
  /** A local day `2026-11-06`, a month `2026-11` or a year `2026`. */
  day(day: string): string;
  /** A local day of a year that is known. */
  shortDay(day: string): string;
  /** What a field for a day, a clock time or both holds: a wall time without a zone, such as `2026-11-06T22:00`. */
  field(type: 'date' | 'time' | 'datetime-local', value: string): string;
  /** The bar of a day in a week. */
  weekday(day: string): string;
  month(month: string): string;
  /** The month of a bar. */
  shortMonth(month: string): string;
  /** How long ago something was, in words. */
  ago(ms: number): string;
  /** A zone for people, such as `Berlin (GMT+1)`. */
  zone(zone: string, at: number): string;
  /** Words one after the other, with what separates them in the language. */
  list(words: readonly string[]): string;
}

const steps = (base: number, units: readonly [string, ...string[]], firstFactor: number) => {
  const scales = units.map((unit, i) => ({ unit, factor: firstFactor * base ** i }));
  return (value: number): { unit: string; factor: number } =>
    scales.findLast(({ factor }) => Math.abs(value) >= factor * 0.9995) ?? scales[0]!;
};

const powerStep = steps(1000, ['W', 'kW', 'MW', 'GW'], 1);
const energyStep = steps(1000, ['kWh', 'MWh', 'GWh'], 1);
/** An energy in kWh as `energy` shows it: rounded as there. */
export function shownKwh(kwh: number): number {
  const { factor } = energyStep(kwh);
  const size = kwh / factor;
  return (
    Number(
      new Intl.NumberFormat('en', {
        maximumFractionDigits: decimalsOf(Math.abs(size)),
        useGrouping: false,
      }).format(size),
    ) * factor
  );
}

const massStep = steps(1000, ['kg', 't', 'kt'], 1);

/** Three significant digits are what people take in; no unit of less than one watt. */
const decimalsOf = (size: number): number => (size >= 100 ? 0 : size >= 10 ? 1 : 2);

/** How figures and times are written in a language, named by its tag. */
export function formatsOf(language: string): Formats {
  const numbers = new Map<number, Intl.NumberFormat>();
  const clocks = new Map<string, Intl.DateTimeFormat>();
  const numberFormat = (decimals: number): Intl.NumberFormat => {
    const known =
      numbers.get(decimals) ?? new Intl.NumberFormat(language, { maximumFractionDigits: decimals });
    numbers.set(decimals, known);
    return known;
  };
  const clock = (zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat => {
    const key = `${zone} ${JSON.stringify(options)}`;
    const known =
      clocks.get(key) ?? new Intl.DateTimeFormat(language, { timeZone: zone, ...options });
    clocks.set(key, known);
    return known;
  };
  const scaled = (value: Known, step: ReturnType<typeof steps>, whole: string): Shown => {
    if (value === null || value === undefined) return { value: UNKNOWN, unit: '' };
    const { unit, factor } = step(value);
    const size = value / factor;
    // -0 would have a sign.
    return {
      value: numberFormat(unit === whole ? 0 : decimalsOf(Math.abs(size))).format(
        size + 0 === 0 ? 0 : size,
      ),
      unit,
    };
  };
  const known = (value: Known, format: (value: number) => string): string =>
    value === null || value === undefined ? UNKNOWN : format(value);
  const small = new Intl.NumberFormat(language, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
  const large = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 2 });
  // What stands between the first two of three: before the last, there would be a word.
  const separator = new Intl.ListFormat(language).formatToParts(['1', '2', '3'])[1]!.value;
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });

  return {
    decimal: new Intl.NumberFormat(language).format(1.5).includes(',') ? ',' : '.',
    number: (value, decimals = 1) => known(value, numberFormat(decimals).format),
    aligned: (value, decimals) =>
      known(
        value,
        new Intl.NumberFormat(language, {
          minimumFractionDigits: decimals,
          maximumFractionDigits: decimals,
        }).format,
      ),
    power: (watts) => scaled(watts, powerStep, 'W'),
    energy: (kwh) => scaled(kwh, energyStep, ''),
    mass: (kg) => scaled(kg, massStep, ''),
    percent: (value) =>
      value === null || value === undefined
        ? { value: UNKNOWN, unit: '' }
        : { value: numberFormat(0).format(value), unit: '%' },
    money: (amount, currency = '') =>
      known(amount, (value) =>
        moneyText(language, roundMoney(value), currency, Math.abs(value) >= 1000 ? [0, 0] : [2, 2]),
      ),
    amount: (amount) =>
      known(amount, (value) =>
        (Math.abs(value) >= 1e7 ? large : Math.abs(value) >= 1000 ? numberFormat(0) : small).format(
          roundMoney(value),
        ),
      ),
    price: (amount, currency = '') =>
      known(amount, (value) => moneyText(language, value, currency, [2, 4])),
    time: (at, zone) => known(at, (value) => clock(zone, { timeStyle: 'short' }).format(value)),
    dateTime: (at, zone) =>
      known(at, (value) => clock(zone, { dateStyle: 'medium', timeStyle: 'short' }).format(value)),
    day: (day) =>
      clock('UTC', { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }).format(
        dayAsDate(day),
      ),
    shortDay: (day) => clock('UTC', { day: 'numeric', month: 'short' }).format(dayAsDate(day)),
    field: (type, value) => {
      const at = Date.parse(
        type === 'time' ? `1970-01-01T${value}Z` : type === 'date' ? value : `${value}Z`,
      );
      if (Number.isNaN(at)) return UNKNOWN;
      return clock('UTC', {
        ...(type !== 'time' && { dateStyle: 'medium' }),
        ...(type !== 'date' && { timeStyle: 'short' }),
      }).format(at);
    },
    weekday: (day) => clock('UTC', { weekday: 'short', day: 'numeric' }).format(dayAsDate(day)),
    month: (month) =>
      clock('UTC', { month: 'long', year: 'numeric' }).format(dayAsDate(`${month}-01`)),
    shortMonth: (month) => clock('UTC', { month: 'short' }).format(dayAsDate(`${month}-01`)),
    ago: (ms) => agoText(relative, ms),
    zone: (zone, at) =>
      `${zone.split('/').at(-1)!.replaceAll('_', ' ')} (${offsetName(clock(zone, { timeZoneName: 'shortOffset' }), at)})`,
    list: (words) => words.join(separator),
  };
}

/** `amount` is rounded already: Intl takes 1.005 for more than it is in binary, so that it would be a cent more here than on the wire. */
function moneyText(
  language: string,
  amount: number,
  currency: string,
  [least, most]: readonly [number, number],
): string {
  const digits = { minimumFractionDigits: least, maximumFractionDigits: most };
  try {
    return new Intl.NumberFormat(language, { style: 'currency', currency, ...digits }).format(
      amount,
    );
  } catch {
    return `${new Intl.NumberFormat(language, digits).format(amount)} ${currency}`.trim();
  }
}

function agoText(format: Intl.RelativeTimeFormat, ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return format.format(-seconds, 'second');
  if (seconds < 3600) return format.format(-Math.round(seconds / 60), 'minute');
  if (seconds < 86_400) return format.format(-Math.round(seconds / 3600), 'hour');
  return format.format(-Math.round(seconds / 86_400), 'day');
}

const offsetName = (format: Intl.DateTimeFormat, at: number): string =>
  format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
