import { weekDays, type TariffUse, type TariffWindow } from '@helioport/contract';
import { invalidValue } from '../../../platform/kernel/failure.ts';

export { tariffUses, weekDays, type TariffUse, type TariffWindow } from '@helioport/contract';

/** Prices by time of day, in the plant's currency. Where windows overlap, the first one applies. */
export interface Tariff {
  /** Price outside all windows. */
  readonly pricePerKwh: number;
  readonly windows?: readonly TariffWindow[];
}

/** A tariff and when it begins (epoch ms; 0: it covers all time before the next one). It holds until the next one; before the earliest, there is no price. */
export interface TariffVersion extends Tariff {
  readonly fromAt: number;
}

/** The tariffs of a plant by use, each ascending by `fromAt`: the column `plant.tariffs`. */
export type Tariffs = { readonly [U in TariffUse]?: readonly TariffVersion[] };

const PRICE_AT_MOST = 1_000_000;
const WINDOWS_AT_MOST = 100;

/** Reads a tariff from user input. Throws invalidValue, naming the field. */
export function checkTariff(given: unknown): Tariff {
  const { pricePerKwh, windows } = checkKeys(given, 'tariff', ['pricePerKwh', 'windows']);
  const checked = { pricePerKwh: checkPrice(pricePerKwh, 'pricePerKwh') };
  if (windows === undefined) return checked;
  if (!Array.isArray(windows) || windows.length > WINDOWS_AT_MOST)
    throw invalidValue('windows', `a list of at most ${WINDOWS_AT_MOST} windows`);
  return windows.length === 0
    ? checked
    : { ...checked, windows: windows.map((window, i) => checkWindow(window, `windows[${i}]`)) };
}

function checkWindow(given: unknown, field: string): TariffWindow {
  const { days, months, start, end, pricePerKwh } = checkKeys(given, field, [
    'days',
    'months',
    'start',
    'end',
    'pricePerKwh',
  ]);
  const window = {
    start: checkClock(start, `${field}.start`, '23:59'),
    end: checkClock(end, `${field}.end`, '24:00'),
    pricePerKwh: checkPrice(pricePerKwh, `${field}.pricePerKwh`),
  };
  if (window.start === window.end)
    throw invalidValue(
      `${field}.end`,
      'a time other than the start; for the whole day, 00:00 to 24:00',
    );
  return {
    ...(days !== undefined && {
      days: checkChoice(
        days,
        `${field}.days`,
        weekDays,
        'a list of days: mon, tue, wed, thu, fri, sat, sun',
      ),
    }),
    ...(months !== undefined && {
      months: checkChoice(months, `${field}.months`, MONTHS, 'a list of months from 1 to 12'),
    }),
    ...window,
  };
}

const MONTHS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] as const;

/** Checks that a value is an object with only known names: a typo must not go unnoticed. */
function checkKeys(
  given: unknown,
  field: string,
  names: readonly string[],
): Record<string, unknown> {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw invalidValue(field, `an object of ${names.join(', ')}`);
  const stranger = Object.keys(given).find((name) => !names.includes(name));
  if (stranger !== undefined) throw invalidValue(field, `nothing but ${names.join(', ')}`);
  return given as Record<string, unknown>;
}

function checkPrice(given: unknown, field: string): number {
  if (typeof given === 'number' && given >= 0 && given <= PRICE_AT_MOST) return given;
  throw invalidValue(field, `a price per kWh from 0 to ${PRICE_AT_MOST}`);
}

function checkClock(given: unknown, field: string, last: string): string {
  if (typeof given === 'string' && /^([01]\d|2[0-4]):[0-5]\d$/.test(given) && given <= last)
    return given;
  throw invalidValue(field, `a time of day from 00:00 to ${last}`);
}

function checkChoice<T>(
  given: unknown,
  field: string,
  choices: readonly T[],
  expected: string,
): readonly T[] {
  const list = Array.isArray(given) ? (given as unknown[]) : [];
  const chosen = choices.filter((choice) => list.includes(choice));
  if (list.length === 0 || chosen.length !== list.length)
    throw invalidValue(field, `${expected}, each once`);
  return chosen;
}

/** The columns of a plant that determine its prices. */
export interface Priced {
  /** `Tariffs` as JSON; null if there is only the flat price. */
  readonly tariffs: string | null;
  /** The flat price of energy produced, used where there is no tariff. */
  readonly pricePerKwh: number | null;
}

/** All known prices of a plant; without production tariffs, its flat price for all time. */
export function tariffsOf({ tariffs, pricePerKwh }: Priced): Tariffs {
  const known = tariffs === null ? {} : (JSON.parse(tariffs) as Tariffs);
  return known.production || pricePerKwh === null
    ? known
    : { ...known, production: [{ fromAt: 0, pricePerKwh }] };
}

/** The version in force at an instant; undefined before the earliest. */
export const versionAt = (
  versions: readonly TariffVersion[],
  at: number,
): TariffVersion | undefined => versions.findLast(({ fromAt }) => fromAt <= at);
