import cluster from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import { Registry } from 'prom-client';
import type { App } from '../app.ts';
import type { Config } from '../platform/config/load.ts';
import { linksBeside } from '../interfaces/edges/http/front.ts';
import { declareCounter, declareGauge } from '../interfaces/edges/http/metrics/declared.ts';
import { registerProcessMetrics } from '../interfaces/edges/http/metrics/process-metrics.ts';
import {
  listenAll,
  StartFault,
  type Addresses,
  type Part,
} from '../interfaces/edges/listeners/listener.ts';
import { createOps } from '../interfaces/edges/listeners/ops.ts';
import type { Clock } from '../platform/kernel/clock.ts';
import type { Logger } from '../platform/kernel/logger.ts';
import { VERSION } from '../platform/kernel/version.ts';
import { within } from '../platform/kernel/within.ts';
import { createBucketDesk } from './bucket-desk.ts';
import { startChild, type Child } from './child.ts';
import type { Upward } from './messages.ts';
import { createMetricsSum, type Metrics } from './metrics-sum.ts';

export interface PrimaryOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Several processes at the same ports. */
export interface Processes extends App {
  /** Tells every process, also those that are started later. */
  announce(value: unknown): void;
}

/** How long a process may take to stop: as long as it takes if everything in it hangs (app.ts). */
const STOP_LIMIT_MS = 10_000;

/** A process that served for less time than this is started again only after a pause, which doubles each time. */
const SETTLED_MS = 10_000;
const FIRST_PAUSE_MS = 500;
const PAUSE_AT_MOST_MS = 30_000;

/**
 * Serves the ports from several processes (docs/adr/0054). This one only supervises: it hands out connections in turn, keeps what all count together, starts
 * again what ends, and answers for the health of all.
 */
export function createProcesses({ config, clock, logger }: PrimaryOptions): Processes {
  const children = new Set<Child>();
  const stopping = new AbortController();
  const desk = createBucketDesk(clock);
  const sum = createMetricsSum();
  const kept: Promise<void>[] = [];
  let announced: { readonly value: unknown } | undefined;
  let serving = false;

  const own = new Registry();
  registerProcessMetrics(own, {
    version: VERSION,
    engine: config.databaseUrl === null ? 'sqlite' : 'postgres',
  });
  declareGauge(own, 'helioport_processes', (made) => made.set(servingNow().length));
  const ends = declareCounter(own, 'helioport_process_ends_total');

  const servingNow = (): Child[] => [...children].filter(({ isServing }) => isServing);

  function begin(): Child {
    const child: Child = startChild((message) => take(child, message));
    children.add(child);
    void child.started.then(
      () => announced && child.send({ kind: 'announced', ...announced }),
      () => {},
    );
    void child.ended.then(() => {
      children.delete(child);
      sum.ended(child.pid);
    });
    return child;
  }

  function take(child: Child, message: Upward): void {
    switch (message.kind) {
      case 'open':
        return desk.open(message.name, message.rate);
      case 'ask': {
        const allowances = desk.answer(message.questions);
        return allowances.length > 0 ? child.send({ kind: 'allowances', allowances }) : undefined;
      }
      case 'tell':
        for (const other of children) if (other !== child) other.send(message);
    }
  }

  /** Starts another process each time that one has ended. */
  async function keepUp(first: Child): Promise<void> {
    let pauseMs = 0;
    for (let child = first; ; child = begin()) {
      const begunAt = clock.now();
      const how = await child.ended;
      if (stopping.signal.aborted) return;
      ends.inc();
      pauseMs =
        clock.now() - begunAt >= SETTLED_MS
          ? 0
          : Math.min(PAUSE_AT_MOST_MS, pauseMs === 0 ? FIRST_PAUSE_MS : 2 * pauseMs);
      logger.error({ pid: child.pid, how, pauseMs }, 'a process ended, and another is started');
      await pause(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
    }
  }

  /** Ready as soon as one of them is: those that are not get no connections. */
  async function isReady(): Promise<boolean> {
    if (!serving) return false;
    const answers = servingNow().map(
      async (child) =>
        (await child.ask('isReady')) === true || Promise.reject(new Error('not ready')),
    );
    return Promise.any(answers).catch(() => false);
  }

  async function ailments(): Promise<readonly string[]> {
    const answers = await Promise.all(servingNow().map((child) => child.ask('ailments')));
    return [...new Set(answers.flatMap((all) => (all ?? []) as readonly string[]))];
  }

  async function metrics(): Promise<string> {
    const [mine] = await Promise.all([
      own.getMetricsAsJSON(),
      ...servingNow().map(async (child) => {
        const its = await child.ask('metrics');
        if (its) sum.take(child.pid, its as Metrics);
      }),
    ]);
    sum.take(process.pid, mine);
    return sum.sum().metrics();
  }

  const elsewhere = linksBeside('ops', config.roles, config);
  const ops: Part = {
    name: 'ops',
    setting: 'opsPort',
    listener: createOps({
      isReady,
      ailments,
      metrics: { contentType: own.contentType, metrics },
      elsewhere,
    }),
  };

  async function start(): Promise<Addresses> {
    const health = await listenAll([ops], config);
    // Not by the operating system, which lets a few processes accept most connections.
    cluster.schedulingPolicy = cluster.SCHED_RR;
    const first = begin();
    // It brings the database up to date, and says what is wrong with the settings, once for all.
    const addresses = await first.started.catch(refuse);
    const all = [first, ...Array.from({ length: config.processes - 1 }, begin)];
    await Promise.all(all.map(({ started }) => started)).catch(refuse);
    serving = true;
    kept.push(...all.map(keepUp));
    return { ...addresses, ...health };
  }

  async function stop(): Promise<void> {
    serving = false;
    stopping.abort();
    const running = [...children];
    // One that does not serve yet has nothing to answer, and may not listen yet.
    for (const child of running) {
      if (child.isServing) child.send({ kind: 'stop' });
      else child.kill();
    }
    await within(config.stopGrace + STOP_LIMIT_MS, Promise.all(running.map(({ ended }) => ended)));
    for (const child of children) child.kill();
    await Promise.all([...kept, ...running.map(({ ended }) => ended)]);
    await ops.listener.close();
  }

  return {
    start: () =>
      start().catch(async (error: unknown) => {
        await stop();
        throw error;
      }),
    reload() {
      for (const child of servingNow()) child.send({ kind: 'reload' });
    },
    stop,
    announce(value) {
      announced = { value };
      for (const child of servingNow()) child.send({ kind: 'announced', value });
    },
  };
}

function refuse(error: Error): never {
  throw new StartFault(error.message);
}
