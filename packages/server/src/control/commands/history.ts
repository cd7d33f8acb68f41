import type { CommandRecord } from '@helioport/contract';
import type { Caller } from '../../identity/accounts/caller.ts';
import { companyNamesOf, type AttributedAction } from '../../fleet/plants/companies/names.ts';
import type { Db, Instant, Tables } from '../../platform/storage/database.ts';
import { firstIdAt } from '../../platform/kernel/ids.ts';
import { sql, type ExpressionBuilder } from 'kysely';
import type { Command } from './life-cycle.ts';
import { findParameter, type ParameterSubject } from './parameters.ts';

/** A device whose commands are listed. */
export interface CommandedSubject extends ParameterSubject {
  readonly id: string;
  readonly sn: string;
  readonly plantId: string;
}

/** The commands of a device in its present plant, newest first; reads are included only with `reads`. `before`: id of the last one on the previous page. */
export async function listCommands(
  db: Db,
  caller: Caller,
  device: CommandedSubject,
  {
    before,
    limit,
    reads,
  }: { readonly before?: string | undefined; readonly limit: number; readonly reads: boolean },
): Promise<CommandRecord[]> {
  let query = db
    .selectFrom('command')
    .selectAll()
    .where('deviceId', '=', device.id)
    .where('plantId', '=', device.plantId);
  if (!reads) query = query.where('action', '=', 'write');
  if (before !== undefined) query = query.where('id', '<', before);
  const commands = await query.orderBy('id', 'desc').limit(limit).execute();
  const emailOf = await requesterEmailsOf(db, caller, commands);
  return commands.map((command) => ({
    ...recordOfCommand(device, command),
    byEmail: emailOf(command),
  }));
}

/** The e-mail addresses of those who requested commands, as far as a caller may know them. */
export async function requesterEmailsOf(
  db: Db,
  caller: Caller,
  commands: readonly Command[],
): Promise<(command: Command) => string | undefined> {
  // What an application does is done in its owner’s name, and is not the owner’s deed.
  const deedOf = ({ plantId, accountId, grantId, queuedAt }: Command): AttributedAction => ({
    plantId,
    accountId: grantId === null ? accountId : null,
    at: queuedAt,
  });
  const emailOf = await companyNamesOf(db, caller, commands.map(deedOf));
  return (command) => emailOf(deedOf(command));
}

/** A command as people and programs see it. */
export const recordOfCommand = (device: CommandedSubject, command: Command): CommandRecord => {
  const {
    id,
    action,
    parameter,
    state,
    reason,
    value,
    oldValue,
    readValue,
    actor,
    door,
    queuedAt,
    sentAt,
    confirmedAt,
    endedAt,
    expiresAt,
    undoes,
  } = command;
  const strategyId = command.strategyPart === 'override' ? null : command.strategyId;
  const name = findParameter(device, parameter)?.name ?? null;
  const shared = {
    parameter,
    name,
    state,
    reason,
    oldValue,
    newValue: value,
    readValue,
    by: actor,
    door,
  };
  return {
    id,
    sn: device.sn,
    action,
    ...shared,
    queuedAt,
    sentAt,
    confirmedAt,
    endedAt,
    expiresAt,
    undoes,
    strategyId,
  };
};

/**
 * The last write to a device in its present plant, of one parameter if it is given, that changed something, was not undone, and neither undoes another nor is
 * a step of a strategy.
 */
export const findLastChange = (
  db: Db,
  { id, plantId }: CommandedSubject,
  parameter: string | undefined,
): Promise<Command | undefined> =>
  db
    .selectFrom('command')
    .selectAll('command')
    .where('deviceId', '=', id)
    .where('plantId', '=', plantId)
    .where('action', '=', 'write')
    .where('state', '=', 'verified')
    .where('sentAt', 'is not', null)
    .where('oldValue', 'is not', null)
    .where('undoes', 'is', null)
    .where((eb) => eb.or([eb('strategyPart', 'is', null), eb('strategyPart', '=', 'override')]))
    .$if(parameter !== undefined, (query) => query.where('parameter', '=', parameter!))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('command as undo')
            .select('undo.id')
            .whereRef('undo.undoes', '=', 'command.id')
            .where('undo.state', '=', 'verified'),
        ),
      ),
    )
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();

const READ_KEPT_MS = 24 * 3_600_000;

/** Deletes at most `limit` reads that ended more than a day ago; returns their number. Writes are kept. */
export async function sweepReads(db: Db, now: number, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('command')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('command')
        .select('id')
        .where('action', '=', 'read')
        .where('endedAt', '<', now - READ_KEPT_MS)
        .orderBy('endedAt')
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** States in which a write has reached its device. */
const WRITTEN = ['confirmed', 'verified'] as const;

/**
 * Deletes at most `limit` commands that were queued and ended before an instant; returns their number. What was written last of a setting stays, as of then:
 * it says which limits were in force later, and who has set them. So do commands of strategies that have something to restore.
 */
export async function sweepCommands(db: Db, before: Instant, limit: number): Promise<number> {
  const firstKept = firstIdAt(before);
  const { numDeletedRows } = await db
    .deleteFrom('command')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('command as c')
        .select('c.id')
        .where('c.id', '<', firstKept)
        .where('c.endedAt', '<', before)
        .where((own) =>
          own.or([
            own('c.action', '=', 'read'),
            own('c.state', 'not in', WRITTEN),
            own.exists(laterWrite(own, firstKept, before)),
          ]),
        )
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('strategyDevice as sd')
                .select(sql.lit(1).as('one'))
                .whereRef('sd.strategyId', '=', 'c.strategyId')
                .where('sd.restoredAt', 'is', null),
            ),
          ),
        )
        .orderBy('c.id')
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

const laterWrite = (
  { selectFrom }: ExpressionBuilder<Tables & { c: Tables['command'] }, 'c'>,
  firstKept: string,
  before: Instant,
) =>
  selectFrom('command as later')
    .select(sql.lit(1).as('one'))
    .whereRef('later.deviceId', '=', 'c.deviceId')
    .where('later.action', '=', 'write')
    .whereRef('later.id', '>', 'c.id')
    .where('later.id', '<', firstKept)
    .whereRef('later.plantId', '=', 'c.plantId')
    .whereRef('later.parameter', '=', 'c.parameter')
    .where('later.state', 'in', WRITTEN)
    .where('later.endedAt', '<', before);
