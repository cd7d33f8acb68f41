import type { Act } from '../../identity/accounts/audit.ts';
import { recordAudit } from '../../identity/accounts/audit.ts';
import { lockDeviceRows, lockPlant } from '../../fleet/plants/lock.ts';
import type { Db } from '../../platform/storage/database.ts';
import { wakeUp } from '../../platform/storage/wake-ups/wake-up.ts';
import type { Requester } from './requester.ts';
import { COMMANDS } from './open-commands.ts';

/** Whether a requester's writes to a plant are stopped; those of the owner and the operator, and those that restore settings, never are. interface C20 */
export async function isStoppedFor(
  db: Db,
  { door, accountId, grantId }: Pick<Requester, 'door' | 'accountId' | 'grantId'>,
  plantId: string,
): Promise<boolean> {
  const plant = await db
    .selectFrom('plant')
    .select(['ownerId', 'controlStoppedAt'])
    .where('id', '=', plantId)
    .executeTakeFirst();
  if (plant?.controlStoppedAt == null || door === 'operator' || door === 'service') return false;
  return grantId !== null || accountId !== plant.ownerId;
}

/**
 * Stops the writes of everybody but the owner to a plant, until they are released. Once this is committed, queued writes are not sent
 * any more. Returns false if they were already stopped. Throws noPermission.
 */
export async function stopControl(trx: Db, act: Act, plantId: string): Promise<boolean> {
  const { ownerId, controlStoppedAt } = await lockPlant(trx, plantId);
  if (controlStoppedAt !== null) return false;
  await trx
    .updateTable('plant')
    .set({ controlStoppedAt: act.at })
    .where('id', '=', plantId)
    .execute();
  // Waits for writes that are being handed over; later ones see the stop.
  const devices = await trx
    .selectFrom('device')
    .select('id')
    .where('plantId', '=', plantId)
    .execute();
  await lockDeviceRows(
    trx,
    devices.map(({ id }) => id),
  );
  await recordAudit(trx, act, { kind: 'control.stopped', accountId: ownerId, data: { plantId } });
  // Callers that wait for one of them learn of it soon.
  await wakeUp(trx, COMMANDS);
  return true;
}

/** Lets others write to a plant again. Returns false if they were not stopped. Throws noPermission. */
export async function releaseControl(trx: Db, act: Act, plantId: string): Promise<boolean> {
  const { ownerId, controlStoppedAt } = await lockPlant(trx, plantId);
  if (controlStoppedAt === null) return false;
  await trx
    .updateTable('plant')
    .set({ controlStoppedAt: null })
    .where('id', '=', plantId)
    .execute();
  await recordAudit(trx, act, { kind: 'control.released', accountId: ownerId, data: { plantId } });
  return true;
}
