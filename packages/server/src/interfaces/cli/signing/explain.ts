import { CommanderError } from 'commander';
import { SettingsFault } from '../../../platform/config/load.ts';
import { Failure } from '../../../platform/kernel/failure.ts';
import { databaseFaultOf } from '../../../platform/storage/database-fault.ts';
import { CliUsageFault } from '../installation/faults.ts';

export interface SignatureExplanation {
  /** 0, 1 for a failure, 2 if the command line is wrong. */
  readonly exitCode: number;
  readonly message: string;
  /** The registry's name of a refusal, or `usage`, `settings`, `failed`. */
  readonly code: string;
  readonly data?: unknown;
  /** Whether the message has been printed already. */
  readonly isPrinted?: boolean;
}

/** Refusals of a value that was typed, unless what is stored rules it out. */
const REFUSED_VALUES: ReadonlySet<string> = new Set(['invalidValue', 'missingParameter']);

/** The message for an error, and its exit code. */
export function explain(error: unknown): SignatureExplanation {
  if (error instanceof CommanderError) return ofUsage(error);
  if (error instanceof CliUsageFault) return { exitCode: 2, code: 'usage', message: error.message };
  if (error instanceof SettingsFault)
    return { exitCode: 1, code: 'settings', message: list(error.faults) };
  if (error instanceof Failure) {
    const { code, message, data, isOfState } = error;
    return {
      exitCode: REFUSED_VALUES.has(code) && !isOfState ? 2 : 1,
      code,
      message,
      ...(data !== null && { data }),
    };
  }
  return { exitCode: 1, code: 'failed', message: messageOf(databaseFaultOf(error) ?? error) };
}

/** The error as one line of JSON. */
export const errorJson = ({ exitCode, code, message, data }: SignatureExplanation): string =>
  JSON.stringify({ error: { code, message, ...(data !== undefined && { data }), exitCode } });

/** Commander has already printed its message or the help. */
const ofUsage = ({ exitCode, code, message }: CommanderError): SignatureExplanation => ({
  exitCode: exitCode === 0 ? 0 : 2,
  code: 'usage',
  message: code === 'commander.help' ? 'a command is missing' : message.replace(/^error: /, ''),
  isPrinted: true,
});

const list = (faults: readonly string[]): string =>
  faults.length === 1
    ? faults[0]!
    : `${faults.length} settings are invalid:\n${faults.map((fault) => `  ${fault}`).join('\n')}`;

const messageOf = (error: unknown): string =>
  error instanceof Error && error.message !== '' ? error.message : String(error);
