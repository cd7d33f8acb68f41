import { isAlreadySet, readsBackAs } from '@helioport/devices';
import type { Clock } from '../../platform/kernel/clock.ts';
import { Failure } from '../../platform/kernel/failure.ts';
import { storeAsSender, type ReportSender } from '../../fleet/collectors/authenticate.ts';
import type { CollectorOutcome } from '../../fleet/collectors/outcome.ts';
import type { Db } from '../../platform/storage/database.ts';
import { takeResult, type Command, type ValueComparison, type Result } from './life-cycle.ts';
import { advance, lockCommands, type CommandedDevice } from './open-commands.ts';
import { findParameter } from './parameters.ts';

/** The result of an instruction, as a collector reports it. */
export interface ReportedResult {
  /** Id of the instruction. */
  readonly id: string;
  readonly ok: boolean;
  /** The value that was read. */
  readonly value?: string | number;
  /** The content of the registers. */
  readonly raw?: string | number;
  /** Why it failed. */
  readonly error?: string;
}

/** Maximum number of results in one call. */
const RESULTS_AT_MOST = 1_000;
/** Maximum size of one call, as sent and after decompression. Unlike reports, results are parsed in one go, which blocks everything else. */
export const RESULTS_BYTES = 128 * 1024;

const ID = /^(\d{19})\.(\d{1,9})$/;
const TEXT_AT_MOST = 1_000;
// Unknown instructions and those of other collectors get the same answer.
const UNKNOWN = 'no such instruction was handed to this collector';

/** The elements of `{"results":[...]}`. Throws malformedRequest, tooLarge. */
export function resultsOf({ results }: Readonly<Record<string, unknown>>): readonly unknown[] {
  if (!Array.isArray(results))
    throw new Failure('malformedRequest', { message: 'the body must be {"results": [...]}' });
  if (results.length > RESULTS_AT_MOST)
    throw new Failure('tooLarge', { message: `at most ${RESULTS_AT_MOST} results at once` });
  return results;
}

export interface ResultDeps {
  readonly db: Db;
  readonly clock: Clock;
  /** Called when a command has been verified, with the time since it was queued. */
  readonly onVerified?: ((action: Command['action'], seconds: number) => void) | undefined;
}

/**
 * Takes the results of instructions, each in a transaction of its own. When it resolves, everything accepted is durable. A result may be
 * sent again. Throws notAuthenticated, collectorRefused.
 */
export async function takeResults(
  deps: ResultDeps,
  sender: ReportSender,
  elements: readonly unknown[],
): Promise<CollectorOutcome> {
  const refused: { index: number; reason: string }[] = [];
  const counts = { accepted: 0, duplicate: 0 };
  for (const [index, element] of elements.entries()) {
    const read = readResult(element);
    const outcome = typeof read === 'string' ? read : await takeOne(deps, sender, read);
    if (outcome === 'accepted' || outcome === 'duplicate') counts[outcome] += 1;
    else refused.push({ index, reason: outcome });
  }
  return { ...counts, refused };
}

async function takeOne(
  { db, clock, onVerified }: ResultDeps,
  sender: ReportSender,
  { commandId, result }: ReadResult,
): Promise<string> {
  const now = clock.now();
  const { outcome, verified } = await storeAsSender<{ outcome: string; verified?: Command }>(
    db,
    (work) => db.transaction().execute(work),
    { sender, now },
    async (trx) => {
      const found = await trx
        .selectFrom('command')
        .select(['deviceId', 'collectorId'])
        .where('id', '=', commandId)
        .executeTakeFirst();
      if (!found || found.collectorId !== sender.collectorId) return { outcome: UNKNOWN };
      const commanded = await lockCommands(trx, found.deviceId, now);
      const command =
        commanded.commands.find(({ id }) => id === commandId) ??
        (await endedCommand(trx, commandId));
      const change = takeResult(command, result, now, comparisonOf(commanded, command));
      if (change === 'unknown') return { outcome: UNKNOWN };
      if (change === 'valueless') return { outcome: 'value is missing: a read must report it' };
      if (change === 'duplicate') return { outcome: change };
      const changed = await advance(trx, command, change, now);
      return { outcome: 'accepted', ...(changed.state === 'verified' && { verified: changed }) };
    },
  );
  // Only after the commit.
  if (verified) onVerified?.(verified.action, (now - verified.queuedAt) / 1000);
  return outcome;
}

const endedCommand = (trx: Db, id: string): Promise<Command> =>
  trx.selectFrom('command').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

// If a change of the model has removed the parameter, the texts are compared.
function comparisonOf(
  commanded: CommandedDevice,
  { parameter: id, value }: Command,
): ValueComparison {
  const parameter = findParameter(commanded.device, id);
  if (!parameter)
    return { isAlreadySet: (read) => read === value, readsBack: (read) => read === value };
  return {
    isAlreadySet: (read) => isAlreadySet(parameter, value!, read),
    readsBack: (read) => readsBackAs(parameter, value!, read),
  };
}

interface ReadResult {
  readonly commandId: string;
  readonly result: Result;
}

/** A result as reported, or what is wrong with it. */
function readResult(element: unknown): ReadResult | string {
  if (typeof element !== 'object' || element === null || Array.isArray(element))
    return 'a result must be an object';
  const { id, ok, value, raw, error } = element as Partial<Record<keyof ReportedResult, unknown>>;
  const [, commandId, turnText] = (typeof id === 'string' && ID.exec(id)) || [];
  if (commandId === undefined) return 'id must be that of an instruction';
  const turn = Number(turnText);
  if (ok === false)
    return {
      commandId,
      result: { turn, ok, fault: textOf(error) ?? 'the collector could not carry it out' },
    };
  if (ok !== true) return 'ok must be true or false';
  const [valueText, rawText] = [textOf(value), textOf(raw)];
  if (value !== undefined && valueText === null)
    return 'value must be a number or text of at most 1000 characters without control characters';
  return { commandId, result: { turn, ok, value: valueText, raw: rawText } };
}

const CONTROL = /\p{Cc}/u;

function textOf(value: unknown): string | null {
  const text = typeof value === 'number' && Number.isFinite(value) ? String(value) : value;
  return typeof text === 'string' &&
    text.length <= TEXT_AT_MOST &&
    text.isWellFormed() &&
    !CONTROL.test(text)
    ? text
    : null;
}
