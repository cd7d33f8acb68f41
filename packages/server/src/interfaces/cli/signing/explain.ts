import { CommanderError } from 'commander';
import { SettingsFault } from '../../../platform/config/load.ts';
import { databaseFaultOf } from '../../../platform/storage/database-fault.ts';
import { CliUsageFault } from '../installation/faults.ts';

export interface SignatureExplanation {
  readonly exitCode: number;
  /** Empty if everything has been printed already. */
  readonly message: string;
}

/** The message for an error, and its exit code. */
export function explain(error: unknown): SignatureExplanation {
  // Commander has already printed its message or the help.
  if (error instanceof CommanderError)
    return { exitCode: error.exitCode === 0 ? 0 : 2, message: '' };
  if (error instanceof CliUsageFault) return { exitCode: 2, message: error.message };
  if (error instanceof SettingsFault) return { exitCode: 1, message: list(error.faults) };
  return { exitCode: 1, message: messageOf(databaseFaultOf(error) ?? error) };
}

const list = (faults: readonly string[]): string =>
  faults.length === 1
    ? faults[0]!
    : `${faults.length} settings are invalid:\n${faults.map((fault) => `  ${fault}`).join('\n')}`;

const messageOf = (error: unknown): string =>
  error instanceof Error && error.message !== '' ? error.message : String(error);
