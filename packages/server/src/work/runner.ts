import { randomUUID } from 'node:crypto';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Db } from '../storage/database.ts';
import type { WakeUps } from '../storage/wake-ups/port.ts';
import { ensureTask, WORK } from './arm.ts';
import { createBell } from './bell.ts';
import { claimTasks, listDueKinds, type Claim } from './claim.ts';
import type { Lanes } from './lane.ts';
import { mendTasks } from './mend.ts';
import { beginRun, type ActiveRun } from './run.ts';

/** Runs the tasks that are due, each kind in its lane. Instances share the work. */
export interface Runner {
  /** Makes the periodic tasks known and does what is due from now on. */
  start(): Promise<void>;
  /** Takes up no more tasks and resolves when the runs in hand have ended or were abandoned. */
  stop(): Promise<void>;
  /** Does everything that is due by the clock, one after the other, and says how many runs that took. */
  runDue(): Promise<number>;
}

export interface RunnerDependencies {
  readonly db: Db;
  /** The database's own where there are several instances (storage/database-clock.ts); refreshed at each pause. */
  readonly clock: Clock & { refresh?(): Promise<void> };
  readonly logger: Pick<Logger, 'error' | 'warn'>;
  readonly lanes: Lanes;
  /** Without it work is found by polling alone. */
  readonly wakeUps?: Pick<WakeUps, 'on'>;
  /** Told of each run that took longer than its lane allows. */
  onAbandoned?(kind: string): void;
  /** Pause between two looks when nobody wakes the runner, and between two renewals, in milliseconds. */
  readonly pollMs?: number;
}

const POLL_MS = 1_000;

export function createRunner({ db, clock, logger, lanes, wakeUps, onAbandoned, pollMs = POLL_MS }: RunnerDependencies): Runner {
  const kinds = Object.keys(lanes);
  const runs = new Set<ActiveRun>();
  const abandoned = new WeakSet<ActiveRun>();
  const bell = createBell();
  const keeperBell = createBell();
  const state = { stopped: true, looking: false, claims: 0 };
  // Names the claims of this instance.
  const instance = randomUUID();
  let loops: Promise<unknown> | undefined;
  let sleepOn = (): void => {};

  async function makeKnown(): Promise<void> {
    await clock.refresh?.();
    for (const [kind, { everySeconds, keys = [''] }] of Object.entries(lanes)) {
      if (everySeconds === undefined) continue;
      for (const key of keys) await ensureTask(db, { kind, key }, clock.now());
    }
  }

  const placesOf = (kind: string): number =>
    lanes[kind]!.runsAtOnce -
    runs
      .values()
      .filter(({ claim }) => claim.kind === kind)
      .toArray().length;

  const claim = (kind: string, limit: number): Promise<Claim[]> =>
    claimTasks(db, { kind, now: clock.now(), claimedBy: `${instance}/${++state.claims}`, limit });

  const begin = (task: Claim): ActiveRun => beginRun({ db, clock, logger }, lanes[task.kind]!, task);

  /** Starts what is due, as far as there are places; says whether it started anything. */
  async function look(): Promise<boolean> {
    const open = kinds.filter((kind) => placesOf(kind) > 0);
    let started = false;
    for (const kind of await listDueKinds(db, open, clock.now())) {
      for (const task of await claim(kind, placesOf(kind))) {
        started = true;
        const run = begin(task);
        runs.add(run);
        void run.ended.then(() => leave(run));
      }
    }
    return started;
  }

  function leave(run: ActiveRun): void {
    runs.delete(run);
    bell.ring();
    keeperBell.ring();
  }

  async function lookOn(): Promise<void> {
    while (!state.stopped) {
      const more = await look().catch((err: unknown) => logger.warn({ err }, 'work could not be looked for'));
      if (!more) await bell.wait(pollMs);
    }
    state.looking = false;
    keeperBell.ring();
  }

  function abandonOverdue(): void {
    for (const run of runs) {
      if (abandoned.has(run) || clock.now() < run.endsAt) continue;
      abandoned.add(run);
      const { kind, key, failures } = run.claim;
      logger.error({ work: kind, key, failures: failures + 1, limitSeconds: lanes[kind]!.limitSeconds }, 'a run took too long and was abandoned');
      onAbandoned?.(kind);
      // Only then: its task is not to be claimed again before it was put back.
      void run.abandon().then(() => leave(run));
    }
  }

  /** Keeps leases, ends what takes too long, and puts right what a clock that ran ahead has put off. */
  async function keep(): Promise<void> {
    abandonOverdue();
    await clock.refresh?.();
    await Promise.all(runs.values().map((run) => run.renew()));
    await mendTasks(db, lanes, clock.now());
  }

  async function keepOn(): Promise<void> {
    while (state.looking || runs.size > 0) {
      await keep().catch((err: unknown) => logger.warn({ err }, 'leases could not be renewed'));
      await keeperBell.wait(pollMs);
    }
  }

  return {
    async start() {
      await makeKnown();
      Object.assign(state, { stopped: false, looking: true });
      sleepOn = wakeUps?.on(WORK, bell.ring) ?? sleepOn;
      loops = Promise.all([lookOn(), keepOn()]);
    },
    async stop() {
      state.stopped = true;
      sleepOn();
      bell.ring();
      await loops;
    },
    async runDue() {
      await makeKnown();
      await mendTasks(db, lanes, clock.now());
      let done = 0;
      for (let tasks: Claim[] = []; ; done += tasks.length) {
        tasks = [];
        for (const kind of await listDueKinds(db, kinds, clock.now())) tasks.push(...(await claim(kind, lanes[kind]!.runsAtOnce)));
        if (tasks.length === 0) return done;
        for (const task of tasks) await begin(task).ended;
      }
    },
  };
}
