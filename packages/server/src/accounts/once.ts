import { Failure } from '../kernel/failure.ts';
import type { Db, Instant } from '../storage/database.ts';
import { prepareQuery, type ParameterOf } from '../storage/prepare.ts';

/**
 * What a write does first in its transaction so that it is carried out once: it takes for good what it was sent with, in the same
 * transaction, so that a write that fails gives it back and may be repeated. Throws the refusal of the door where it was taken before.
 */
export type Once = (trx: Db) => Promise<void>;

/** What was sent with a write and tells it from every other: a signature, an idempotency key, the ticket of a form. */
export interface OnceMark {
  /** Whose it is, such as `key:<id>`: marks of two holders never meet. */
  readonly holder: string;
  readonly digest: Uint8Array;
  /** Until when it could come again. */
  readonly expiresAt: Instant;
}

/** Takes a mark for good. Throws replayed when it was taken before, by whatever instance. */
export async function takeMark(trx: Db, mark: OnceMark): Promise<void> {
  const { holder, digest, expiresAt } = mark;
  const taken = await trx
    .insertInto('onceMark')
    .values({ holder, digest, expiresAt })
    .onConflict((conflict) => conflict.columns(['holder', 'digest']).doNothing())
    .returning('holder')
    .executeTakeFirst();
  if (!taken) throw new Failure('replayed');
}

/** A write that counts once by its mark. */
export const onceBy =
  (mark: OnceMark): Once =>
  (trx) =>
    takeMark(trx, mark);

const byDigest = prepareQuery((db, p: ParameterOf<Pick<OnceMark, 'holder' | 'digest'>>) =>
  db.selectFrom('onceMark').select('expiresAt').where('holder', '=', p('holder')).where('digest', '=', p('digest')),
);

/** Whether a mark was taken before. Taking it decides; this spares a caller the work before it. */
export async function isTaken(db: Db, { holder, digest }: OnceMark): Promise<boolean> {
  return (await byDigest(db, { holder, digest })).length > 0;
}

/**
 * How far two instances' clocks may be apart: a mark that the one whose clock is ahead has swept must not be missed by the one whose clock is behind.
 * In milliseconds.
 */
export const SWEEP_MARGIN_MS = 24 * 3_600_000;

/** Removes at most `limit` marks that could not come again by now on any instance; says how many. */
export async function sweepMarks(db: Db, now: Instant, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('onceMark')
    .where((eb) =>
      eb(
        eb.refTuple('holder', 'digest'),
        'in',
        eb
          .selectFrom('onceMark')
          .select(['holder', 'digest'])
          .where('expiresAt', '<', now - SWEEP_MARGIN_MS)
          .orderBy('expiresAt')
          .limit(limit)
          .$asTuple('holder', 'digest'),
      ),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
