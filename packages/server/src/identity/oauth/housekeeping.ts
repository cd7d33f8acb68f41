import { DAY_MS } from '@helioport/contract/durations';
import { sql } from 'kysely';
import type { Act } from '../accounts/audit.ts';
import type { IdSource } from '../../platform/kernel/ids.ts';
import type { Db, Instant, Tables } from '../../platform/storage/database.ts';
import { endOutlivedAmong, endOutlivedLately } from './grant-life.ts';
import { sweepUses } from './uses/list-uses.ts';

/** Maximum number of rows per delete, which keeps locks short however many have piled up. */
const BATCH_ROWS = 500;

// For each table: its key, the column with the time at which a row expires, and how long the row is kept after that.
const served: readonly (readonly [
  table: keyof Tables,
  key: string,
  column: string,
  keptMs: number,
])[] = [
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
 * Ends authorizations whose last tokens have died, and deletes one batch of each kind of row that is no longer needed; instances may do so concurrently.
 * @returns how many rows were concerned; unless it is 0, there may be more
 */
export async function sweepOauth(db: Db, now: Instant, newId: IdSource): Promise<number> {
  const act: Act = { at: now, actor: 'service', address: null, newId };
  let removed =
    (await endOutlivedLately(db, act, BATCH_ROWS)) +
    (await sweepFamilies(db, act)) +
    (await sweepUses(db, now, BATCH_ROWS));
  for (const [table, key, column, keptMs] of served)
    removed += (await remove(db, { table, key, column }, now - keptMs, key)).length;
  return removed;
}

// A row of tokenFamily remembers its used code and its spent refresh token until it is
// deleted. The grant then ends too, unless it has another code or token that is valid.
const sweepFamilies = (db: Db, act: Act): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const grantIds = await remove(
      trx,
      { table: 'tokenFamily', key: 'codeHash', column: 'removeAt' },
      act.at,
      'grantId',
    );
    if (grantIds.length > 0) await endOutlivedAmong(trx, act, [...new Set(grantIds as string[])]);
    return grantIds.length;
  });

async function remove(
  db: Db,
  { table, key, column }: { table: keyof Tables; key: string; column: string },
  until: Instant,
  returned: string,
): Promise<unknown[]> {
  const [name, keyName, when] = [sql.table(table), sql.ref(key), sql.ref(column)];
  const { rows } = await sql<{ returned: unknown }>`delete from ${name} where ${keyName} in
    (select ${keyName} from ${name} where ${when} <= ${until} order by ${when} limit ${sql.lit(BATCH_ROWS)}) and ${when} <= ${until}
    returning ${sql.ref(returned)} as returned`.execute(db);
  return rows.map((row) => row.returned);
}
