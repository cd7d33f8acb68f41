import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { databaseTime, isAnyClaimed } from '../ingest/claims.ts';
import { mendBindings } from '../ingest/mend.ts';
import { shutSeries } from '../series/gate.ts';
import { findHome } from '../series/home.ts';
import type { Mark } from '../series/port.ts';
import { holdCopy } from './begin.ts';
import type { Way } from './bring.ts';
import { bringInside, TooMuchLeft } from './catch-up.ts';
import type { CopyRevisions } from './revisions.ts';
import { BEGINNING } from './work-list.ts';

/** How long what is left may take while reports are refused. */
const LEFT_MS = 5_000;
/** For how long reports are refused if this process is killed meanwhile. */
const SHUT_AT_MOST_MS = 10_000;
/** How long attempts that have begun may take. */
const ENDING_MS = 3_000;
const LOOK_EVERY_MS = 50;

/** Attempts that never ended have left marks. */
class Marked extends Error {
  readonly marks: readonly Mark[];

  constructor(marks: readonly Mark[]) {
    super();
    this.marks = marks;
  }
}

/**
 * Moves the series: lets no attempt begin, brings what is left, and puts the target in force, all of this in one transaction. If it fails or this process
 * is killed, the series are where they were. Resolves to false if too much was left: then that is to be brought first, and this tried again.
 */
export async function switchOver(way: Way, revisions: CopyRevisions): Promise<boolean> {
  const { db, source } = way;
  try {
    if (!source.sharesTransaction) await endAttempts(way);
    await move(way, revisions);
    return true;
  } catch (error) {
    if (!source.sharesTransaction) await reopen(way);
    if (error instanceof TooMuchLeft) return false;
    if (!(error instanceof Marked)) throw error;
    // What they left half-written is calculated again, and brought like any change.
    const bindings = error.marks.map(({ binding }) => binding);
    await mendBindings(db, source, bindings);
    return false;
  }
}

async function move(way: Way, revisions: CopyRevisions): Promise<void> {
  const { db, source, target, copier } = way;
  await db.transaction().execute(async (trx) => {
    await shutSeries(trx);
    const until = performance.now() + LEFT_MS;
    // An earlier try may have moved them without an answer.
    if ((await findHome(trx))?.engine === target.name) return;
    await holdCopy(trx, copier);
    const marks = await source.marks();
    if (marks.length > 0) throw new Marked(marks);
    await bringInside({ ...way, db: trx }, BEGINNING, until);
    if (!target.sharesTransaction) await revisions.keep(trx);
    await trx
      .updateTable('seriesHome')
      .set({ engine: target.name, copyingTo: null, copier: null, shutUntil: null })
      .execute();
  });
}

/** Lets no attempt begin for a while, and waits until those that have begun are over: they write outside of transactions. */
async function endAttempts({ db, source, copier }: Way): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // The gate stays open for those that are ending. Whoever begins unnoticed is refused at the end.
    await holdCopy(trx, copier);
    await trx
      .updateTable('seriesHome')
      .set({ shutUntil: sql`${databaseTime(trx)} + ${sql.lit(SHUT_AT_MOST_MS)}` })
      .execute();
  });
  const until = performance.now() + ENDING_MS;
  while (
    performance.now() < until &&
    ((await isAnyClaimed(db)) || (await source.marks()).length > 0)
  )
    await setTimeout(LOOK_EVERY_MS);
}

/** Lets attempts begin again; otherwise, they do after a while. */
async function reopen({ db, copier }: Way): Promise<void> {
  await db
    .updateTable('seriesHome')
    .set({ shutUntil: null })
    .where('copier', '=', copier)
    .execute()
    .catch(() => {});
}
