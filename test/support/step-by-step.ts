import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import type { Series } from '../../packages/server/src/measurements/series/port.ts';

/** Called before something becomes durable or may become so; if it throws, that does not happen. */
export type Step = (name: string) => void;

/**
 * An engine that writes its rows and marks one by one, each a step. `backwards`: what is derived from samples in the opposite order, as an
 * engine may.
 */
export function stepwiseSeries(series: Series, step: Step, backwards = false): Series {
  return {
    ...series,
    withRevisions: (next) => stepwiseSeries(series.withRevisions(next), step, backwards),
    async put(db, { samples = [], days = [], months = [] }) {
      for (const sample of samples) {
        step(`sample ${sample.sample.at}`);
        await series.put(db, { samples: [sample] });
      }
      const derived = [
        ...days.map((row) => ({ name: `day ${row.day}`, rows: { days: [row] } })),
        ...months.map((row) => ({ name: `month ${row.month}`, rows: { months: [row] } })),
      ];
      for (const { name, rows } of backwards ? derived.toReversed() : derived) {
        step(name);
        await series.put(db, rows);
      }
    },
    async remove(db, binding, { days = [], months = [] }) {
      for (const day of days) {
        step(`removal of day ${day}`);
        await series.remove(db, binding, { days: [day] });
      }
      for (const month of months) {
        step(`removal of month ${month}`);
        await series.remove(db, binding, { months: [month] });
      }
    },
    async mark(marks) {
      for (const mark of marks) {
        step(`mark of day ${mark.day}`);
        await series.mark([mark]);
      }
    },
    async unmark(marks) {
      for (const mark of marks) {
        step('removal of a mark');
        await series.unmark([mark]);
      }
    },
  };
}

/** A database whose transactions have a step before they commit and one after. */
export function stepwiseCommits(db: Db, step: Step): Db {
  const transaction = () => ({
    async execute<T>(body: (trx: Db) => Promise<T>): Promise<T> {
      const value = await db.transaction().execute(async (trx) => {
        const done = await body(trx);
        step('commit');
        return done;
      });
      step('answer');
      return value;
    },
  });
  return new Proxy(db, {
    get(target, name) {
      if (name === 'transaction') return transaction;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** Fails before the first step whose name begins so, once. */
export function failingBefore(beginning: string): { readonly step: Step } {
  let done = false;
  return {
    step(name) {
      if (done || !name.startsWith(beginning)) return;
      done = true;
      throw new Failed(`failed at: ${name}`);
    },
  };
}

/** Fails at the n-th step, counted from 0, once; `failed` tells what it was. */
export function failingAt(n: number): { readonly step: Step; failed: string | undefined } {
  let left = n;
  const state = {
    failed: undefined as string | undefined,
    step(name: string) {
      left -= 1;
      if (left !== -1) return;
      state.failed = name;
      throw new Failed(`failed at: ${name}`);
    },
  };
  return state;
}

/** What was made to fail. */
export class Failed extends Error {}
