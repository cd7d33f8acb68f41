import type { Clock } from '../../platform/kernel/clock.ts';
import { createTokenBuckets } from '../../platform/kernel/token-buckets.ts';
import type { Db } from '../../platform/storage/database.ts';
import { countRefusals, type RefusedRequest } from './application-refusals.ts';

/** Records an application's refusals for its developer and the operator to read. */
export interface RefusalCounts {
  count(refusal: RefusedRequest): Promise<void>;
}

// Anybody can trigger refusals for any application, and each would be a write that others wait for.
const WRITES_AT_ONCE = 20;
const WRITES_PER_SECOND = 0.1;

/** Writes the first refusals of a kind at once, and later ones together, at most once every ten seconds. */
export function createRefusalCounts({ db, clock }: { db: Db; clock: Clock }): RefusalCounts {
  const writes = createTokenBuckets({
    clock,
    capacity: WRITES_AT_ONCE,
    refillPerSecond: WRITES_PER_SECOND,
  });
  // Number of refusals not yet written, by application, endpoint and reason, like the rows of the table.
  const unwritten = new Map<string, number>();
  return {
    async count(refusal) {
      const kind = `${refusal.applicationId} ${refusal.endpoint} ${refusal.reason}`;
      const count = (unwritten.get(kind) ?? 0) + 1;
      if (!writes.take(kind).granted) return void unwritten.set(kind, count);
      unwritten.delete(kind);
      await countRefusals(db, clock.now(), { ...refusal, count });
    },
  };
}
