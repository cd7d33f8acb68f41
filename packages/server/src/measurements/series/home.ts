import type { Db } from '../../platform/storage/database.ts';
import { shutSeries } from './gate.ts';

/** Series.name of the main database. */
export const MAIN_DATABASE = 'database';

/** Where the series are, by Series.name. */
export interface Home {
  readonly engine: string;
  readonly copyingTo: string | null;
}

export const findHome = (db: Db): Promise<Home | undefined> =>
  db.selectFrom('seriesHome').select(['engine', 'copyingTo']).executeTakeFirst();

/** Returns where the series are, or would be if this process were the first. */
export const whereSeriesAre = async (db: Db, configured: string): Promise<string> =>
  (await findHome(db))?.engine ??
  (configured === MAIN_DATABASE || (await holdsSeries(db)) ? MAIN_DATABASE : configured);

/**
 * Returns where the series are. As long as nobody has decided, they are in the main database if it holds any; otherwise the configured engine is theirs
 * from now on.
 */
export async function settleHome(db: Db, configured: string): Promise<string> {
  const engine = await whereSeriesAre(db, configured);
  // Nothing is written for an installation that has only its main database.
  if (engine === MAIN_DATABASE || (await findHome(db))) return engine;
  return db.transaction().execute(async (trx) => {
    // Until now, an instance with other settings may have stored samples in the main database, or decided first.
    await shutSeries(trx);
    const settled = await whereSeriesAre(trx, configured);
    if (settled === MAIN_DATABASE || (await findHome(trx))) return settled;
    await trx
      .insertInto('seriesHome')
      .values({ id: 1, engine: settled, copyingTo: null, copier: null, shutUntil: null })
      .execute();
    return settled;
  });
}

async function holdsSeries(db: Db): Promise<boolean> {
  const found = await db.selectFrom('sample').select('at').limit(1).executeTakeFirst();
  return found !== undefined;
}
