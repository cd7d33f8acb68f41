import type { Clock } from '../kernel/clock.ts';
import type { Sender } from '../collectors/authenticate.ts';
import type { Db } from '../storage/database.ts';
import type { WakeUps } from '../storage/wake-ups/port.ts';
import { listCalled, takeInstructions } from './hand-over.ts';
import type { Instruction } from './instruction.ts';
import { COMMANDS } from './open-commands.ts';

/** Collectors that wait for instructions. */
export interface CommandCalls {
  /**
   * The instructions due for a collector, at the latest after `waitMs`; none then. A collector waits once: a later call ends the earlier
   * one. `isGone`: nobody would receive them any more. Throws notAuthenticated, collectorRefused.
   */
  take(sender: Sender, waitMs: number, isGone: () => boolean): Promise<readonly Instruction[]>;
  /** Ends all waiting. */
  close(): void;
}

export interface CommandCallDeps {
  readonly db: Db;
  readonly clock: Clock;
  /** Without them, those who wait look once a second. */
  readonly wakeUps?: Pick<WakeUps, 'on'> | undefined;
}

/** Between looks without a wake-up: what is handed over again, or read back once more, is due by time alone. */
const LOOK_MS = 1_000;

/** All that wait in one process look together: whatever wakes them, it is one query. */
export function createCommandCalls({ db, clock, wakeUps }: CommandCallDeps): CommandCalls {
  const waiting = new Map<string, (isCalled: boolean) => void>();
  const state = { looking: false, again: false, closed: false };
  let timer: NodeJS.Timeout | undefined;
  let sleepOn: (() => void) | undefined;

  async function look(): Promise<void> {
    if (state.looking) return void (state.again = true);
    state.looking = true;
    do {
      state.again = false;
      // Whoever cannot be looked for now waits for the next look.
      const collectorIds = waiting.size === 0 ? new Set<string>() : await listCalled(db, clock.now()).catch(() => new Set<string>());
      for (const collectorId of collectorIds) waiting.get(collectorId)?.(true);
    } while (state.again);
    state.looking = false;
  }

  function rest(): void {
    clearInterval(timer);
    sleepOn?.();
    [timer, sleepOn] = [undefined, undefined];
  }

  /** Resolves to whether something may be due; false when somebody else waits for the collector, or the time is over. */
  async function called(collectorId: string, waitMs: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    waiting.get(collectorId)?.(false);
    waiting.set(collectorId, resolve);
    timer ??= setInterval(() => void look(), LOOK_MS).unref();
    sleepOn ??= wakeUps?.on(COMMANDS, () => void look());
    const over = setTimeout(resolve, waitMs, false);
    // What was queued between the first look and now.
    void look();
    const isCalled = await promise;
    clearTimeout(over);
    if (waiting.get(collectorId) === resolve) waiting.delete(collectorId);
    if (waiting.size === 0) rest();
    return isCalled;
  }

  return {
    async take(sender, waitMs, isGone) {
      const first = await takeInstructions({ db, clock }, sender);
      if (first.length > 0 || waitMs === 0 || state.closed) return first;
      return (await called(sender.collectorId, waitMs)) && !isGone() ? takeInstructions({ db, clock }, sender) : [];
    },
    close() {
      state.closed = true;
      for (const end of waiting.values()) end(false);
    },
  };
}
