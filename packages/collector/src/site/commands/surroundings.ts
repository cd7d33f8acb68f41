import type { Clock, Pause } from '../../clock.ts';

/** What a command line needs of its process. */
export interface CommandSurroundings {
  readonly folder: string;
  /** Writes the answer. */
  readonly write: (text: string) => void;
  /** Writes a remark for people. */
  readonly writeNote: (text: string) => void;
  readonly clock: Clock;
  readonly pause: Pause;
  readonly random: () => number;
  /** Ends a command that goes on. */
  readonly signal: AbortSignal;
}

/** A command line that makes no sense; exit code 2. */
export class UsageFault extends Error {
  override readonly name = 'UsageFault';
}

/** A command that could not do its work; exit code 1. The message says why, and what to do. */
export class CommandFault extends Error {
  override readonly name = 'CommandFault';
}

export interface CommandContext extends CommandSurroundings {
  readonly json: boolean;
  /** Arguments without options. */
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  path(name: string): string;
  /** `value` as JSON with --json, else `text`. */
  print(value: unknown, text: string | (() => string)): void;
}
