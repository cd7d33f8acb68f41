import type { Clock } from '../../kernel/clock.ts';
import { withTimeout } from '../../kernel/within.ts';
import type { Db } from '../database.ts';
import { findValue } from '../installation/values.ts';

/** The pause between two attempts: while they succeed, and while they fail. */
const EVERY_MS = 3_000;
const AGAIN_MS = 250;

/** A database that takes longer to write one row is as good as unavailable. */
const LIMIT_MS = 3_000;

const NAME = 'lastTrialWrite';

interface TrialDeps {
  readonly db: Db;
  readonly clock: Clock;
  /** Called for each write once it is durable. */
  onWritten?(at: number): void;
}

export interface TrialWrites {
  /** Whether the last write was stored in time. */
  readonly succeed: boolean;
  /** Resolves after the first attempt to write. */
  start(): Promise<void>;
  stop(): void;
}

/**
 * Writes one row every few seconds, because only a write detects every fault: connections may
 * be dead while new ones work, the database may have become read-only, or its disk may be full.
 */
export function createTrialWrites({ db, clock, onWritten }: TrialDeps): TrialWrites {
  const state = { stopped: false, succeed: false };
  let timer: NodeJS.Timeout | undefined;
  let lastAt = 0;

  async function attempt(): Promise<void> {
    const written = write(db, (lastAt = Math.max(clock.now(), lastAt + 1))).then(
      () => true,
      () => false,
    );
    state.succeed = (await withTimeout(LIMIT_MS, written)) ?? false;
    if (state.succeed) onWritten?.(lastAt);
    // There is only one attempt at a time, because one that hangs holds a connection.
    void written.then(() => {
      if (!state.stopped)
        timer = setTimeout(() => void attempt(), state.succeed ? EVERY_MS : AGAIN_MS).unref();
    });
  }

  return {
    get succeed() {
      return state.succeed;
    },
    start: attempt,
    stop() {
      state.stopped = true;
      clearTimeout(timer);
    },
  };
}

/** The latest time that a trial write has stored; undefined if there was none. */
export async function findLastTrialWrite(db: Db): Promise<number | undefined> {
  const value = await findValue(db, NAME);
  return value && Number(Buffer.from(value).readBigUInt64BE());
}

/** Whether an instance is running: its trial writes are seen within this time. */
const SEEN_WITHIN_MS = EVERY_MS + LIMIT_MS + 1_000;
const LOOK_EVERY_MS = 250;

/** Whether any instance of the installation is running. Takes some seconds if none is. */
export async function isAnyRunning(
  db: Db,
  pause: (ms: number) => Promise<unknown>,
): Promise<boolean> {
  const before = await findLastTrialWrite(db);
  for (let waitedMs = 0; waitedMs < SEEN_WITHIN_MS; waitedMs += LOOK_EVERY_MS) {
    await pause(LOOK_EVERY_MS);
    if ((await findLastTrialWrite(db)) !== before) return true;
  }
  return false;
}

// The stored time never goes back, even if a clock does: everything stored up to this time must be in the database.
async function write(db: Db, at: number): Promise<void> {
  const value = Buffer.alloc(8);
  value.writeBigUInt64BE(BigInt(at));
  await db
    .insertInto('installation')
    .values({ name: NAME, value })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((eb) => ({
        value: eb
          .case()
          .when('installation.value', '<', value)
          .then(value)
          .else(eb.ref('installation.value'))
          .end(),
      })),
    )
    .execute();
}
