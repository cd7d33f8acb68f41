import type { Clock } from '../../platform/kernel/clock.ts';
import { Failure } from '../../platform/kernel/failure.ts';
import type { ReportSender } from '../../fleet/collectors/authenticate.ts';
import type { Db } from '../../platform/storage/database.ts';
import type { WakeUps } from '../../platform/storage/wake-ups/port.ts';
import { listCalled, takeInstructions } from './hand-over.ts';
import type { HandedInstruction } from './instruction.ts';
import { COMMANDS } from './open-commands.ts';

/** Collectors that wait for instructions. */
export interface CommandCalls {
  /**
   * The instructions due for a collector; waits for them for at most `waitMs`, after which there are none. A collector waits only once: a
   * later call ends the earlier one. `gone`: that the collector is no longer there to receive them, which ends its waiting. Throws notAuthenticated, collectorRefused.
   */
  take(
    sender: ReportSender,
    waitMs: number,
    gone: AbortSignal,
  ): Promise<readonly HandedInstruction[]>;
  /** Hands over instructions as they become due, until the returned function is called. A later receiver of the same collector replaces the earlier one. */
  attend(sender: ReportSender, receiver: InstructionReceiver): () => void;
  /** Ends all waiting. */
  close(): void;
}

/** A collector that stays connected. */
export interface InstructionReceiver {
  deliver(instructions: readonly HandedInstruction[]): void;
  /** The collector may not receive instructions, or no longer may. */
  refuse(failure: Failure): void;
}

export interface CommandCallDeps {
  readonly db: Db;
  readonly clock: Clock;
  /** Without them, waiting collectors are checked once a second. */
  readonly wakeUps?: Pick<WakeUps, 'on'> | undefined;
}

/** How often to look without a wake-up: repeated reads become due by time alone. */
const LOOK_MS = 1_000;

/** Does a piece of work when called, and once more if it is called meanwhile: calls that come together share it. */
function repeating(work: () => Promise<void>): () => Promise<void> {
  let isUnderWay = false;
  let isAskedAgain = false;
  return async () => {
    isAskedAgain = true;
    if (isUnderWay) return;
    isUnderWay = true;
    while (isAskedAgain) {
      isAskedAgain = false;
      await work();
    }
    isUnderWay = false;
  };
}

/** All collectors that wait in one process share one query, whatever wakes them. */
export function createCommandCalls({ db, clock, wakeUps }: CommandCallDeps): CommandCalls {
  const waiting = new Map<string, (isCalled: boolean) => void>();
  const attending = new Map<string, () => void>();
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let sleepOn: (() => void) | undefined;

  const look = repeating(async () => {
    // If the database is away, the next look finds them.
    const collectorIds = await listCalled(db, clock.now()).catch(() => new Set<string>());
    for (const collectorId of collectorIds) {
      waiting.get(collectorId)?.(true);
      attending.get(collectorId)?.();
    }
  });

  /** Keeps looking until `rest` finds that no collector waits any more. */
  function watch(): void {
    timer ??= setInterval(() => void look(), LOOK_MS).unref();
    sleepOn ??= wakeUps?.on(COMMANDS, () => void look());
    // Something may have been queued before.
    void look();
  }

  function rest(): void {
    if (waiting.size + attending.size > 0) return;
    clearInterval(timer);
    sleepOn?.();
    [timer, sleepOn] = [undefined, undefined];
  }

  /** Resolves to true if something may be due; to false if the collector has called again or has gone, or the time is up. */
  async function called(collectorId: string, waitMs: number, gone: AbortSignal): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    waiting.get(collectorId)?.(false);
    waiting.set(collectorId, resolve);
    const over = setTimeout(resolve, waitMs, false);
    const leave = (): void => resolve(false);
    gone.addEventListener('abort', leave);
    watch();
    const isCalled = await promise;
    clearTimeout(over);
    gone.removeEventListener('abort', leave);
    if (waiting.get(collectorId) === resolve) waiting.delete(collectorId);
    rest();
    return isCalled;
  }

  function attend(sender: ReportSender, { deliver, refuse }: InstructionReceiver): () => void {
    const hand = repeating(async () => {
      // With the database away, the next look tries again.
      const instructions = await takeInstructions({ db, clock }, sender).catch((error: unknown) => {
        if (error instanceof Failure) refuse(error);
        return [];
      });
      if (instructions.length > 0) deliver(instructions);
    });
    const call = (): void => void hand();
    attending.set(sender.collectorId, call);
    watch();
    return () => {
      if (attending.get(sender.collectorId) === call) attending.delete(sender.collectorId);
      rest();
    };
  }

  return {
    attend,
    async take(sender, waitMs, gone) {
      const first = gone.aborted ? [] : await takeInstructions({ db, clock }, sender);
      if (first.length > 0 || waitMs === 0 || isClosed || gone.aborted) return first;
      return (await called(sender.collectorId, waitMs, gone)) && !gone.aborted
        ? takeInstructions({ db, clock }, sender)
        : [];
    },
    close() {
      isClosed = true;
      for (const end of waiting.values()) end(false);
      attending.clear();
      rest();
    },
  };
}
