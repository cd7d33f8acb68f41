import type { Clock } from '../../platform/kernel/clock.ts';
import { inTransaction } from '../../platform/storage/transactions/transaction.ts';
import type { Db } from '../../platform/storage/database.ts';
import type { LaneHandler } from '../../platform/work/lane.ts';
import { endUnsent, isUnsent, timeOf, type Command } from './life-cycle.ts';
import { advance, lockCommands } from './open-commands.ts';
import { whyWithdrawn } from './rights.ts';

/**
 * Ends commands whose time is up or whose requester's access was ended, even if no collector calls any more. A run needs no lease: under the lock of the device, it may be repeated. With
 * a lease, it would lock its task before the device, while commands are queued in the opposite order.
 */
export const createCommandTime = ({
  db,
  clock,
}: {
  readonly db: Db;
  readonly clock: Clock;
}): LaneHandler => ({
  async run({ key }) {
    const times = await inTransaction(db, async (trx) => {
      const now = clock.now();
      const waiting: Command[] = [];
      for (const command of (await lockCommands(trx, key, now)).commands) {
        const reason = isUnsent(command) ? await whyWithdrawn(trx, command) : undefined;
        const end = reason === undefined ? undefined : endUnsent(command, 'refused', now, reason);
        const left = await advance(trx, command, end, now);
        if (left.endedAt === null) waiting.push(left);
      }
      return waiting.map(timeOf);
    });
    return times.length > 0 ? { dueAt: Math.min(...times) } : undefined;
  },
});
