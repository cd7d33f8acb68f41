import type { Db } from '../../platform/storage/database.ts';
import { shutSeries } from './gate.ts';
import type { Series } from './port.ts';
import { SeriesFault } from './series-fault.ts';

/** Series.name of the main database. */
export const MAIN_DATABASE = 'database';

/** Where the series are, by Series.name. */
export interface SeriesHome {
  readonly engine: string;
  readonly copyingTo: string | null;
}

export const findHome = (db: Db): Promise<SeriesHome | undefined> =>
  db.selectFrom('seriesHome').select(['engine', 'copyingTo']).executeTakeFirst();

/** The series have moved to an engine that the settings do not name. */
const settingFault = (engine: string): SeriesFault =>
  new SeriesFault(
    `the series of this installation are in ${engine}: set HELIOPORT_SERIES_URL to its address`,
  );

const copyingFault = (target: string): SeriesFault =>
  new SeriesFault(
    `the series are being copied to ${target}: run helioport series copy to its end, or give it up with helioport series copy --cancel`,
  );

/** Why nobody may work with the series in an engine, if that is so. */
export const findFault = async (db: Db, engine: string): Promise<SeriesFault | undefined> => {
  const home = await findHome(db);
  if (home && home.copyingTo !== null) return copyingFault(home.copyingTo);
  return home && home.engine !== engine ? settingFault(home.engine) : undefined;
};

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
      .values({ id: 1, engine: settled, copyingTo: null, copier: null })
      .execute();
    return settled;
  });
}

/** The engine that the series are in; opening it fails with a SeriesFault if it is not, or as long as they are being copied. */
export const atHome = (db: Db, engine: Series, configured: string): Series => ({
  ...engine,
  async open() {
    await settleHome(db, configured);
    const fault = await findFault(db, engine.name);
    if (fault) throw fault;
    await engine.open();
  },
});

async function holdsSeries(db: Db): Promise<boolean> {
  const found = await db.selectFrom('sample').select('at').limit(1).executeTakeFirst();
  return found !== undefined;
}
