import {
  reportSenderOf,
  type ReportingCollector,
  type ReportSender,
} from '../../fleet/collectors/authenticate.ts';
import type { ReportLimit } from '../../fleet/collectors/limits/limit.ts';
import type { CollectorOutcome } from '../../fleet/collectors/outcome.ts';
import { markPosted } from '../../fleet/collectors/presence.ts';
import { createCommandCalls, type CommandCallDeps, type InstructionReceiver } from './calls.ts';
import type { HandedInstruction } from './instruction.ts';
import { takeResults, type ResultDeps } from './results.ts';

/** Instructions to collectors and their results, for every protocol. The methods throw tooManyRequests, notAuthenticated, collectorRefused. */
export interface CommandExchange {
  /** The instructions for a collector's devices; waits for them for at most `waitMs`. `gone`: that the collector is no longer there to receive them. */
  instructions(
    collector: ReportingCollector,
    waitMs: number,
    gone: AbortSignal,
  ): Promise<readonly HandedInstruction[]>;
  /** Hands over instructions as they become due, until the returned function is called. A later receiver of the same collector replaces the earlier one. */
  attend(sender: ReportSender, receiver: InstructionReceiver): () => void;
  /** Takes the results of instructions. `read` is called only once the call has been counted; each element should be a ReportedResult. Also throws what `read` throws. */
  results(
    collector: ReportingCollector,
    read: () => readonly unknown[] | Promise<readonly unknown[]>,
  ): Promise<CollectorOutcome>;
  /** Ends all waiting. */
  close(): void;
}

interface ExchangeDeps extends CommandCallDeps, Pick<ResultDeps, 'onVerified'> {
  readonly limit: ReportLimit;
}

/** The single path of commands to collectors, and of results back. */
export function createExchange({ limit, ...deps }: ExchangeDeps): CommandExchange {
  const { db, clock } = deps;
  const calls = createCommandCalls(deps);

  async function counted<T>(
    collector: ReportingCollector,
    work: (sender: ReportSender) => Promise<T>,
  ): Promise<T> {
    return limit.during(collector.id, async () => {
      // A collector that calls is online.
      await markPosted(db, collector, clock.now());
      return work(reportSenderOf(collector));
    });
  }

  return {
    instructions: (collector, waitMs, gone) =>
      counted(collector, (sender) => calls.take(sender, waitMs, gone)),
    attend: calls.attend,
    results: (collector, read) =>
      counted(collector, async (sender) => takeResults(deps, sender, await read())),
    close: () => calls.close(),
  };
}
