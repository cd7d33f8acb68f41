import { sql, type SelectQueryBuilder } from 'kysely';
import type { Db } from '../../platform/storage/database.ts';
import { onEngine } from '../../platform/storage/engine.ts';
import { locksRows } from '../../platform/storage/lock.ts';
import { prepareQuery } from '../../platform/storage/prepare.ts';
import type { Series } from './port.ts';

/** The series are being copied to another engine: nobody may write to them. */
export class SeriesShut extends Error {
  // PostgreSQL's code for a lock that was waited for too long: it may work a little later.
  readonly code = '55P03';

  constructor() {
    super('the series are being copied to another engine');
  }
}

/** The series are in another engine than the one that this process has. */
export class SeriesElsewhere extends Error {
  // PostgreSQL's code for a database that accepts no writes any more: it works where the settings are right.
  readonly code = '25006';

  constructor(engine: string, own: string) {
    super(`the series of this installation are in ${engine}, and no longer in ${own}`);
  }
}

interface Entrance {
  /** Not set on SQLite, whose write transactions exclude each other. */
  readonly entered?: boolean;
  readonly engine: string | null;
  readonly copying: boolean | number | null;
}

const selectEntrance = prepareQuery<object, Entrance>((db) =>
  onEngine<SelectQueryBuilder<any, any, Entrance>>(db, {
    postgres: () => db.selectFrom(sql<Entrance>`"enterSeries"()`.as('entrance')).selectAll(),
    sqlite: () =>
      db
        .selectFrom('seriesHome')
        .select(['engine', sql<number>`"copyingTo" is not null`.as('copying')]),
  }),
);

/**
 * Keeps the series in this engine, and nobody from copying them, until the transaction ends. Every attempt to write to them asks for it.
 * @throws SeriesShut, SeriesElsewhere
 */
export async function enterSeries(trx: Db, { name }: Series): Promise<void> {
  const [entrance] = await selectEntrance(trx, {});
  if (entrance?.entered === false || entrance?.copying) throw new SeriesShut();
  if (entrance && entrance.engine !== null && entrance.engine !== name)
    throw new SeriesElsewhere(entrance.engine, name);
}

/** Longer than an attempt usually takes. */
const PATIENCE_MS = 5_000;

/**
 * Waits until every attempt that has entered is over, and lets none enter until the transaction ends: they fail with SeriesShut, or wait on SQLite.
 * If this process is killed, the gate opens by itself. Fails as if the database were away if some attempt takes too long.
 */
export async function shutSeries(trx: Db): Promise<void> {
  // On SQLite, this transaction excludes all others already.
  if (!locksRows(trx)) return;
  await sql`select set_config('lock_timeout', ${String(PATIENCE_MS)}, true)`.execute(trx);
  await sql`select pg_advisory_xact_lock(72052, 0)`.execute(trx);
}
