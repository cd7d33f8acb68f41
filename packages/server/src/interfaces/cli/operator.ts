import { InvalidArgumentError } from 'commander';
import { CliUsageFault } from './installation/faults.ts';

/** A value that may be given as an argument or with an option. Throws UsageFault if neither is given. */
export function either(
  argument: string | undefined,
  option: string | undefined,
  name: string,
): string {
  const value = argument ?? option;
  if (value === undefined) throw new CliUsageFault(`missing: ${name}`);
  return value;
}

/** Parses a numeric option. */
export function numeric(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value))
    throw new InvalidArgumentError('expected a number.');
  return value;
}

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Parses a duration such as `30m` or `1d`, into milliseconds. */
export function duration(text: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (text === '0') return 0;
  if (count === undefined)
    throw new InvalidArgumentError(
      'expected a number with a unit, such as 90s, 30m, 12h or 1d, or 0.',
    );
  return Number(count) * UNIT_MS[unit]!;
}

const ROWS_AT_MOST = 1000;

/** Parses the maximum number of rows of a list. */
export function rows(text: string): number {
  const number = numeric(text);
  if (!Number.isInteger(number) || number < 1 || number > ROWS_AT_MOST)
    throw new InvalidArgumentError(`expected a whole number from 1 to ${ROWS_AT_MOST}.`);
  return number;
}

/** An instant as shown in tables, in UTC. */
export const localTimeText = (at: number | null | undefined): string | null =>
  at === null || at === undefined
    ? null
    : new Date(at).toISOString().slice(0, 19).replace('T', ' ');

const PAGE_SIZE = 100;

/** The first `limit` records of a list, read page by page. */
export async function firstOf<R>(
  limit: number,
  read: (page: { pageNo: number; pageSize: number }) => Promise<{ readonly records: readonly R[] }>,
): Promise<R[]> {
  const found: R[] = [];
  for (let pageNo = 1; found.length < limit; pageNo++) {
    const { records } = await read({ pageNo, pageSize: PAGE_SIZE });
    found.push(...records);
    if (records.length < PAGE_SIZE) break;
  }
  return found.slice(0, limit);
}
