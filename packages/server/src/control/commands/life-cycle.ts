import type { Selectable } from 'kysely';
import type { CommandTable, Instant } from '../../platform/storage/database.ts';

/** A command as stored. */
export type Command = Selectable<CommandTable>;
export type LifeCycleState = Command['state'];

/** The columns that change when a command advances. */
export type CommandProgress = Partial<Command>;

/** A collector must begin a write within this time, or not at all. */
export const WRITE_WITHIN_MS = 30_000;
/** After this time without a result, it is unknown whether a write has reached the device: it is read back, never repeated. interface C14 */
const WRITE_LOST_MS = 45_000;
/** After this time without a result, a read is handed over again. */
export const READ_WITHIN_MS = 20_000;
/** A device may need a moment until it shows the new value. */
const READ_BACK_AGAIN_MS = 2_000;
const READ_BACKS = 3;
/** A device that does not answer when it is read back is read again after this time. */
const SILENT_AGAIN_MS = 5_000;
/** For this long, a write is read back. */
export const VERIFY_LIMIT_MS = 15 * 60_000;

const end = (
  state: LifeCycleState,
  now: Instant,
  reason: string | null = null,
): CommandProgress => ({
  state,
  reason,
  endedAt: now,
});

/** Ends a command that has not written anything, such as one that its requester cancels. Undefined if it is too late. */
export const endUnsent = (
  command: Command,
  state: 'cancelled' | 'superseded' | 'refused',
  now: Instant,
  reason: string,
): CommandProgress | undefined => (isUnsent(command) ? end(state, now, reason) : undefined);

/** Whether nothing was written yet, only read. */
export const isUnsent = ({ state, action }: Command): boolean =>
  state === 'queued' || (action === 'read' && state === 'sent');

/** What changes by time alone; undefined = nothing. */
export function passTime(command: Command, now: Instant): CommandProgress | undefined {
  const { endedAt, step, nextAt, expiresAt, sentAt, turn, fault } = command;
  if (endedAt !== null) return undefined;
  if (isUnsent(command)) {
    if (expiresAt > now) return undefined;
    return end(
      'expired',
      now,
      turn === 0 ? 'no collector fetched it in time' : 'the device did not answer in time',
    );
  }
  if (sentAt! + VERIFY_LIMIT_MS <= now)
    return end('failed', now, fault ?? 'the device has not answered since it was written');
  return step === 'write' && nextAt <= now
    ? { step: 'verify', stepTurn: turn + 1, nextAt: now }
    : undefined;
}

/** When an open command ends by time alone. */
export const timeOf = (command: Command): Instant =>
  isUnsent(command) ? command.expiresAt : command.sentAt! + VERIFY_LIMIT_MS;

/** Hands over the next instruction to a collector. The command must be open and due (`nextAt`). */
export function handOver(
  { action, step, turn, sentAt }: Command,
  collectorId: string,
  now: Instant,
): CommandProgress {
  const next = { turn: turn + 1, collectorId };
  if (step === 'write')
    return {
      ...next,
      state: 'sent',
      sentAt: now,
      writeTurn: turn + 1,
      nextAt: now + WRITE_LOST_MS,
    };
  return {
    ...next,
    nextAt: now + READ_WITHIN_MS,
    ...(action === 'read' && { state: 'sent', sentAt: sentAt ?? now }),
  };
}

/** A collector's result of an instruction. */
export type Result =
  | {
      readonly turn: number;
      readonly ok: true;
      readonly value: string | null;
      readonly raw: string | null;
    }
  | { readonly turn: number; readonly ok: false; readonly fault: string };

/** Compares a value that was read with the one to write. */
export interface ValueComparison {
  /** Writing it would change nothing. */
  isAlreadySet(read: string): boolean;
  /** A device shows this once it has taken the value. */
  readsBack(read: string): boolean;
}

/**
 * What a result changes. 'unknown' = no such instruction was handed over; 'duplicate' = it was answered before, or no longer matters;
 * 'valueless' = the result of a read without a value.
 */
export function takeResult(
  command: Command,
  result: Result,
  now: Instant,
  comparison: ValueComparison,
): CommandProgress | 'unknown' | 'duplicate' | 'valueless' {
  const { turn, answered, stepTurn, writeTurn, endedAt } = command;
  if (result.turn < 1 || result.turn > turn) return 'unknown';
  if (endedAt !== null || result.turn <= answered) return 'duplicate';
  if (result.turn === writeTurn) return { answered: result.turn, ...written(command, result, now) };
  if (result.turn < stepTurn) return 'duplicate';
  if (!result.ok) return { answered: result.turn, ...notRead(command, result.fault, now) };
  if (result.value === null) return 'valueless';
  return {
    answered: result.turn,
    ...valueRead(command, result.value, result.raw, now, comparison),
  };
}

// A device may have taken a write that it answered with an error or not at all, so a failed write is read back too.
function written({ step, turn }: Command, result: Result, now: Instant): CommandProgress {
  const verify: CommandProgress =
    step === 'write' ? { step: 'verify', stepTurn: turn + 1, nextAt: now } : {};
  return result.ok
    ? { ...verify, state: 'confirmed', confirmedAt: now }
    : { ...verify, fault: result.fault };
}

function valueRead(
  command: Command,
  value: string,
  raw: string | null,
  now: Instant,
  comparison: ValueComparison,
): CommandProgress {
  const { step, turn, readBacks, fault } = command;
  const read = { readValue: value, raw };
  if (step === 'read') return { ...read, ...end('verified', now) };
  if (step === 'check') {
    if (comparison.isAlreadySet(value))
      return {
        ...read,
        oldValue: value,
        ...end('verified', now, 'the device already had this value'),
      };
    return { ...read, oldValue: value, step: 'write', stepTurn: turn + 1, nextAt: now };
  }
  if (comparison.readsBack(value)) return { ...read, ...end('verified', now) };
  if (fault !== null) return { ...read, ...end('failed', now, fault) };
  if (readBacks + 1 >= READ_BACKS)
    return {
      ...read,
      readBacks: readBacks + 1,
      ...end('failed', now, `the device has not taken the value: it has ${value}`),
    };
  return { ...read, readBacks: readBacks + 1, nextAt: now + READ_BACK_AGAIN_MS };
}

function notRead({ step }: Command, fault: string, now: Instant): CommandProgress {
  if (step === 'verify') return { nextAt: now + SILENT_AGAIN_MS };
  return end('failed', now, fault);
}
