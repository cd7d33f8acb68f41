import { DAY_MS } from '@helioport/contract/durations';
import type { Parameter } from '@helioport/devices';
import { sql } from 'kysely';
import type { Db, Instant } from '../../platform/storage/database.ts';

/** How often a memory cell of a device was written within the last 24 hours. A write counts once it was handed over, whatever its result. interface C16 */
export async function countWrites(
  db: Db,
  deviceId: string,
  cell: string,
  now: Instant,
): Promise<number> {
  const { amount } = await db
    .selectFrom('command')
    .select(sql<number>`count(*)`.as('amount'))
    .where('deviceId', '=', deviceId)
    .where('cell', '=', cell)
    .where('sentAt', '>', now - DAY_MS)
    .executeTakeFirstOrThrow();
  return amount;
}

/** Why a parameter is not written again. */
export const writtenTooOften = ({ name, writesPerDay }: Parameter): string =>
  `${name} may be written at most ${writesPerDay} times a day, because each write wears out its memory`;
