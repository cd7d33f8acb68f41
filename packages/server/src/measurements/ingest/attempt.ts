import { reviseBindings, type RevisedBinding } from '../../fleet/plants/binding-starts.ts';
import { enterSeries } from '../series/gate.ts';
import type { Mark, Series } from '../series/port.ts';
import { StorageAway } from '../../platform/storage/away.ts';
import type { Db } from '../../platform/storage/database.ts';
import { attemptIds } from './attempt-ids.ts';
import type { BoundDevice } from '../bindings/bound-device.ts';
import {
  abandonClaim,
  claimSeries,
  endClaim,
  keepClaim,
  whenUnclaimed,
  type SeriesClaim,
} from './claims.ts';

/** Rows of a device that are about to change, from the day of an instant on. */
export interface Change {
  readonly device: BoundDevice;
  readonly at: number;
  /** When the last of the samples was measured that are about to be written; absent if none are. */
  readonly lastAt?: number | undefined;
}

/** What changes series and the main database. */
export interface Attempt {
  /** The engine as this attempt writes to it. */
  readonly series: Series;
  /** Marks durably the rows that are about to change, before the first write to them. If the engine shares the transaction, `changes` is not iterated. */
  mark(changes: Iterable<Change>): Promise<void>;
  /**
   * Has marks that were found on the claimed devices removed together with this attempt's own. Returns those of attempts that were not stored as a whole:
   * their rows are to be recalculated.
   */
  takeOver(marks: readonly Mark[]): readonly Mark[];
  /** Has the start of a binding searched for again, since its readings from an instant on have changed. */
  revise(binding: number, fromAt: number): void;
}

/** The parts of an attempt. `given` is what a transaction brings, the transaction first. */
export interface Steps<Given extends readonly [trx: Db, ...rest: unknown[]], Begun, Done, R> {
  /** Finds out what is to be done, and locks devices. */
  begin(...given: Given): Promise<Begun>;
  /** The devices (device.series) whose series change. */
  written(begun: Begun): readonly number[];
  /** Changes series, and nothing in the main database, which it may read. */
  change(own: Attempt, db: Db, begun: Begun): Promise<Done>;
  /** Changes the main database. */
  end(begun: Begun, done: Done, ...given: Given): Promise<R>;
}

/** How the transactions of an attempt are run: the last one is the only one if the engine shares it. */
export interface Transactions<Given extends readonly unknown[], R, Out> {
  readonly db: Db;
  first<T>(body: (...given: Given) => Promise<T>): Promise<T>;
  last(body: (...given: Given) => Promise<R>): Promise<Out>;
}

/**
 * Carries out steps that change series and the main database. With an engine that shares the transaction, there is one for all of them. With others,
 * none is open while the engine is written to: the devices are claimed in the first one, and what was written counts only if they still are in the
 * last one. A failure or a killed process may leave the series half-written; marks show where. They are removed when everything is stored, in the main
 * database too. Throws SeriesShut, SeriesElsewhere.
 */
export async function attempt<
  Given extends readonly [trx: Db, ...rest: unknown[]],
  Begun,
  Done,
  R,
  Out,
>(
  series: Series,
  transactions: Transactions<Given, R, Out>,
  steps: Steps<Given, Begun, Done, R>,
): Promise<Out> {
  if (!series.sharesTransaction) return attemptBeside(series, transactions, steps);
  return transactions.last(async (...given) => {
    const [trx] = given;
    const revised: RevisedBinding[] = [];
    await enterSeries(trx, series);
    const own: Attempt = { ...UNMARKED, series, revise: (...one) => void revised.push(one) };
    const begun = await steps.begin(...given);
    const ended = await steps.end(begun, await steps.change(own, trx, begun), ...given);
    await reviseBindings(trx, revised);
    return ended;
  });
}

/** Where an attempt that fails leaves nothing. */
const UNMARKED = {
  mark: async () => {},
  takeOver: () => [],
} satisfies Partial<Attempt>;

async function attemptBeside<
  Given extends readonly [trx: Db, ...rest: unknown[]],
  Begun,
  Done,
  R,
  Out,
