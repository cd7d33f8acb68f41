import { Failure } from '../../platform/kernel/failure.ts';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';

/** When a strategy has its devices. */
interface Stay {
  /** Of the strategy; undefined = it is not stored yet. */
  readonly id?: string | undefined;
  readonly applicationId: string;
  readonly startAt: Instant;
  readonly endAt: Instant;
}

/**
 * Refuses a strategy some of whose devices another one has at the same time. To another application's strategy, the refusal tells its times only.
 * The devices must be locked. Throws deviceBusy.
 */
export async function refuseOverlap(
  trx: Db,
  { id = '', applicationId, startAt, endAt }: Stay,
  deviceIds: readonly string[],
): Promise<void> {
  const other = await trx
    .selectFrom('strategyDevice as sd')
    .innerJoin('strategy as s', 's.id', 'sd.strategyId')
    .innerJoin('device', 'device.id', 'sd.deviceId')
    .select(['device.sn', 's.id', 's.applicationId', 's.startAt', 's.endAt'])
    .where(anyOf(trx, 'sd.deviceId', listParameter(trx, deviceIds)))
    .where('sd.restoredAt', 'is', null)
    .where('sd.endedAt', 'is', null)
    .where('sd.strategyId', '!=', id)
    .where('s.dispatchedAt', 'is not', null)
    .where('s.endedAt', 'is', null)
    .where('s.startAt', '<', endAt)
    .where('s.endAt', '>', startAt)
    .orderBy('s.startAt')
    .limit(1)
    .executeTakeFirst();
  if (!other) return;
  const data = { sn: other.sn, start: other.startAt, end: other.endAt };
  throw new Failure('deviceBusy', {
    data: other.applicationId === applicationId ? { ...data, id: other.id } : data,
  });
}
