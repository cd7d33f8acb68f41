import { randomUUID } from 'node:crypto';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Db } from '../storage/database.ts';
import type { WakeUps } from '../storage/wake-ups/port.ts';
import { ensureTasks, WORK } from './arm.ts';
import { createBell } from './bell.ts';
import { claimTasks, listDueKinds, type Claim } from './claim.ts';
import type { Lanes } from './lane.ts';
import { mendTasks } from './mend.ts';
import { beginRun, type ActiveRun } from './run.ts';

/** Runs the tasks that are due, each kind in its lane. Instances share the work. */
export interface Runner {
  /** Creates the periodic tasks and, from now on, runs what is due. */
  start(): Promise<void>;
  /** Starts no more tasks; resolves when the current runs have ended or were abandoned. */
  stop(): Promise<void>;
  /** Runs everything that is due by the clock, one task after the other; resolves to the number of runs. */
  runDue(): Promise<number>;
}

export interface RunnerDependencies {
  readonly db: Db;
  /** With several instances, the clock of their database (storage/database-clock.ts); refreshed at each pause. */
  readonly clock: Clock & { refresh?(): Promise<void> };
  readonly logger: Pick<Logger, 'error' | 'warn'>;
  readonly lanes: Lanes;
  /** Without it, work is found only by polling. */
  readonly wakeUps?: Pick<WakeUps, 'on'>;
  /** Called for each run that took longer than its lane allows. */
  onAbandoned?(kind: string): void;
  /** Called for each run that failed and will be tried again. */
  onFailed?(kind: string): void;
  /** Pause between polls if nothing wakes the runner, and between renewals, in milliseconds. */
  readonly pollMs?: number;
}

const POLL_MS = 1_000;

export function createRunner({
  db,
  clock,
  logger,
  lanes,
  wakeUps,
  onAbandoned,
  onFailed = () => {},
  pollMs = POLL_MS,
}: RunnerDependencies): Runner {
  const kinds = Object.keys(lanes);
  const runs = new Set<ActiveRun>();
  const abandoned = new WeakSet<ActiveRun>();
  const bell = createBell();
  const keeperBell = createBell();
  const state = { stopped: true, looking: false, claims: 0 };
  // Identifies the claims of this instance.
  const instance = randomUUID();
  let loops: Promise<unknown> | undefined;
  let sleepOn = (): void => {};

  async function makeKnown(): Promise<void> {
    await clock.refresh?.();
    const periodic = Object.entries(lanes).filter(
      ([, { everySeconds }]) => everySeconds !== undefined,
    );
    await ensureTasks(
      db,
      periodic.flatMap(([kind, { keys = [''] }]) => keys.map((key) => ({ kind, key }))),
      clock.now(),
    );
  }

  const freeSlotsOf = (kind: string): number =>
    lanes[kind]!.runsAtOnce -
    runs
      .values()
      .filter(({ claim }) => claim.kind === kind)
      .toArray().length;

  const claim = (kind: string, limit: number): Promise<Claim[]> =>
    claimTasks(db, clock, { kind, claimedBy: `${instance}/${++state.claims}`, limit });

  const begin = (task: Claim): ActiveRun =>
    beginRun({ db, clock, logger, onFailed }, lanes[task.kind]!, task);

  /** Starts what is due while slots are free; resolves to whether it started anything. */
  async function look(): Promise<boolean> {
    const open = kinds.filter((kind) => freeSlotsOf(kind) > 0);
    let started = false;
    for (const kind of await listDueKinds(db, open, clock.now())) {
      for (const task of await claim(kind, freeSlotsOf(kind))) {
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
      const more = await look().catch((err: unknown) =>
        logger.warn({ err }, 'could not look for work'),
      );
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
      logger.error(
        { work: kind, key, failures: failures + 1, limitSeconds: lanes[kind]!.limitSeconds },
        'a run took too long and was abandoned',
      );
      onAbandoned?.(kind);
      // The slot is freed only then: this instance must not claim the task again until it is rescheduled.
      void run.abandon().then(() => leave(run));
    }
  }

  /** Renews leases, ends runs that take too long, and corrects tasks that a clock running ahead had postponed. */
  async function keep(): Promise<void> {
    abandonOverdue();
    await clock.refresh?.();
    await Promise.all(runs.values().map((run) => run.renew()));
    await mendTasks(db, lanes, clock);
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
      await mendTasks(db, lanes, clock);
      let done = 0;
      for (let tasks: Claim[] = []; ; done += tasks.length) {
        tasks = [];
        for (const kind of await listDueKinds(db, kinds, clock.now()))
          tasks.push(...(await claim(kind, lanes[kind]!.runsAtOnce)));
        if (tasks.length === 0) return done;
        for (const task of tasks) await begin(task).ended;
      }
    },
  };
}
