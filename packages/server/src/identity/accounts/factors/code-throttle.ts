import { sql } from 'kysely';
import { Failure } from '../../../platform/kernel/failure.ts';
import { hashSecret } from '../../../platform/kernel/secrets.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';

/** How many attempts are allowed: `atOnce` in a burst, then one per interval. */
export interface CodeAllowance {
  readonly atOnce: number;
  readonly intervalMs: number;
}

/**
 * Counts an attempt by one conditional statement, so that concurrent attempts count too; all instances share the counts.
 * @throws tooManyRequests
 */
export async function admitAttempt(
  db: Db,
  now: Instant,
  { atOnce, intervalMs }: CodeAllowance,
  ...name: string[]
): Promise<void> {
  const key = keyOf(name);
  const endsAt = sql<number>`(case when ${sql.ref('logInAttempt.endsAt')} > ${now} then ${sql.ref('logInAttempt.endsAt')} else ${now} end) + ${intervalMs}`;
  const admitted = await db
    .insertInto('logInAttempt')
    .values({ key, endsAt: now + intervalMs })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({ endsAt })
        .where('logInAttempt.endsAt', '<=', now + (atOnce - 1) * intervalMs),
    )
    .returning('endsAt')
    .executeTakeFirst();
  if (admitted) return;
  const full = await db
    .selectFrom('logInAttempt')
    .select('endsAt')
    .where('key', '=', key)
    .executeTakeFirst();
  const waitMs = (full?.endsAt ?? now) - now - (atOnce - 1) * intervalMs;
  throw new Failure('tooManyRequests', {
    data: { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) },
  });
}

/** Forgets the attempts, after one that succeeded. */
export const forgetAttempts = (db: Db, ...name: string[]): Promise<unknown> =>
  db.deleteFrom('logInAttempt').where('key', '=', keyOf(name)).execute();

const keyOf = (name: string[]): Buffer => hashSecret(JSON.stringify(name));
