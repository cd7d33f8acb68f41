import { senderOf, type ReportingCollector, type Sender } from '../collectors/authenticate.ts';
import type { ReportLimit } from '../collectors/limit.ts';
import type { Outcome } from '../collectors/outcome.ts';
import { markPosted } from '../collectors/presence.ts';
import { createCommandCalls, type CommandCallDeps, type Receiver } from './calls.ts';
import type { Instruction } from './instruction.ts';
import { takeResults, type ResultDeps } from './results.ts';

/** How collectors obey, whatever the protocol. Its methods throw tooManyRequests, notAuthenticated, collectorRefused. */
export interface CommandExchange {
  /** The instructions for a collector's devices, waiting for them for at most `waitMs`. `isGone`: nobody would receive them any more. */
  instructions(collector: ReportingCollector, waitMs: number, isGone: () => boolean): Promise<readonly Instruction[]>;
  /** Hands instructions over as they become due, until the returned function is called. A later receiver of the same collector replaces the earlier one. */
  attend(sender: Sender, receiver: Receiver): () => void;
  /** Takes results of instructions; each element should be a ReportedResult. */
  results(collector: ReportingCollector, elements: readonly unknown[]): Promise<Outcome>;
  /** Ends all waiting. */
  close(): void;
}

interface ExchangeDeps extends CommandCallDeps, Pick<ResultDeps, 'onVerified'> {
  readonly limit: ReportLimit;
}

/** The single entry point for commands on the way to collectors and back. */
export function createExchange({ limit, ...deps }: ExchangeDeps): CommandExchange {
  const { db, clock } = deps;
  const calls = createCommandCalls(deps);

  async function counted<T>(collector: ReportingCollector, work: (sender: Sender) => Promise<T>): Promise<T> {
    const end = limit.begin(collector.id);
    try {
      // Whoever asks for work is there.
      await markPosted(db, collector, clock.now());
      return await work(senderOf(collector));
    } finally {
      end();
    }
  }

  return {
    instructions: (collector, waitMs, isGone) => counted(collector, (sender) => calls.take(sender, waitMs, isGone)),
    attend: calls.attend,
    results: (collector, elements) => counted(collector, (sender) => takeResults(deps, sender, elements)),
    close: () => calls.close(),
  };
}
