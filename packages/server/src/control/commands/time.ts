import type { Clock } from '../../platform/kernel/clock.ts';
import { inTransaction } from '../../platform/storage/transaction.ts';
import type { Db } from '../../platform/storage/database.ts';
import type { Handler } from '../../platform/work/lane.ts';
import { timeOf } from './life-cycle.ts';
import { lockCommands } from './open-commands.ts';

/**
 * Ends commands whose time is up, even if no collector calls any more. A run needs no lease: under the lock of the device, it may be repeated. With
 * a lease, it would lock its task before the device, while commands are queued in the opposite order.
 */
export const createCommandTime = ({
  db,
  clock,
}: {
  readonly db: Db;
  readonly clock: Clock;
}): Handler => ({
  async run({ key }) {
    const commanded = await inTransaction(db, (trx) => lockCommands(trx, key, clock.now()));
    const times = commanded?.commands.map(timeOf) ?? [];
    return times.length > 0 ? { dueAt: Math.min(...times) } : undefined;
  },
});
