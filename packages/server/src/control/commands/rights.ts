import type { Caller } from '../../identity/accounts/caller.ts';
import { Failure } from '../../platform/kernel/failure.ts';
import { callerOf, whyCallerEnded } from '../../identity/oauth/caller-check.ts';
import { accessSince, findPlant } from '../../fleet/plants/access.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { holdAccess } from '../../fleet/plants/lock.ts';
import type { Command } from './life-cycle.ts';
import { isStoppedFor } from './stop.ts';

/** What a command rests on. */
type Requested = Pick<
  Command,
  | 'plantId'
  | 'deviceId'
  | 'door'
  | 'accountId'
  | 'keyId'
  | 'grantId'
  | 'tokenFamily'
  | 'action'
  | 'queuedAt'
>;

/**
 * Why a command may no longer be sent; undefined = it may be. The rights are read again and stay locked until the transaction ends. So
 * a withdrawal waits for a command that is being sent and, once the withdrawal has returned, nothing more is sent, even if the right was given anew.
 * interface C18
 */
export async function whyNotAllowed(
  trx: Db,
  command: Requested,
  plantId: string | null,
  now: Instant,
): Promise<string | undefined> {
  if (plantId !== command.plantId) return 'the device is no longer in that plant';
  // Settings that a strategy has changed are restored even if nobody has the right to control the plant any more.
  if (command.door === 'service') return undefined;
  if (await hasLeft(trx, command)) return 'the device has left the plant in the meantime';
  const { door, accountId } = command;
  const caller: Caller | string =
    door === 'operator'
      ? { kind: 'operator', accountId, plantIds: null }
      : await callerOf(trx, { ...command, accountId: accountId! }, now);
  if (typeof caller === 'string') return caller;
  if (!(await mayControl(trx, caller, plantId)))
    return 'the requester may no longer control the plant';
  if (door !== 'operator' && command.queuedAt < (await accessSince(trx, plantId, accountId!))!)
    return 'the requester could not control the plant in the meantime';
  return command.action === 'write' && (await isStoppedFor(trx, command, plantId))
    ? 'the owner of the plant has stopped the writes of others'
    : undefined;
}

/** Whether a device has left its plant since a command was queued. */
async function hasLeft(
  trx: Db,
  { deviceId, queuedAt }: Pick<Command, 'deviceId' | 'queuedAt'>,
): Promise<boolean> {
  const left = await trx
    .selectFrom('binding')
    .select('no')
    .where('deviceId', '=', deviceId)
    .where('toAt', '>', queuedAt)
    .limit(1)
    .executeTakeFirst();
  return left !== undefined;
}

async function mayControl(trx: Db, caller: Caller, plantId: string): Promise<boolean> {
  if (caller.accountId !== null) await holdAccess(trx, caller.accountId, [plantId]);
  try {
    return (await findPlant(trx, caller, plantId, 'control')) !== undefined;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}

/** Why a command that was not handed over ends because of its requester's account; undefined = it need not. */
export const whyWithdrawn = async (trx: Db, command: Command): Promise<string | undefined> =>
  command.accountId === null || command.door === 'operator' || command.door === 'service'
    ? undefined
    : whyCallerEnded(trx, command.accountId, command.queuedAt);
