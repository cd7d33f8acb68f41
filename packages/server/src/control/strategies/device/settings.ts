import type { Selectable } from 'kysely';
import { findCommands } from '../../commands/await-outcome.ts';
import type { Command } from '../../commands/life-cycle.ts';
import { findParameter } from '../../commands/parameters.ts';
import type { Db, Instant, StrategySettingTable } from '../../../platform/storage/database.ts';
import type { Target } from '../targets.ts';
import type { Course } from './course.ts';

/** A setting as stored. */
export type StrategySetting = Selectable<StrategySettingTable>;

/** The settings of a device that a strategy changes, and what has become of its commands. */
export interface StrategySettings {
  readonly all: readonly StrategySetting[];
  /** Commands of the strategy that have not ended. */
  readonly open: readonly Command[];
  /** Parameters that somebody is writing by hand. */
  readonly overridden: ReadonlySet<string>;
  /** Why a setting could not be read or applied. */
  readonly fault: string | undefined;
  /** Whether a setting could not be restored. */
  readonly isUnrestored: boolean;
}

/** What the settings are, once the outcomes of the commands that have ended are taken into account. The device must be locked. */
export async function absorbOutcomes(trx: Db, course: Course): Promise<StrategySettings> {
  const rows = await trx
    .selectFrom('strategySetting')
    .selectAll()
    .where('strategyId', '=', course.strategyId)
    .where('deviceId', '=', course.deviceId)
    .orderBy('parameter')
    .execute();
  const commands = await findCommands(
    trx,
    rows.flatMap(({ commandId }) => commandId ?? []),
  );
  const byId = new Map(commands.map((command) => [command.id, command]));
  const settings = new Map(rows.map((row) => [row.parameter, row]));
  const open: Command[] = [];
  let fault: string | undefined;
  let isUnrestored = false;
  for (const row of rows) {
    if (row.commandId === null) continue;
    const command = byId.get(row.commandId);
    if (command?.endedAt === null) {
      open.push(command);
      continue;
    }
    const set = { ...(command && outcomeOf(row, command)), commandId: null };
    settings.set(row.parameter, { ...row, ...set });
    if (!command) continue;
    if (command.sentAt !== null && command.action === 'write')
      forgetOverwritten(settings, course, command);
    if (isFault(command))
      fault ??= `${findParameter(course.target, row.parameter)?.name ?? row.parameter}: ${command.reason ?? command.state}`;
    isUnrestored ||=
      command.strategyPart === 'restore' && ['failed', 'refused'].includes(command.state);
  }
  const overridden = await absorbOverrides(trx, course, settings);
  for (const row of rows) {
    const { strategyId, deviceId, parameter, ...set } = settings.get(row.parameter)!;
    if (JSON.stringify(settings.get(row.parameter)) === JSON.stringify(row)) continue;
    await trx
      .updateTable('strategySetting')
      .set(set)
      .where('strategyId', '=', strategyId)
      .where('deviceId', '=', deviceId)
      .where('parameter', '=', parameter)
      .execute();
  }
  return { all: [...settings.values()], open, overridden, fault, isUnrestored };
}

// A command that expired was never sent: it is queued again if it is still wanted.
const isFault = ({ strategyPart, state }: Command): boolean =>
  (strategyPart === 'keep' || strategyPart === 'apply') &&
  state !== 'verified' &&
  state !== 'expired' &&
  state !== 'superseded';

function outcomeOf(
  row: StrategySetting,
  { strategyPart, state, readValue, value, sentAt, endedAt }: Command,
): Partial<StrategySetting> {
  if (strategyPart === 'keep')
    return state === 'verified' ? { former: readValue, formerAt: endedAt, held: readValue } : {};
  const changed = strategyPart === 'apply' && sentAt !== null ? 1 : row.changed;
  if (state === 'verified') return { changed, held: value };
  // Somebody wants it to stay.
  if (strategyPart === 'restore' && state === 'cancelled') return { changed: 0 };
  return sentAt === null ? {} : { changed, held: null };
}

/** Whether a write of one parameter overwrites another, which cannot express what was written: a switch for on, and one for off, have the same memory. */
export function overwrites(
  target: Target,
  { parameter, value }: { readonly parameter: string; readonly value: string | null },
  otherId: string,
): boolean {
  const [written, other] = [findParameter(target, parameter), findParameter(target, otherId)];
  return (
    otherId !== parameter &&
    other?.form.type === 'choice' &&
    other.cell === written?.cell &&
    !other.form.settable.includes(value!)
  );
}

function forgetOverwritten(
  settings: Map<string, StrategySetting>,
  { target }: Course,
  command: Command,
): void {
  for (const [id, setting] of settings)
    if (overwrites(target, command, id)) settings.set(id, { ...setting, held: null, changed: 1 });
}

/** What somebody has written is what is restored; returns what is still being written. */
async function absorbOverrides(
  trx: Db,
  { strategyId, deviceId }: Course,
  settings: Map<string, StrategySetting>,
): Promise<Set<string>> {
  const overrides = await trx
    .selectFrom('command')
    .selectAll()
    .where('strategyId', '=', strategyId)
    .where('deviceId', '=', deviceId)
    .where('strategyPart', '=', 'override')
    .orderBy('id')
    .execute();
  const ended = overrides.filter(({ endedAt }) => endedAt !== null);
  for (const { parameter, state, value, sentAt, endedAt } of ended) {
    const setting = settings.get(parameter);
    if (!setting || !isLater(endedAt, setting.formerAt)) continue;
    if (state === 'verified')
      settings.set(parameter, { ...setting, former: value, formerAt: endedAt, held: value });
    else if (sentAt !== null) settings.set(parameter, { ...setting, held: null });
  }
  for (const { id } of ended)
    await trx
      .updateTable('command')
      .set({ strategyId: null, strategyPart: null })
      .where('id', '=', id)
      .execute();
  return new Set(
    overrides.flatMap(({ endedAt, parameter }) => (endedAt === null ? [parameter] : [])),
  );
}

const isLater = (endedAt: Instant | null, formerAt: Instant | null): boolean =>
  formerAt === null || endedAt! >= formerAt;
