import { Failure } from '../../platform/kernel/failure.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { prepareQuery, type ParameterOf } from '../../platform/storage/prepare.ts';

/**
 * The first step of every write, which ensures that the write is carried out only once: it claims a mark that identifies the request, such as its
 * signature. The claim is part of the write's transaction, so that a failed write releases it and may be repeated. If the claim was made before, this
 * throws the refusal of the door.
 */
export type Once = (trx: Db) => Promise<void>;

/** A mark that distinguishes one write from every other, such as a signature. */
export interface OnceMark {
  /** The owner of the mark, such as `key:<id>`. Marks of different holders never collide. */
  readonly holder: string;
  readonly digest: Uint8Array;
  /** The time until which a repeated request would still be valid. */
  readonly expiresAt: Instant;
}

/** Claims a mark, whose write may have been answered already. Throws replayed if it was claimed before, on any instance. */
export async function takeMark(
  trx: Db,
  { holder, digest, expiresAt }: OnceMark,
  answer: Uint8Array | null = null,
): Promise<void> {
  const taken = await trx
    .insertInto('onceMark')
    .values({ holder, digest, expiresAt, answer })
    .onConflict((conflict) => conflict.columns(['holder', 'digest']).doNothing())
    .returning('holder')
    .executeTakeFirst();
  if (!taken) throw new Failure('replayed');
}

/** The guarantee that the write with this mark is carried out only once. */
export const onceBy =
  (mark: OnceMark): Once =>
  (trx) =>
    takeMark(trx, mark);

const byDigest = prepareQuery((db, p: ParameterOf<Pick<OnceMark, 'holder' | 'digest'>>) =>
  db
    .selectFrom('onceMark')
    .select('expiresAt')
    .where('holder', '=', p('holder'))
    .where('digest', '=', p('digest')),
);

/** Whether a mark was claimed before. This check only avoids unnecessary work; the claim itself decides. */
export async function isTaken(db: Db, { holder, digest }: OnceMark): Promise<boolean> {
  return (await byDigest(db, { holder, digest })).length > 0;
}

/** What an answer that is kept is encrypted for. */
export const answerContext = ({ holder, digest }: Pick<OnceMark, 'holder' | 'digest'>): string =>
  `answer ${holder} ${Buffer.from(digest).toString('hex')}`;

/** Keeps the answer to a write that was carried out. */
export async function keepAnswer(
  db: Db,
  { holder, digest }: OnceMark,
  answer: Uint8Array,
): Promise<void> {
  await db
    .updateTable('onceMark')
    .set({ answer })
    .where('holder', '=', holder)
    .where('digest', '=', digest)
    .execute();
}

/** The answer that was kept to a write; null = none was, undefined = it was not carried out. */
export async function findKeptAnswer(
  db: Db,
  { holder, digest }: OnceMark,
): Promise<Uint8Array | null | undefined> {
  const found = await db
    .selectFrom('onceMark')
    .select('answer')
    .where('holder', '=', holder)
    .where('digest', '=', digest)
    .executeTakeFirst();
  return found?.answer;
}

/**
 * How far the clocks of two instances may differ, in milliseconds: the instance
 * whose clock is ahead must not delete a mark that the other one still needs.
 */
export const SWEEP_MARGIN_MS = 24 * 3_600_000;

/** Deletes at most `limit` marks whose requests no instance would accept any more; returns how many. */
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
