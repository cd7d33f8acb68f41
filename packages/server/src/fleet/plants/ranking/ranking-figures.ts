import { sql } from 'kysely';
import { anyOf, listParameter } from '../../../platform/storage/any-of.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import { nameKey, searchKey } from './keys.ts';

/** Later than any instant: an archived plant's figures are never due. */
export const NEVER = Number.MAX_SAFE_INTEGER;

interface Described {
  readonly name: string;
  readonly address: string | null;
  readonly capacityKwp: number;
}

interface Presence {
  readonly state: number;
  readonly reports: boolean;
}

/** Creates the standing of a new plant; its figures are due at once. */
export const insertRankingFigures = (
  trx: Db,
  plantId: string,
  { name, address, capacityKwp, state }: Described & { readonly state: number },
): Promise<unknown> =>
  trx
    .insertInto('plantStanding')
    .values({
      plantId,
      nameKey: nameKey(name),
      searchKey: searchKey(name, address),
      state,
      capacityKwp,
      dayEndsAt: 0,
      monthEndsAt: 0,
      yearEndsAt: 0,
      workedOutAt: 0,
      dueAt: 0,
    })
    .execute();

/** Follows a change of a plant's description. The plant must be locked. */
export const describeRankingFigures = (
  trx: Db,
  plantId: string,
  { name, address, capacityKwp }: Described,
): Promise<unknown> =>
  trx
    .updateTable('plantStanding')
    .set({ nameKey: nameKey(name), searchKey: searchKey(name, address), capacityKwp, dueAt: 0 })
    .where('plantId', '=', plantId)
    .execute();

/** Follows a change of a plant's state. The plant must be locked. */
export const turnRankingFigures = (
  trx: Db,
  plantId: string,
  { state, reports }: Presence,
): Promise<unknown> =>
  trx
    .updateTable('plantStanding')
    // What a plant does now is unknown as long as it does not report.
    .set({ state, ...(!reports && { powerW: null }) })
    .where('plantId', '=', plantId)
    .execute();

/** Follows a change of the alarms of plants. The plants must be locked. */
export async function noteUnattended(trx: Db, plantIds: readonly string[]): Promise<void> {
  // 0 = pending
  const isUnattended = sql<number>`case when exists (select 1 from alarm where alarm."plantId" = "plantStanding"."plantId" and alarm.state = 0) then 1 else 0 end`;
  await trx
    .updateTable('plantStanding')
    .set({ unattended: isUnattended })
    .where(anyOf(trx, 'plantId', listParameter(trx, plantIds)))
    .where('unattended', '<>', isUnattended)
    .execute();
}

/** Has a plant's figures worked out at a given time. */
export const appointRankingFigures = (trx: Db, plantId: string, dueAt: Instant): Promise<unknown> =>
  trx.updateTable('plantStanding').set({ dueAt }).where('plantId', '=', plantId).execute();
