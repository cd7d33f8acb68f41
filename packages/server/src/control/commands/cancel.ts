import { recordAudit, type Act } from '../../identity/accounts/audit.ts';
import type { Caller } from '../../identity/accounts/caller.ts';
import { Failure } from '../../platform/kernel/failure.ts';
import { getPlant } from '../../fleet/plants/access.ts';
import type { Db } from '../../platform/storage/database.ts';
import { endUnsent, type Command } from './life-cycle.ts';
import { advance, lockCommands } from './open-commands.ts';
import { whyNotAllowed } from './rights.ts';

/** Ends those of the given commands that have not written anything yet; returns their number. */
export async function cancelUnsent(
  trx: Db,
  act: Act,
  commands: readonly Pick<Command, 'id' | 'deviceId'>[],
  reason: string,
  state: 'cancelled' | 'refused' = 'cancelled',
): Promise<number> {
  let cancelled = 0;
  for (const { id, deviceId } of commands.toSorted((a, b) => (a.deviceId < b.deviceId ? -1 : 1))) {
    const command = (await lockCommands(trx, deviceId, act.at)).commands.find(
      (one) => one.id === id,
    );
    const change = command && endUnsent(command, state, act.at, reason);
    if (!change) continue;
    await advance(trx, command, change, act.at);
    cancelled += 1;
  }
  return cancelled;
}

/** Ends the commands in a plant whose requesters may not control it any more. They would not be sent in any case; this tells so at once. */
export async function endUnallowed(
  trx: Db,
  act: Act,
  plantId: string,
  state: 'cancelled' | 'refused',
): Promise<void> {
  const open = await trx
    .selectFrom('command')
    .selectAll()
    .where('plantId', '=', plantId)
    .where('endedAt', 'is', null)
    .orderBy('deviceId')
    .orderBy('id')
    .execute();
  for (const command of open) {
    const reason = await whyNotAllowed(trx, command, plantId, act.at);
    if (reason !== undefined) await cancelUnsent(trx, act, [command], reason, state);
  }
}

/**
 * Cancels a command before it is sent, for a caller who may control its plant. Throws noPermission: foreign and unknown commands get
 * the same answer; for a command that can no longer be cancelled, the message says why.
 */
export async function cancelCommand(trx: Db, act: Act, caller: Caller, id: string): Promise<void> {
  const command = await trx
    .selectFrom('command')
    .select(['id', 'deviceId', 'plantId', 'parameter'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!command) throw new Failure('noPermission');
  const { ownerId } = await getPlant(trx, caller, command.plantId, 'control');
  if ((await cancelUnsent(trx, act, [command], 'it was cancelled')) === 0) {
    const { state } = await trx
      .selectFrom('command')
      .select('state')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    throw new Failure('noPermission', {
      message: `the command can no longer be cancelled: it is ${state}`,
    });
  }
  const { plantId, deviceId, parameter } = command;
  await recordAudit(trx, act, {
    kind: 'device.commandCancelled',
    accountId: ownerId,
    data: { plantId, deviceId, commandId: id, parameter },
  });
}
