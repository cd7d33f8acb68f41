import type { Db, Instant, Tables } from '../storage/database.ts';
import { sql } from 'kysely';

/** Rows that one statement takes away at most: short locks, whatever piled up. */
const BATCH_ROWS = 500;

const DAY_MS = 86_400_000;

// Table, its key, and when a row has served. Used codes and spent tokens are remembered inside rows that live.
const served: readonly (readonly [table: keyof Tables, key: string, column: string, keptMs: number])[] = [
  ['tokenFamily', 'codeHash', 'removeAt', 0],
  ['tokenAnswer', 'keyHash', 'expiresAt', 0],
  ['consentTicket', 'hash', 'expiresAt', 0],
  ['session', 'hash', 'expiresAt', 0],
  ['logInAttempt', 'key', 'endsAt', 0],
  ['knownBrowser', 'hash', 'lastAt', 400 * DAY_MS],
  ['applicationSecret', 'hash', 'expiresAt', 90 * DAY_MS],
  ['applicationRefusal', 'applicationId', 'lastAt', 90 * DAY_MS],
  ['oauthGrant', 'id', 'revokedAt', 400 * DAY_MS],
];

/**
 * Takes away one batch of every kind of row that has served; instances may do so at once.
 * @returns how many rows went; while it is not 0, there may be more
 */
export async function sweepOauth(db: Db, now: Instant): Promise<number> {
  let removed = 0;
  for (const [table, key, column, keptMs] of served) {
    const [name, keyName, when] = [sql.table(table), sql.ref(key), sql.ref(column)];
    const result =
      await sql`delete from ${name} where ${keyName} in (select ${keyName} from ${name} where ${when} <= ${now - keptMs} order by ${when} limit ${sql.lit(BATCH_ROWS)}) and ${when} <= ${now - keptMs}`.execute(
        db,
      );
    removed += Number(result.numAffectedRows ?? 0n);
  }
  return removed;
}
