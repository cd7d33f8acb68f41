import { DAY_MS, HOUR_MS } from '@helioport/contract/durations';
import type { CsvRow } from './csv-rows.ts';
import type { Columns } from './import-columns.ts';
import {
  createNumberColumn,
  decimalOf,
  type Decimal,
  type NumberColumn,
} from './import-numbers.ts';
import { cellText, isRowWanted, timeText, widthFault, type Decimals } from './import-row.ts';
import { readStamp, type Stamp } from './import-stamps.ts';
import type { TimeForm } from './import-times.ts';

/** What all rows of a file together show, which no single one does. */
export interface Survey {
  readonly decimals: Decimals;
  readonly times: Required<Pick<TimeForm, 'dayFirst' | 'isShown' | 'order'>>;
  /** A date whose day and month were read in the usual order, while the other one is as possible. */
  readonly guessed: { readonly text: string; readonly wall: number } | undefined;
  /** Whether all times are dates without a time of day, or midnights. */
  readonly areDates: boolean;
  readonly areMidnights: boolean;
}

interface SurveyOptions {
  readonly columns: Columns;
  readonly delimiter: string;
  /** What the option says of the decimal separator; undefined if the file has to show it. */
  readonly decimal: Decimal | undefined;
  readonly dayFirst: boolean;
}

/** Looks at all rows of data. Throws MappingFault if something stays open that only an option can decide. */
export async function surveyOf(
  rows: AsyncIterable<CsvRow>,
  { columns, delimiter, decimal, dayFirst }: SurveyOptions,
): Promise<Survey> {
  const numbers = new Map<number, NumberColumn>();
  const columnAt = (i: number): NumberColumn => {
    let column = numbers.get(i);
    if (!column) numbers.set(i, (column = createNumberColumn()));
    return column;
  };
  const dates = createDates();
  let [times, days, midnights] = [0, 0, 0];
  for await (const row of rows) {
    if (!('cells' in row)) continue;
    const { cells, line } = row;
    if (!isRowWanted(cells, columns) || widthFault(cells, columns) !== undefined) continue;
    for (let i = 0; i < cells.length && i < columns.width; i++) {
      const cell = cells[i]!;
      if (HAS_DIGIT.test(cell) && !columns.times.includes(i))
        columnAt(i).note(cellText(cell), line);
    }
    const stamp = dates.add(timeText(cells, columns)!);
    if (!stamp) continue;
    times += 1;
    if (stamp.isDate) days += 1;
    if (stamp.wall % DAY_MS === 0) midnights += 1;
  }
  return {
    decimals: columns.mapped.map(
      ({ column, name }) =>
        decimal ?? decimalOf(columnAt(column), { name, delimiter, columns: [...numbers.values()] }),
    ),
    ...dates.shown(dayFirst),
    areDates: times > 0 && days === times,
    areMidnights: times > 1 && midnights === times,
  };
}

const HAS_DIGIT = /\d/;

interface Sequence {
  add(wall: number): void;
  /** How often the date changed by a single day. */
  readonly singleDays: number;
  order(): NonNullable<TimeForm['order']>;
}

/** How times follow one another. */
function createSequence(): Sequence {
  let last: number | undefined;
  const up = { count: 0, most: 0, ms: 0 };
  const down = { count: 0, most: 0, ms: 0 };
  let singleDays = 0;
  return {
    add(wall) {
      if (last !== undefined) {
        const steps = wall > last ? up : down;
        const ms = Math.abs(wall - last);
        if (ms > 0) steps.count += 1;
        steps.ms += ms;
        steps.most = Math.max(steps.most, ms);
        const days = Math.abs(Math.floor(wall / DAY_MS) - Math.floor(last / DAY_MS));
        if (days === 1) singleDays += 1;
      }
      last = wall;
    },
    get singleDays() {
      return singleDays;
    },
    order() {
      // Where clocks go back, a few times fall, by less than an hour and more than the others rise; and the other way round.
      if (up.count >= 2 * down.count) return 'oldestFirst';
      if (down.count >= 2 * up.count) return 'newestFirst';
      if (down.most <= HOUR_MS && up.ms < down.ms) return 'oldestFirst';
      return up.most <= HOUR_MS && down.ms < up.ms ? 'newestFirst' : 'mixed';
    },
  };
}

/** Reads times in every order of day and month until all have been seen. */
function createDates() {
  const [monthFirst, dayFirst, usual] = [createSequence(), createSequence(), createSequence()];
  // Times that can be read in only one of the orders, and whether any differ.
  let [onlyMonthFirst, onlyDayFirst, differs] = [0, 0, false];
  let guessed: Survey['guessed'];

  return {
    /** Adds a time. Returns it, as it is usually read; undefined if it is none. */
    add(text: string): Stamp | undefined {
      const inOrder = (order: boolean | undefined, sequence: Sequence): Stamp | undefined => {
        const stamp = readStamp(text, order);
        if ('fault' in stamp) return undefined;
        sequence.add(stamp.wall);
        return stamp;
      };
      const asMonth = inOrder(false, monthFirst);
      const asDay = inOrder(true, dayFirst);
      const asUsual = inOrder(undefined, usual);
      if (asMonth && !asDay) onlyMonthFirst += 1;
      else if (asDay && !asMonth) onlyDayFirst += 1;
      else if (asMonth && asDay && asMonth.wall !== asDay.wall) {
        differs = true;
        if (asUsual?.wall === asMonth.wall) guessed ??= { text, wall: asUsual.wall };
      }
      return asUsual ?? asMonth ?? asDay;
    },
    /** What all of them show. `isDayFirst`: what the option says. */
    shown(isDayFirst: boolean): Pick<Survey, 'times' | 'guessed'> {
      const shown = isDayFirst ? 'dayFirst' : orderShown();
      const sequence = { dayFirst, monthFirst, usual }[shown];
      return {
        times: {
          dayFirst: shown === 'dayFirst',
          isShown: shown !== 'usual',
          order: sequence.order(),
        },
        guessed: shown === 'usual' ? guessed : undefined,
      };
    },
  };

  function orderShown(): 'dayFirst' | 'monthFirst' | 'usual' {
    if (onlyDayFirst !== onlyMonthFirst)
      return onlyDayFirst > onlyMonthFirst ? 'dayFirst' : 'monthFirst';
    if (!differs) return 'usual';
    // Rows mostly go from one day to the next, and not from one month to the next.
    if (dayFirst.singleDays !== monthFirst.singleDays)
      return dayFirst.singleDays > monthFirst.singleDays ? 'dayFirst' : 'monthFirst';
    const [isDayMixed, isMonthMixed] = [dayFirst, monthFirst].map((one) => one.order() === 'mixed');
    if (isDayMixed === isMonthMixed) return 'usual';
    return isMonthMixed ? 'dayFirst' : 'monthFirst';
  }
}
