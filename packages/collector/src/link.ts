import type { Instruction, InstructionResult } from './instruction.ts';
import type { Outcome, Report, ReportOutcome } from './report.ts';

/** Whether a report is current, or was kept because it could not be delivered. */
export type Urgency = 'live' | 'backlog';

/** Why the server has not accepted a message. */
export interface Setback {
  /**
   * `away`: it cannot be reached, or asks to wait; `barred`: it refuses this collector until somebody changes that;
   * `malformed`: the server itself says that it will never accept this message. Whatever else answers in its place is `away`.
   */
  readonly cause: 'away' | 'barred' | 'malformed';
  readonly reason: string;
  /** How long the server asks to wait, milliseconds. */
  readonly pauseMs?: number | undefined;
  /** Something on the way takes no message of this size. */
  readonly isTooLarge?: boolean;
}

export type Answer<T> = { readonly value: T } | { readonly setback: Setback };

/** An instruction with the time of its arrival, epoch milliseconds. */
export interface ArrivedInstruction {
  readonly instruction: Instruction;
  readonly arrivedAt: number;
}

/** A connection to the server over some protocol. Each method makes one attempt, and never rejects. */
export interface Link {
  /** Maximum size of a merged report, bytes. */
  readonly reportBytes: number;
  report(report: Report, urgency: Urgency): Promise<Answer<ReportOutcome>>;
  /** Waits for instructions; an empty list if there are none for a while. */
  instructions(): Promise<Answer<readonly ArrivedInstruction[]>>;
  results(results: readonly InstructionResult[]): Promise<Answer<Outcome>>;
  /** Ends all attempts in progress. */
  close(): Promise<void>;
}
