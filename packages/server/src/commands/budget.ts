import { sql } from 'kysely';
import type { Parameter } from '../devices/profiles/profile.ts';
import type { Db, Instant } from '../storage/database.ts';

const DAY_MS = 86_400_000;

/** How often a memory cell of a device was written within the last 24 hours, as far as anybody knows: what was handed over counts. interface C16 */
export async function countWrites(db: Db, deviceId: string, cell: string, now: Instant): Promise<number> {
  const { amount } = await db
    .selectFrom('command')
    .select(sql<number>`count(*)`.as('amount'))
    .where('deviceId', '=', deviceId)
    .where('cell', '=', cell)
    .where('sentAt', '>', now - DAY_MS)
    .executeTakeFirstOrThrow();
  return amount;
}

/** Why a parameter is not written once more. */
export const writtenTooOften = ({ name, writesPerDay }: Parameter): string => `${name} is written at most ${writesPerDay} times a day: its memory wears out`;
