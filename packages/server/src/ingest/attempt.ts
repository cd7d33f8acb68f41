import { randomUUID } from 'node:crypto';
import type { Mark, Series } from '../series/port.ts';
import type { BoundDevice } from './bound-device.ts';

/** Rows of a device that are about to change, from the day of an instant on. */
export interface Change {
  readonly device: BoundDevice;
  readonly at: number;
}

/** One transaction of the main database that changes series as well. */
export interface Attempt {
  readonly series: Series;
  /** Marks durably the rows that are about to change, before the first write to them. If the engine shares the transaction, `changes` is not iterated. */
  mark(changes: Iterable<Change>): Promise<void>;
  /** Takes over the marks of attempts that never ended, once their rows have been recalculated: they are removed together with this attempt's own. */
  takeOver(marks: readonly Mark[]): void;
}

/**
 * Runs `work` in a transaction. If the engine does not share the transaction, a failure or a killed process may leave the series half-written; marks
 * show where. The marks are removed when everything is stored, in the main database too.
 */
export async function attempt<Given extends unknown[], T, R>(
  series: Series,
  transact: (body: (...given: Given) => Promise<T>) => Promise<R>,
  work: (own: Attempt, ...given: Given) => Promise<T>,
): Promise<R> {
  if (series.sharesTransaction) return transact((...given) => work({ series, mark: async () => {}, takeOver: () => {} }, ...given));
  const id = randomUUID();
  const marks: Mark[] = [];
  const own: Attempt = {
    series,
    async mark(changes) {
      const added = [...changes].flatMap(({ device, at }) => marksOf(device, at, id));
      marks.push(...added);
      if (added.length > 0) await series.mark(added);
    },
    takeOver: (others) => void marks.push(...others),
  };
  const result = await transact((...given) => work(own, ...given));
  if (marks.length > 0) await series.unmark(marks);
  return result;
}

/** The marks of a device's binding, and of the later bindings that continue from it. */
function marksOf(device: BoundDevice, at: number, id: string): Mark[] {
  const marks: Mark[] = [];
  for (let one: BoundDevice | undefined = device; one; one = one.next) {
    marks.push({ binding: one.binding, day: one.calendar.dayOf(Math.max(at, one.fromAt)), attempt: id });
  }
  return marks;
}
