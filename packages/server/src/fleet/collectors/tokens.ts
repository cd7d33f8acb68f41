import { recordAudit, type Act } from '../../identity/accounts/audit.ts';
import { hashSecret, randomAlphanumeric } from '../../platform/kernel/secrets.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { withinBounds } from '../../platform/storage/bounds/within.ts';
import { brokerHash } from './broker-hash.ts';

/** A collector's new token, which is shown only once and stored as hashes. */
export interface IssuedToken {
  /** Public: identifies the token without revealing it. */
  readonly tokenId: string;
  readonly token: string;
}

/** Issues a token for a collector in addition to its existing ones. */
export async function issueToken(
  trx: Db,
  act: Act,
  collector: { readonly id: string; readonly sn: string },
): Promise<IssuedToken> {
  await withinBounds(trx, 'collectorTokens', { collectorId: collector.id }, act);
  const [tokenId, token] = [act.newId(), randomAlphanumeric()];
  await trx
    .insertInto('collectorToken')
    .values({
      id: tokenId,
      collectorId: collector.id,
      hash: hashSecret(token),
      brokerHash: brokerHash(token),
      createdAt: act.at,
      expiresAt: null,
    })
    .execute();
  await recordAudit(trx, act, {
    kind: 'collector.tokenIssued',
    accountId: null,
    data: { collectorId: collector.id, sn: collector.sn, tokenId },
  });
  return { tokenId, token };
}

/**
 * Issues a new token for a collector. Its existing tokens stay valid for the overlap, but none of them longer than before.
 * @param overlapMs 0 ends them at once
 */
export async function rotateToken(
  trx: Db,
  act: Act,
  collector: { readonly id: string; readonly sn: string },
  overlapMs: number,
): Promise<IssuedToken> {
  if (overlapMs === 0) await revokeTokens(trx, act, collector);
  else {
    const expiresAt = act.at + overlapMs;
    await trx
      .updateTable('collectorToken')
      .set({ expiresAt })
      .where('collectorId', '=', collector.id)
      .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', expiresAt)]))
      .execute();
    await trx
      .deleteFrom('collectorToken')
      .where('collectorId', '=', collector.id)
      .where('expiresAt', '<=', act.at)
      .execute();
  }
  return issueToken(trx, act, collector);
}

/**
 * Revokes every token of a collector and returns how many there were. This waits for transactions that
 * have locked one of them (holdSender), so that nothing sent with them is stored once it is committed.
 */
export async function revokeTokens(
  trx: Db,
  act: Act,
  collector: { readonly id: string; readonly sn: string },
): Promise<number> {
  const ended = await trx
    .deleteFrom('collectorToken')
    .where('collectorId', '=', collector.id)
    .returning('id')
    .execute();
  const data = { collectorId: collector.id, sn: collector.sn, tokenIds: ended.map(({ id }) => id) };
  if (ended.length > 0)
    await recordAudit(trx, act, { kind: 'collector.tokensRevoked', accountId: null, data });
  return ended.length;
}

/** Revokes every token of the collectors in a plant, which must be locked: their former owner may know them. */
export async function revokeTokensIn(trx: Db, act: Act, plantId: string): Promise<void> {
  const collectors = await trx
    .selectFrom('device')
    .select(['id', 'sn'])
    .where('plantId', '=', plantId)
    .where('kind', '=', 'collector')
    .orderBy('id')
    .execute();
  for (const collector of collectors) await revokeTokens(trx, act, collector);
}

/** The properties of a token that may be shown. */
export interface ShownToken {
  readonly id: string;
  readonly createdAt: Instant;
  /** null = valid until revoked. */
  readonly expiresAt: Instant | null;
}

/** The valid tokens of a collector, oldest first. */
export const listTokens = (db: Db, collectorId: string, now: Instant): Promise<ShownToken[]> =>
  db
    .selectFrom('collectorToken')
    .select(['id', 'createdAt', 'expiresAt'])
    .where('collectorId', '=', collectorId)
    .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', now)]))
    .orderBy('id')
    .execute();
