import { sql, type RawBuilder } from 'kysely';
import { setTimeout } from 'node:timers/promises';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import { StorageAway } from '../../platform/storage/away.ts';
import type { Db } from '../../platform/storage/database.ts';
import { onEngine } from '../../platform/storage/engine.ts';
import { locksRows } from '../../platform/storage/lock.ts';

/**
 * The right to write the series of some devices in an engine without transactions. It replaces a lock, which would have to be held in an open
 * transaction while the engine is written to. A writer that stops to renew it loses it: then nothing of what it wrote counts.
 */
export interface Claim {
  readonly attempt: string;
  readonly series: readonly number[];
  /** Its writes have timestamps from here on, which are above those of every earlier attempt, whatever the clocks say. */
  readonly revision: number;
  /** The last attempts that were stored as a whole: their marks mean nothing. */
  readonly stored: ReadonlySet<string>;
}

/** Another attempt is writing to one of the devices. */
class Claimed extends Error {}

/** How long a claim lasts, and how often it is renewed. */
const LASTS_MS = 6_000;
const RENEWED_EVERY_MS = 2_000;
/** How long to wait for somebody else's claim to end. */
const PATIENCE_MS = 5_000;
const LOOKS_EVERY_MS = 20;
/** Timestamps that an attempt which never ended may have used. */
const UNENDED_US = 1_000_000;

/** Epoch milliseconds by the database's clock, which all instances share. */
const databaseTime = (db: Db): RawBuilder<number> =>
  onEngine(db, {
    postgres: () => sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`,
    sqlite: () => sql<number>`cast(unixepoch('subsec') * 1000 as integer)`,
  });

/** Claims all of some devices. Throws Claimed: the transaction must then be rolled back. */
export async function claimSeries(
  trx: Db,
  attempt: string,
  series: readonly number[],
): Promise<Claim> {
  const ordered = [...new Set(series)].toSorted((a, b) => a - b);
  const now = databaseTime(trx);
  if (ordered.length === 0) {
    const { at } = await trx.selectNoFrom(now.as('at')).executeTakeFirstOrThrow();
    return { attempt, series: [], revision: at * 1000, stored: new Set() };
  }
  const rows = await trx
    .insertInto('seriesClaim')
    .values(
      ordered.map((one) => ({
        series: one,
        attempt,
        until: sql`${now} + ${sql.lit(LASTS_MS)}`,
        revision: sql`${now} * 1000`,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .column('series')
        .doUpdateSet((e) => {
          const former = e.ref('seriesClaim.revision');
          const next = sql<number>`${former} + case when ${e.ref('seriesClaim.attempt')} is null then 0 else ${sql.lit(UNENDED_US)} end`;
          return {
            attempt,
            until: e.ref('excluded.until'),
            revision: sql<number>`case when ${next} > ${e.ref('excluded.revision')} then ${next} else ${e.ref('excluded.revision')} end`,
          };
        })
        .where((e) =>
          e.or([e('seriesClaim.attempt', 'is', null), e('seriesClaim.until', '<', now)]),
        ),
    )
    .returning(['revision', 'stored'])
    .execute();
  if (rows.length < ordered.length) throw new Claimed('another attempt is writing to the device');
  return {
    attempt,
    series: ordered,
    revision: Math.max(...rows.map(({ revision }) => revision)),
    stored: new Set(rows.flatMap(({ stored }) => (stored === null ? [] : [stored]))),
  };
}

/** The claimed devices of an attempt, locked in the order in which `claimSeries` locks them, so that the two never wait for each other in a circle. */
function heldBy(db: Db, attempt: string, series: readonly number[]) {
  const held = db
    .selectFrom('seriesClaim')
    .select('series')
    .where('attempt', '=', attempt)
    .where(anyOf(db, 'series', listParameter(db, series)));
  return locksRows(db) ? held.orderBy('series').forUpdate() : held;
}

/** Repeats what claims devices until nobody else holds them. Throws StorageAway after some time. */
export async function whenUnclaimed<T>(work: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Claimed)) throw error;
      if (performance.now() >= giveUpAt) throw new StorageAway(error.message);
    }
    await setTimeout(LOOKS_EVERY_MS);
  }
}

/** Keeps a claim until the returned function is called. If that fails, the claim ends by itself. */
export function keepClaim(db: Db, { attempt, series }: Claim): () => void {
  const renew = async (): Promise<void> => {
    await db
      .updateTable('seriesClaim')
      .set({ until: sql`${databaseTime(db)} + ${sql.lit(LASTS_MS)}` })
      .where('series', 'in', heldBy(db, attempt, series))
      .execute();
  };
  const timer = setInterval(() => void renew().catch(() => {}), RENEWED_EVERY_MS);
  return () => clearInterval(timer);
}

/** Ends a claim. `revision`: above all that it has used. Returns whether it was still held, all of it. */
export async function endClaim(
  trx: Db,
  { attempt, series }: Claim,
  revision: number,
  isStored: boolean,
): Promise<boolean> {
  if (series.length === 0) return true;
  const { numUpdatedRows } = await trx
    .updateTable('seriesClaim')
    .set({ attempt: null, revision, ...(isStored && { stored: attempt }) })
    .where('series', 'in', heldBy(trx, attempt, series))
    .executeTakeFirst();
  return Number(numUpdatedRows) === series.length;
}

/** Ends what an attempt may have claimed of some devices, before it has used any of it. */
export async function abandonClaim(
  db: Db,
  attempt: string,
  series: readonly number[],
): Promise<void> {
  if (series.length === 0) return;
  await db
    .updateTable('seriesClaim')
    .set({ attempt: null })
    .where('series', 'in', heldBy(db, attempt, series))
    .execute();
}

/** Which of some devices somebody is writing to. */
export async function findClaimed(trx: Db, series: ReadonlySet<number>): Promise<Set<number>> {
  const rows = await trx
    .selectFrom('seriesClaim')
    .select('series')
    .where(anyOf(trx, 'series', listParameter(trx, [...series])))
    .where('attempt', 'is not', null)
    .where('until', '>=', databaseTime(trx))
    .execute();
  return new Set(rows.map((row) => row.series));
}

/** Whether somebody is writing to any device. */
export async function isAnyClaimed(db: Db): Promise<boolean> {
  const held = await db
    .selectFrom('seriesClaim')
    .select('series')
    .where('attempt', 'is not', null)
    .where('until', '>=', databaseTime(db))
    .limit(1)
    .executeTakeFirst();
  return held !== undefined;
}

/** Waits until nobody writes to the devices of some bindings, or for some time. */
export async function whileClaimed(db: Db, bindings: readonly number[]): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  while (performance.now() < giveUpAt) {
    const held = await db
      .selectFrom('seriesClaim')
      .innerJoin('device', 'device.series', 'seriesClaim.series')
      .innerJoin('binding', 'binding.deviceId', 'device.id')
      .select('binding.no')
      .where(anyOf(db, 'binding.no', listParameter(db, bindings)))
      .where('seriesClaim.attempt', 'is not', null)
      .where('seriesClaim.until', '>=', databaseTime(db))
      .limit(1)
      .executeTakeFirst();
    if (!held) return;
    await setTimeout(LOOKS_EVERY_MS);
  }
}
