import { monitorEventLoopDelay } from 'node:perf_hooks';
import process from 'node:process';
import type { Registry } from 'prom-client';
import { declareCounter, declareGauge } from './declared.ts';

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
  const gauge = (name: Parameters<typeof declareGauge>[1], read: () => number): void =>
    void declareGauge(registry, name, (made) => made.set(read()));
  let before = performance.eventLoopUtilization();
  gauge('process_resident_memory_bytes', () => process.memoryUsage.rss());
  gauge('nodejs_heap_used_bytes', () => process.memoryUsage().heapUsed);
  declareCounter(registry, 'process_cpu_seconds_total', (made) => {
    const { user, system } = process.cpuUsage();
    made.reset();
    made.inc((user + system) / 1_000_000);
  });
  gauge('process_start_time_seconds', () => performance.timeOrigin / 1000);
  gauge('nodejs_eventloop_utilization', () => {
    const now = performance.eventLoopUtilization();
    const since = performance.eventLoopUtilization(now, before);
    before = now;
    return since.utilization;
  });
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  // A sample is the time between two ticks, which is one whole interval even without any delay.
  const lateSeconds = (nanoseconds: number): number =>
    Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1000);
  gauge('nodejs_eventloop_delay_p99_seconds', () => lateSeconds(delay.percentile(99)));
  gauge('nodejs_eventloop_delay_max_seconds', () => {
    const longest = lateSeconds(delay.max);
    delay.reset();
    return longest;
  });
  declareGauge(registry, 'helioport_info').labels(version, process.versions.node, engine).set(1);
}
