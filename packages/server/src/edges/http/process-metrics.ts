import { monitorEventLoopDelay } from 'node:perf_hooks';
import process from 'node:process';
import { Gauge, type Registry } from 'prom-client';

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
  const gauge = (name: string, help: string, read: () => number): void => {
    const registers = [registry];
    const made: Gauge = new Gauge({ name, help, registers, collect: () => made.set(read()) });
  };
  let before = performance.eventLoopUtilization();
  gauge('process_resident_memory_bytes', 'Resident memory', () => process.memoryUsage.rss());
  gauge('nodejs_heap_used_bytes', 'Memory of JavaScript objects', () => process.memoryUsage().heapUsed);
  gauge('process_cpu_seconds_total', 'CPU time since the start', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000_000;
  });
  gauge('process_start_time_seconds', 'Start of the process, Unix time', () => performance.timeOrigin / 1000);
  gauge('nodejs_eventloop_utilization', 'Share of time that the event loop was busy since the last scrape, 0 to 1', () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  });
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  // A sample is the time between two ticks, which is one whole interval even without any delay.
  const lateSeconds = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1000);
  gauge('nodejs_eventloop_delay_p99_seconds', 'Delay of the event loop since the last scrape, 99th percentile', () => lateSeconds(delay.percentile(99)));
  gauge('nodejs_eventloop_delay_max_seconds', 'Longest delay of the event loop since the last scrape', () => {
    const longest = lateSeconds(delay.max);
    delay.reset();
    return longest;
  });
  const info = new Gauge({ name: 'helioport_info', help: 'Version and engine', labelNames: ['version', 'node', 'engine'], registers: [registry] });
  info.labels(version, process.versions.node, engine).set(1);
}
