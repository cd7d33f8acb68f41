import { sql } from 'kysely';
import type { Db } from '../../platform/storage/database.ts';
import { onEngine } from '../../platform/storage/engine.ts';

/** An attempt that never ended may have used this many more than is known (ingest/claims.ts). */
const UNENDED = 1_000_000;

/** Revisions for the rows that a copy writes: above those of every attempt that wrote to the target in former times. */
export interface CopyRevisions {
  next(): number;
  /** Puts those of all later attempts above the ones used so far, whatever the clocks say. */
  keep(trx: Db): Promise<void>;
}

export async function createCopyRevisions(db: Db): Promise<CopyRevisions> {
  const now = onEngine(db, {
    postgres: () => sql`extract(epoch from clock_timestamp()) * 1000000`,
    sqlite: () => sql`unixepoch('subsec') * 1000000`,
  });
  const { at, highest } = await db
    .selectNoFrom((eb) => [
      sql<number>`cast(${now} as bigint)`.as('at'),
      eb
        .selectFrom('seriesClaim')
        .select((e) => e.fn.max<number | null>('revision').as('highest'))
        .as('highest'),
    ])
    .executeTakeFirstOrThrow();
  let last = Math.max(at, (highest ?? 0) + UNENDED);
  return {
    next: () => (last += 1),
    async keep(trx) {
      const greatest = sql.raw(onEngine(trx, { postgres: () => 'greatest', sqlite: () => 'max' }));
      await trx
        .insertInto('seriesClaim')
        .columns(['series', 'until', 'revision'])
        .expression((eb) =>
          eb
            .selectFrom('device')
            .where('series', '>', 0)
            .select(['series', sql.lit(0).as('until'), sql<number>`${last + 1}`.as('revision')]),
        )
        .onConflict((conflict) =>
          conflict.column('series').doUpdateSet({
            revision: sql<number>`${greatest}("seriesClaim"."revision", excluded."revision")`,
          }),
        )
        .execute();
    },
  };
}
