import type { Instruction, InstructionResult } from './instruction.ts';
import type { Outcome, Report, ReportOutcome } from './report.ts';

/** Whether a report is of now, or was kept because it could not be delivered. */
export type Urgency = 'live' | 'backlog';

/** Why the other side has not taken a message. */
export interface Setback {
  /**
   * `away`: it cannot be reached or asks for patience; `barred`: it does not let this collector in, until people change that;
   * `malformed`: it will never take this message.
   */
  readonly cause: 'away' | 'barred' | 'malformed';
  readonly reason: string;
  /** How long it asks to wait, milliseconds. */
  readonly pauseMs?: number | undefined;
}

export type Answer<T> = { readonly value: T } | { readonly setback: Setback };

/** An instruction, and when it arrived, epoch milliseconds. */
export interface ArrivedInstruction {
  readonly instruction: Instruction;
  readonly arrivedAt: number;
}

/** A way to the server. Each method makes one attempt, and resolves whatever happens. */
export interface Link {
  /** Maximum size of a merged report, bytes. */
  readonly reportBytes: number;
  report(report: Report, urgency: Urgency): Promise<Answer<ReportOutcome>>;
  /** Waits for instructions; an empty list if there are none for a while. */
  instructions(): Promise<Answer<readonly ArrivedInstruction[]>>;
  results(results: readonly InstructionResult[]): Promise<Answer<Outcome>>;
  /** Ends what is under way. */
  close(): Promise<void>;
}
