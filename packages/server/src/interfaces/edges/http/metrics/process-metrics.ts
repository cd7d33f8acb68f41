import { monitorEventLoopDelay } from 'node:perf_hooks';
import process from 'node:process';
import { Counter, Gauge, type Aggregator, type Registry } from 'prom-client';

interface Facts {
  readonly version: string;
  readonly engine: string;
}

/** How often the delay of the event loop is sampled, outside of JavaScript. */
const RESOLUTION_MS = 20;

/**
 * Metrics of the process, read when scraped. prom-client's default metrics keep a timer of 10 ms and an observer of garbage collections running;
 * these metrics cost next to nothing between two scrapes.
 */
export function registerProcessMetrics(registry: Registry, { version, engine }: Facts): void {
  // `aggregator`: what becomes of the figures of several processes.
  const gauge = (
    name: string,
    help: string,
    read: () => number,
    aggregator: Aggregator = 'sum',
  ): void => {
    const registers = [registry];
    const made: Gauge = new Gauge({
      name,
      help,
      registers,
      aggregator,
      collect: () => made.set(read()),
    });
  };
  let before = performance.eventLoopUtilization();
  gauge('process_resident_memory_bytes', 'Resident memory', () => process.memoryUsage.rss());
  gauge(
    'nodejs_heap_used_bytes',
    'Memory of JavaScript objects',
    () => process.memoryUsage().heapUsed,
  );
  const cpu: Counter = new Counter({
    name: 'process_cpu_seconds_total',
    help: 'CPU time since the start',
    registers: [registry],
    collect: () => {
      const { user, system } = process.cpuUsage();
      cpu.reset();
      cpu.inc((user + system) / 1_000_000);
    },
  });
  gauge(
    'process_start_time_seconds',
    'Start of the process, Unix time',
    () => performance.timeOrigin / 1000,
    'min',
  );
  const utilization = (): number => {
    const now = performance.eventLoopUtilization();
    const since = performance.eventLoopUtilization(now, before);
    before = now;
    return since.utilization;
  };
  gauge(
    'nodejs_eventloop_utilization',
    'Share of time that the event loop was busy since the last scrape, 0 to 1; of several processes, the busiest',
    utilization,
    'max',
  );
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  // A sample is the time between two ticks, which is one whole interval even without any delay.
  const lateSeconds = (nanoseconds: number): number =>
    Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1000);
  gauge(
    'nodejs_eventloop_delay_p99_seconds',
    'Delay of the event loop since the last scrape, 99th percentile',
    () => lateSeconds(delay.percentile(99)),
    'max',
  );
  const longestDelay = (): number => {
    const longest = lateSeconds(delay.max);
    delay.reset();
    return longest;
  };
  gauge(
    'nodejs_eventloop_delay_max_seconds',
    'Longest delay of the event loop since the last scrape',
    longestDelay,
    'max',
  );
  const info = new Gauge({
    name: 'helioport_info',
    help: 'Version and engine',
    labelNames: ['version', 'node', 'engine'],
    registers: [registry],
    aggregator: 'first',
  });
  info.labels(version, process.versions.node, engine).set(1);
}