>(
  series: Series,
  { db, first, last }: Transactions<Given, R, Out>,
  { begin, written, change, end }: Steps<Given, Begun, Done, R>,
): Promise<Out> {
  const { id, end: free } = attemptIds.next();
  let asked: readonly number[] = [];
  const { claim, begun } = await whenUnclaimed(() =>
    first(async (...given) => {
      await enterSeries(given[0], series);
      const found = await begin(...given);
      asked = written(found);
      return { claim: await claimSeries(given[0], id, asked), begun: found };
    }),
  ).catch(async (error: unknown) => {
    // The transaction may have been committed although it failed.
    free();
    await abandonClaim(db, id, asked).catch(() => {});
    throw error;
  });
  const release = keepClaim(db, claim);
  let revision = claim.revision;
  const own = attemptOf(
    claim,
    series.withRevisions(() => (revision += 1)),
  );
  let ended: Out;
  try {
    const done = await change(own, db, begun);
    ended = await last(async (...given) => {
      await enterSeries(given[0], series);
      // The next revision is that of removing the marks.
      if (!(await endClaim(given[0], claim, revision + 1, true)))
        throw new StorageAway('another attempt has taken over the device');
      const value = await end(begun, done, ...given);
      await reviseBindings(given[0], own.revised);
      return value;
    });
  } catch (error) {
    // What has marked rows and changed none leaves nothing to recalculate.
    if (own.isUnused()) await own.unmark().then(free, () => {});
    // Otherwise, the claim ends by itself.
    await endClaim(db, claim, revision, false).catch(() => {});
    throw error;
  } finally {
    release();
  }
  await own.unmark();
  free();
  return ended;
}

interface BesideAttempt extends Attempt {
  readonly revised: readonly RevisedBinding[];
  /** Whether no row has been written, and nobody's half-written rows are to be recalculated. */
  isUnused(): boolean;
  /** Removes all marks that are this attempt's or were taken over. */
  unmark(): Promise<void>;
}

function attemptOf({ attempt: id, stored }: SeriesClaim, engine: Series): BesideAttempt {
  let isUnused = true;
  const series: Series = {
    ...engine,
    put(...given) {
      isUnused = false;
      return engine.put(...given);
    },
    remove(...given) {
      isUnused = false;
      return engine.remove(...given);
    },
  };
  const marks: Mark[] = [];
  const revised: RevisedBinding[] = [];
  let marking: Promise<void> = Promise.resolve();
  return {
    series,
    revised,
    async mark(changes) {
      const added = joined([...changes].flatMap((one) => marksOf(one, id)));
      marks.push(...added);
      if (added.length > 0) await (marking = series.mark(added));
    },
    takeOver(found) {
      // Marks are made while others are looked for.
      const others = found.filter(({ attempt: other }) => other !== id);
      marks.push(...others);
      const unended = others.filter(({ attempt: other }) => !stored.has(other));
      if (unended.length > 0) isUnused = false;
      return unended;
    },
    revise: (...one) => void revised.push(one),
    isUnused: () => isUnused,
    async unmark() {
      await marking.catch(() => {});
      if (marks.length > 0) await series.unmark(marks);
    },
  };
}

/** The marks of a device's binding, and of the later bindings that continue from it. */
function marksOf({ device, at, lastAt }: Change, id: string): Mark[] {
  const marks: Mark[] = [];
  for (let one: BoundDevice | undefined = device; one; one = one.next) {
    const mark = {
      binding: one.binding,
      day: one.calendar.dayOf(Math.max(at, one.fromAt)),
      attempt: id,
    };
    marks.push(
      one === device && lastAt !== undefined
        ? { ...mark, samples: { seriesId: device.seriesId, fromAt: at, toAt: lastAt + 1 } }
        : mark,
    );
  }
  return marks;
}

/** One mark for each binding, which covers all that were given of it. */
function joined(marks: readonly Mark[]): Mark[] {
  const byBinding = new Map<number, Mark>();
  for (const mark of marks) {
    const before = byBinding.get(mark.binding);
    byBinding.set(mark.binding, before ? covering(before, mark) : mark);
  }
  return [...byBinding.values()];
}

function covering(one: Mark, other: Mark): Mark {
  const [a, b] = [one.samples, other.samples];
  const samples =
    a && b
      ? { ...a, fromAt: Math.min(a.fromAt, b.fromAt), toAt: Math.max(a.toAt, b.toAt) }
      : (a ?? b);
  return { ...one, day: Math.min(one.day, other.day), ...(samples && { samples }) };
}
