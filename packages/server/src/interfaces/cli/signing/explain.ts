import { CommanderError } from 'commander';
import { ConfigFault } from '../../../platform/config/load.ts';
import { databaseFaultOf } from '../../../platform/storage/database-fault.ts';
import { UsageFault } from '../installation/faults.ts';

export interface Explanation {
  readonly exitCode: number;
  /** Empty if everything has been printed already. */
  readonly message: string;
}

/** The message for an error, and its exit code. */
export function explain(error: unknown): Explanation {
  // Commander has already printed its message or the help.
  if (error instanceof CommanderError)
    return { exitCode: error.exitCode === 0 ? 0 : 2, message: '' };
  if (error instanceof UsageFault) return { exitCode: 2, message: error.message };
  if (error instanceof ConfigFault) return { exitCode: 1, message: list(error.faults) };
  return { exitCode: 1, message: messageOf(databaseFaultOf(error) ?? error) };
}

const list = (faults: readonly string[]): string =>
  faults.length === 1
    ? faults[0]!
    : `${faults.length} settings are invalid:\n${faults.map((fault) => `  ${fault}`).join('\n')}`;

const messageOf = (error: unknown): string =>
  error instanceof Error && error.message !== '' ? error.message : String(error);
