import type { Clock } from '../kernel/clock.ts';
import type { Handler } from '../work/lane.ts';
import { timeOf } from './life-cycle.ts';
import { lockCommands } from './open-commands.ts';

/** Ends commands whose time is over, even if no collector asks any more. */
export const createCommandTime = ({ clock }: { readonly clock: Clock }): Handler => ({
  run: ({ key, finish }) =>
    finish(async (trx) => {
      const commanded = await lockCommands(trx, key, clock.now());
      const times = commanded?.commands.map(timeOf) ?? [];
      return times.length > 0 ? { dueAt: Math.min(...times) } : undefined;
    }),
});
