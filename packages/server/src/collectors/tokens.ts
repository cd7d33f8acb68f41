import { recordAudit, type Act } from '../accounts/audit.ts';
import { hashSecret, randomAlphanumeric } from '../kernel/secrets.ts';
import type { Db, Instant } from '../storage/database.ts';

/** What a collector reports with; the token is shown this once and stored as its SHA-256. */
export interface NewToken {
  /** Public: names the token without giving it away. */
  readonly tokenId: string;
  readonly token: string;
}

/** Gives a collector a token beside those that it has. */
export async function issueToken(trx: Db, act: Act, collector: { readonly id: string; readonly sn: string }): Promise<NewToken> {
  const [tokenId, token] = [act.newId(), randomAlphanumeric()];
  await trx
    .insertInto('collectorToken')
    .values({ id: tokenId, collectorId: collector.id, hash: hashSecret(token), createdAt: act.at, expiresAt: null })
    .execute();
  await recordAudit(trx, act, { kind: 'collector.tokenIssued', accountId: null, data: { collectorId: collector.id, sn: collector.sn, tokenId } });
  return { tokenId, token };
}

/**
 * Gives a collector a new token. Those that it has go on for the overlap, none of them longer than before.
 * @param overlapMs 0 ends them at once
 */
export async function rotateToken(trx: Db, act: Act, collector: { readonly id: string; readonly sn: string }, overlapMs: number): Promise<NewToken> {
  if (overlapMs === 0) await revokeTokens(trx, act, collector);
  else {
    const expiresAt = act.at + overlapMs;
    await trx
      .updateTable('collectorToken')
      .set({ expiresAt })
      .where('collectorId', '=', collector.id)
      .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', expiresAt)]))
      .execute();
    await trx.deleteFrom('collectorToken').where('collectorId', '=', collector.id).where('expiresAt', '<=', act.at).execute();
  }
  return issueToken(trx, act, collector);
}

/**
 * Ends every token of a collector. Once it is committed nothing is stored that came with them: it waits for the transactions that
 * hold them (holdSender). Gives how many it ended.
 */
export async function revokeTokens(trx: Db, act: Act, collector: { readonly id: string; readonly sn: string }): Promise<number> {
  const ended = await trx.deleteFrom('collectorToken').where('collectorId', '=', collector.id).returning('id').execute();
  const data = { collectorId: collector.id, sn: collector.sn, tokenIds: ended.map(({ id }) => id) };
  if (ended.length > 0) await recordAudit(trx, act, { kind: 'collector.tokensRevoked', accountId: null, data });
  return ended.length;
}

/** A token as it may be shown. */
export interface ShownToken {
  readonly id: string;
  readonly createdAt: Instant;
  /** null = until it is revoked. */
  readonly expiresAt: Instant | null;
}

/** The tokens that a collector may report with, the oldest first. */
export const listTokens = (db: Db, collectorId: string, now: Instant): Promise<ShownToken[]> =>
  db
    .selectFrom('collectorToken')
    .select(['id', 'createdAt', 'expiresAt'])
    .where('collectorId', '=', collectorId)
    .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', now)]))
    .orderBy('id')
    .execute();
