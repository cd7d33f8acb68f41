import { END_OF_DAYS, LAST_MONTH } from '../../platform/calendar/plant-calendar.ts';
import { samplePages } from '../series/sample-pages.ts';
import type { Db } from '../../platform/storage/database.ts';
import { CopyTakenOver, holdCopy, type CopyRun } from './begin.ts';
import { copyDigestOf, type Digest } from './digest.ts';
import type { SeriesDevice } from './devices.ts';

/** A device whose rows are not the same on both sides. */
export interface Difference {
  readonly sn: string;
  readonly source: Digest;
  readonly target: Digest;
}

/** What was done with a device. */
export interface CopiedDevice {
  /** Rows that were written. */
  readonly rows: number;
  readonly difference?: Difference;
}

/**
 * Makes all rows of a device in the target what they are in the source, and compares them. Keeps the result if they are the same. Samples are never
 * removed from the target, since nothing removes samples. Done twice, it does no harm.
 * @throws CopyTakenOver
 */
export async function copyDevice(run: CopyRun, device: SeriesDevice): Promise<CopiedDevice> {
  const rows = (await copySamples(run, device)) + (await copyRollups(run, device));
  const source = await copyDigestOf(run.db, run.source, device);
  const target = await copyDigestOf(run.db, run.target, device);
  if (source.checksum !== target.checksum)
    return { rows, difference: { sn: device.sn, source, target } };
  await asCopier(run, (trx) =>
    trx
      .insertInto('seriesComparison')
      .values({ series: device.series, ...source })
      .onConflict((conflict) => conflict.column('series').doUpdateSet(source))
      .execute(),
  );
  return { rows };
}

/** Runs something in a transaction during which no other process can take over the copy. Throws CopyTakenOver if one has. */
const asCopier = <T>({ db, copier }: CopyRun, body: (trx: Db) => Promise<T>): Promise<T> =>
  db.transaction().execute(async (trx) => {
    await holdCopy(trx, copier);
    return body(trx);
  });

/**
 * Writes to the target, unless another process has taken over the copy. Where there are no transactions, a write that comes late all the same loses by its
 * revision.
 */
async function write(run: CopyRun, body: (db: Db) => Promise<void>): Promise<void> {
  if (run.target.sharesTransaction) return asCopier(run, body);
  const { db, copier } = run;
  const own = await db
    .selectFrom('seriesHome')
    .select('id')
    .where('copier', '=', copier)
    .executeTakeFirst();
  if (!own) throw new CopyTakenOver();
  await body(db);
}

async function copySamples(run: CopyRun, { series: seriesId }: SeriesDevice): Promise<number> {
  const { source, target, db } = run;
  let copied = 0;
  for await (const samples of samplePages(db, source, seriesId, 0, Infinity)) {
    if (samples.length > 0)
      await write(run, (handle) =>
        target.put(handle, { samples: samples.map((sample) => ({ seriesId, sample })) }),
      );
    copied += samples.length;
  }
  return copied;
}

async function copyRollups(run: CopyRun, { bindings }: SeriesDevice): Promise<number> {
  const { source, target, db } = run;
  let copied = 0;
  for (const binding of bindings) {
    const days = await source.days(db, [binding], 0, END_OF_DAYS);
    const months = await source.months(db, [binding], 0, LAST_MONTH);
    const gone = {
      days: without(
        (await target.days(db, [binding], 0, END_OF_DAYS)).map(({ day }) => day),
        days.map(({ day }) => day),
      ),
      months: without(
        (await target.months(db, [binding], 0, LAST_MONTH)).map(({ month }) => month),
        months.map(({ month }) => month),
      ),
    };
    await write(run, async (handle) => {
      if (gone.days.length + gone.months.length > 0) await target.remove(handle, binding, gone);
      if (days.length + months.length > 0) await target.put(handle, { days, months });
    });
    copied += days.length + months.length;
  }
  return copied;
}

const without = (keys: readonly number[], kept: readonly number[]): number[] => {
  const keep = new Set(kept);
  return keys.filter((key) => !keep.has(key));
};
