import {
  isTaken,
  onceBy,
  sweepMarks,
  takeMark,
  type Once,
  type OnceMark,
} from '../../../identity/accounts/once.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { Failure } from '../../../platform/kernel/failure.ts';
import type { Logger } from '../../../platform/kernel/logger.ts';
import type { Db } from '../../../platform/storage/database.ts';

/**
 * Which signed requests are accepted only once. Two legitimate polls within one second have the same signature, so reads may be
 * repeated unless the setting is `all`.
 */
export type ReplayGuardMode = 'off' | 'writes' | 'all';

export interface ReplayGuard {
  /** Admits a signed request, or throws replayed. For a write, returns what must be done in its transaction; for a read, claims the mark at once. */
  admit(mark: OnceMark, write: boolean): Promise<Once | undefined>;
}

const SWEEP_INTERVAL_MS = 60_000;
const SWEPT_AT_MOST = 1000;

interface ReplayGuardDeps {
  db: Db;
  clock: Clock;
  logger: Logger;
  mode: ReplayGuardMode;
}

/** Keeps the digests in the database, so that none is forgotten in a restart and all instances know them. */
export function createReplayGuard({ db, clock, logger, mode }: ReplayGuardDeps): ReplayGuard {
  let sweptAt = 0;

  // Runs at most once a minute, alongside the request that triggers it; a long backlog takes several rounds.
  function sweep(): void {
    const now = clock.now();
    if (Math.abs(now - sweptAt) < SWEEP_INTERVAL_MS) return;
    sweptAt = now;
    sweepMarks(db, now, SWEPT_AT_MOST).then(
      (swept) => {
        if (swept === SWEPT_AT_MOST) sweptAt = 0;
      },
      (error: Error) =>
        logger.debug({ reason: error.message }, 'expired signatures could not be swept'),
    );
  }

  return {
    async admit(mark, write) {
      if (mode === 'off' || (mode === 'writes' && !write)) return undefined;
      sweep();
      if (!write) {
        await takeMark(db, mark);
        return undefined;
      }
      if (await isTaken(db, mark)) throw new Failure('replayed');
      return onceBy(mark);
    },
  };
}
