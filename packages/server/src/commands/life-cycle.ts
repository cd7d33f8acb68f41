import type { Selectable } from 'kysely';
import type { CommandTable, Instant } from '../storage/database.ts';

/** A command as stored. */
export type Command = Selectable<CommandTable>;
export type CommandState = Command['state'];

/** What changes when a command goes on. */
export type Progress = Partial<Command>;

/** How long a collector may take to carry out a write. It must not begin one later. */
export const WRITE_WITHIN_MS = 30_000;
/** After this time without a result, a write may or may not have reached the device: it is read back, never written again. interface C14 */
const WRITE_LOST_MS = 45_000;
/** After this time without a result, a read is handed over again. */
export const READ_WITHIN_MS = 20_000;
/** A device may need a moment to show what it was given. */
const READ_BACK_AGAIN_MS = 2_000;
const READ_BACKS = 3;
/** A device that does not answer while it is read back is asked again. */
const SILENT_AGAIN_MS = 5_000;
/** Until when a write is read back. */
export const VERIFY_LIMIT_MS = 15 * 60_000;

const end = (state: CommandState, now: Instant, reason: string | null = null): Progress => ({ state, reason, endedAt: now });

/** Ends a command of which nothing was written, such as one that its asker cancels. Undefined if it is too late. */
export const endUnsent = (command: Command, state: 'cancelled' | 'superseded' | 'refused', now: Instant, reason: string): Progress | undefined =>
  isUnsent(command) ? end(state, now, reason) : undefined;

/** Nothing was written yet: all that has happened so far were reads. */
export const isUnsent = ({ state, action }: Command): boolean => state === 'queued' || (action === 'read' && state === 'sent');

/** What time alone changes. Undefined = nothing. */
export function passTime(command: Command, now: Instant): Progress | undefined {
  const { endedAt, step, nextAt, expiresAt, sentAt, turn, fault } = command;
  if (endedAt !== null) return undefined;
  if (isUnsent(command)) {
    if (expiresAt > now) return undefined;
    return end('expired', now, turn === 0 ? 'no collector fetched it in time' : 'the device did not answer in time');
  }
  if (sentAt! + VERIFY_LIMIT_MS <= now) return end('failed', now, fault ?? 'the device has not answered since it was written');
  return step === 'write' && nextAt <= now ? { step: 'verify', stepTurn: turn + 1, nextAt: now } : undefined;
}

/** When time alone will end an open command. */
export const timeOf = (command: Command): Instant => (isUnsent(command) ? command.expiresAt : command.sentAt! + VERIFY_LIMIT_MS);

/** Hands the next instruction over to a collector. The command must be open and due (`nextAt`). */
export function handOver({ action, step, turn, sentAt }: Command, collectorId: string, now: Instant): Progress {
  const next = { turn: turn + 1, collectorId };
  if (step === 'write') return { ...next, state: 'sent', sentAt: now, writeTurn: turn + 1, nextAt: now + WRITE_LOST_MS };
  return { ...next, nextAt: now + READ_WITHIN_MS, ...(action === 'read' && { state: 'sent', sentAt: sentAt ?? now }) };
}

/** What a collector answers to an instruction. */
export type Result =
  | { readonly turn: number; readonly ok: true; readonly value: string | null; readonly raw: string | null }
  | { readonly turn: number; readonly ok: false; readonly fault: string };

/** How a value that was read compares with the one that is to be written. */
export interface Comparison {
  /** Writing it would change nothing. */
  isAlreadySet(read: string): boolean;
  /** A device that was written shows this. */
  readsBack(read: string): boolean;
}

/**
 * What a result changes. 'unknown' = no such instruction was handed over; 'duplicate' = it was answered before, or does not matter any
 * more; 'valueless' = it was to read, and does not say what.
 */
export function takeResult(command: Command, result: Result, now: Instant, comparison: Comparison): Progress | 'unknown' | 'duplicate' | 'valueless' {
  const { turn, answered, stepTurn, writeTurn, endedAt } = command;
  if (result.turn < 1 || result.turn > turn) return 'unknown';
  if (endedAt !== null || result.turn <= answered) return 'duplicate';
  if (result.turn === writeTurn) return { answered: result.turn, ...written(command, result, now) };
  if (result.turn < stepTurn) return 'duplicate';
  if (!result.ok) return { answered: result.turn, ...notRead(command, result.fault, now) };
  if (result.value === null) return 'valueless';
  return { answered: result.turn, ...valueRead(command, result.value, result.raw, now, comparison) };
}

// Also if it failed: a device may have taken what was answered badly or not at all, so its own word decides.
function written({ step, turn }: Command, result: Result, now: Instant): Progress {
  const verify: Progress = step === 'write' ? { step: 'verify', stepTurn: turn + 1, nextAt: now } : {};
  return result.ok ? { ...verify, state: 'confirmed', confirmedAt: now } : { ...verify, fault: result.fault };
}

function valueRead(command: Command, value: string, raw: string | null, now: Instant, comparison: Comparison): Progress {
  const { step, turn, readBacks, fault } = command;
  const read = { readValue: value, raw };
  if (step === 'read') return { ...read, ...end('verified', now) };
  if (step === 'check') {
    if (comparison.isAlreadySet(value)) return { ...read, oldValue: value, ...end('verified', now, 'the device had this value already') };
    return { ...read, oldValue: value, step: 'write', stepTurn: turn + 1, nextAt: now };
  }
  if (comparison.readsBack(value)) return { ...read, ...end('verified', now) };
  if (fault !== null) return { ...read, ...end('failed', now, fault) };
  if (readBacks + 1 >= READ_BACKS) return { ...read, readBacks: readBacks + 1, ...end('failed', now, `the device has not taken the value: it has ${value}`) };
  return { ...read, readBacks: readBacks + 1, nextAt: now + READ_BACK_AGAIN_MS };
}

function notRead({ step }: Command, fault: string, now: Instant): Progress {
  if (step === 'verify') return { nextAt: now + SILENT_AGAIN_MS };
  return end('failed', now, fault);
}
