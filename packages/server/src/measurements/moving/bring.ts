import { END_OF_DAYS, LAST_MONTH } from '../../platform/calendar/plant-calendar.ts';
import type { DayRow, MonthRow, Series } from '../series/port.ts';
import type { Db } from '../../platform/storage/database.ts';
import { holdCopy } from './begin.ts';
import type { Stretch } from './work-list.ts';

/** Some three weeks of samples taken every three minutes. */
export const SAMPLES_AT_ONCE = 10_000;

/** From where to where a copy goes, and who makes it. */
export interface Way {
  readonly source: Series;
  readonly target: Series;
  /** The main database, or the transaction in which everything takes place. */
  readonly db: Db;
  readonly copier: string;
}

/** Runs something in a transaction during which no other process can take over the copy. Throws CopyTakenOver if one has. */
export function asCopier<T>({ db, copier }: Way, body: (trx: Db) => Promise<T>): Promise<T> {
  const held = async (trx: Db): Promise<T> => {
    await holdCopy(trx, copier);
    return body(trx);
  };
  return db.isTransaction ? held(db) : db.transaction().execute(held);
}

/** Writes to the target. Late writes of a copier that another has taken over from lose by their revisions, or fail where there are none. */
const write = (way: Way, body: (handle: Db) => Promise<void>): Promise<void> =>
  way.target.sharesTransaction ? asCopier(way, body) : body(way.db);

/**
 * Makes rows of the target what they are in the source, and resolves to how many there are. Samples are brought in pages; `onPage` is told from which
 * instant on they are left. They are never removed, since nothing removes samples.
 */
export async function bring(
  way: Way,
  stretch: Stretch,
  onPage: (fromKey: number) => Promise<void>,
): Promise<number> {
  if (stretch.kind === 'samples') return bringSamples(way, stretch, onPage);
  const { source, target, db } = way;
  const { kind, subject: binding, fromKey, toKey } = stretch;
  const of = (engine: Series): Promise<readonly (DayRow | MonthRow)[]> =>
    kind === 'days'
      ? engine.days(db, [binding], fromKey, Math.min(toKey, END_OF_DAYS))
      : engine.months(db, [binding], fromKey, Math.min(toKey, LAST_MONTH));
  const keyOf = (row: DayRow | MonthRow): number => ('day' in row ? row.day : row.month);
  const rows = await of(source);
  const kept = new Set(rows.map(keyOf));
  const gone = (await of(target)).map(keyOf).filter((key) => !kept.has(key));
  await write(way, async (handle) => {
    if (gone.length > 0) await target.remove(handle, binding, { [kind]: gone });
    if (rows.length > 0) await target.put(handle, { [kind]: rows });
  });
  return rows.length;
}

async function bringSamples(
  way: Way,
  { subject, fromKey, toKey }: Stretch,
  onPage: (fromKey: number) => Promise<void>,
): Promise<number> {
  const { source, target, db } = way;
  let brought = 0;
  for (let from = fromKey; ;) {
    const samples = await source.range(db, subject, from, toKey + 1, SAMPLES_AT_ONCE);
    if (samples.length > 0)
      await write(way, (handle) =>
        target.put(handle, { samples: samples.map((sample) => ({ seriesId: subject, sample })) }),
      );
    brought += samples.length;
    if (samples.length < SAMPLES_AT_ONCE) return brought;
    from = samples.at(-1)!.at + 1;
    await onPage(from);
  }
}
