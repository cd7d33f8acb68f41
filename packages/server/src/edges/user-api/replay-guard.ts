import { isTaken, onceBy, sweepMarks, takeMark, type Once, type OnceMark } from '../../accounts/once.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/failure.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Db } from '../../storage/database.ts';

/** Which signed requests count once. Two honest polls in one second carry one signature, so reads are free unless told otherwise. */
export type ReplayGuardMode = 'off' | 'writes' | 'all';

export interface ReplayGuard {
  /** Throws replayed. A write gets what it has to do in its transaction; a read is taken at once. */
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

/** The digests live in the database: a restart forgets none, and all instances know them. */
export function createReplayGuard({ db, clock, logger, mode }: ReplayGuardDeps): ReplayGuard {
  let sweptAt = 0;

  // Once a minute beside the request that noticed; a long backlog goes in several turns.
  function sweep(): void {
    const now = clock.now();
    if (Math.abs(now - sweptAt) < SWEEP_INTERVAL_MS) return;
    sweptAt = now;
    sweepMarks(db, now, SWEPT_AT_MOST).then(
      (swept) => {
        if (swept === SWEPT_AT_MOST) sweptAt = 0;
      },
      (error: Error) => logger.debug({ reason: error.message }, 'expired signatures could not be swept'),
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
