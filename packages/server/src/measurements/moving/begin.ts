import { isAnyClaimed } from '../ingest/claims.ts';
import { mendAll } from '../ingest/mend.ts';
import { shutSeries } from '../series/gate.ts';
import { findHome, MAIN_DATABASE } from '../series/home.ts';
import type { Series } from '../series/port.ts';
import { StorageAway } from '../../platform/storage/away.ts';
import type { Db } from '../../platform/storage/database.ts';
import { forShare } from '../../platform/storage/lock.ts';

/** The series cannot be copied there, for a reason that fits into one sentence. */
export class CopyFault extends Error {
  override readonly name = 'CopyFault';
}

/** Another process has taken over the copy. */
export class CopyTakenOver extends CopyFault {
  constructor() {
    super('another process goes on with this copy');
  }
}

/** From where to where a copy goes, and who makes it. */
export interface CopyRun {
  readonly db: Db;
  readonly source: Series;
  readonly target: Series;
  /** Identifies this process; one that was copying until now stops. */
  readonly copier: string;
}

const BINDINGS_AT_ONCE = 500;

/**
 * Begins a copy, or goes on with the one that was begun: until it is over, nobody can write to the series. Waits for attempts that are still writing, and
 * calculates anew what others have left half-written.
 * @throws CopyFault, StorageAway
 */
export async function beginCopy({ db, source, target, copier }: CopyRun): Promise<void> {
  if (source.name === target.name) throw new CopyFault(`the series are in ${target.name} already`);
  const home = await findHome(db);
  if (home && home.engine !== source.name)
    throw new CopyFault(`the series are in ${home.engine}, not in ${source.name}`);
  if (home && home.copyingTo !== null && home.copyingTo !== target.name) {
    throw new CopyFault(
      `a copy to ${home.copyingTo} has been begun: go on with that one, or end it with helioport series copy --cancel`,
    );
  }
  const isBegun = home?.copyingTo === target.name;
  // The main database may hold what was there before the series moved away. Elsewhere, rows that nobody here has copied are somebody's mistake.
  if (!isBegun && target.name !== MAIN_DATABASE && (await holdsDays(db, target))) {
    throw new CopyFault(`${target.name} is not empty: name a place that holds no series`);
  }
  await target.unmark(await target.marks());
  if (!isBegun) await mendAll(db, source);
  await db.transaction().execute(async (trx) => {
    await shutSeries(trx);
    // Where attempts write outside of transactions, those that have begun must be over.
    if (!isBegun && ((await isAnyClaimed(trx)) || (await source.marks()).length > 0))
      throw new StorageAway(`readings are being stored in ${source.name} at this moment`);
    await trx
      .insertInto('seriesHome')
      .values({ id: 1, engine: source.name, copyingTo: target.name, copier })
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet({ copyingTo: target.name, copier }),
      )
      .execute();
    if (!isBegun) await trx.deleteFrom('seriesComparison').execute();
  });
}

/** Ends a copy that was begun, if there is one; what has been copied stays where it is. Returns where it was going. */
export async function cancelCopy(db: Db): Promise<string | undefined> {
  return db.transaction().execute(async (trx) => {
    await shutSeries(trx);
    const home = await findHome(trx);
    await trx.updateTable('seriesHome').set({ copyingTo: null, copier: null }).execute();
    await trx.deleteFrom('seriesComparison').execute();
    return home?.copyingTo ?? undefined;
  });
}

/** Fails if another process has taken over the copy; until the transaction ends, none can. */
export async function holdCopy(trx: Db, copier: string): Promise<void> {
  const own = trx.selectFrom('seriesHome').select('id').where('copier', '=', copier);
  // Shared, since a copier writes in several transactions at once.
  if (!(await forShare(trx, own).executeTakeFirst())) throw new CopyTakenOver();
}

async function holdsDays(db: Db, target: Series): Promise<boolean> {
  for (let after = 0; ;) {
    const bindings = (
      await db
        .selectFrom('binding')
        .select('no')
        .where('no', '>', after)
        .orderBy('no')
        .limit(BINDINGS_AT_ONCE)
        .execute()
    ).map(({ no }) => no);
    if (bindings.length === 0) return false;
    if ((await target.newestDays(db, bindings)).size > 0) return true;
    after = bindings.at(-1)!;
  }
}
