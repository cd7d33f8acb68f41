import { Failure } from '../kernel/failure.ts';
import type { Db, Instant } from '../storage/database.ts';
import { prepareQuery, type ParameterOf } from '../storage/prepare.ts';

/** A signed request that must count once: whose, its signature's 20 bytes, and until when its Date would be accepted. */
export interface SignedRequest {
  readonly keyId: string;
  readonly digest: Uint8Array;
  readonly expiresAt: Instant;
}

/**
 * What a write does first in its transaction: it stores the signed request's digest, so that a write that
 * fails gives it back and may be repeated. Throws replayed.
 */
export type Claim = (trx: Db) => Promise<void>;

/** Takes a signed request for good. Throws replayed when it was taken before, by whatever instance. */
export async function claimRequest(trx: Db, request: SignedRequest): Promise<void> {
  const { keyId, digest, expiresAt } = request;
  const taken = await trx
    .insertInto('replay')
    .values({ keyId, digest, expiresAt })
    .onConflict((conflict) => conflict.columns(['keyId', 'digest']).doNothing())
    .returning('keyId')
    .executeTakeFirst();
  if (!taken) throw new Failure('replayed');
}

const byDigest = prepareQuery((db, p: ParameterOf<Pick<SignedRequest, 'keyId' | 'digest'>>) =>
  db.selectFrom('replay').select('expiresAt').where('keyId', '=', p('keyId')).where('digest', '=', p('digest')),
);

/** Whether a signed request was taken before. A claim decides; this spares a caller the work before it. */
export async function isClaimed(db: Db, { keyId, digest }: SignedRequest): Promise<boolean> {
  return (await byDigest(db, { keyId, digest })).length > 0;
}

/**
 * How far two instances' clocks may be apart: a claim that the one whose clock is ahead has swept must not be missed by the one whose clock is behind.
 * In milliseconds.
 */
export const SWEEP_MARGIN_MS = 24 * 3_600_000;

/** Removes at most `limit` digests whose Date is refused by now on every instance; says how many. */
export async function sweepClaims(db: Db, now: Instant, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('replay')
    .where((eb) =>
      eb(
        eb.refTuple('keyId', 'digest'),
        'in',
        eb
          .selectFrom('replay')
          .select(['keyId', 'digest'])
          .where('expiresAt', '<', now - SWEEP_MARGIN_MS)
          .orderBy('expiresAt')
          .limit(limit)
          .$asTuple('keyId', 'digest'),
      ),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
