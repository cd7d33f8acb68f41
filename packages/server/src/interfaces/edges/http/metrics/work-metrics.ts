import { Counter, Gauge, type Registry } from 'prom-client';
import type { Queue } from '../../../../platform/work/queue.ts';

/** Metrics of the background work of all instances, read when scraped. */
export function registerWorkMetrics(
  registry: Registry,
  readQueues: () => Promise<readonly Queue[]>,
): { onAbandoned(kind: string): void } {
  const registers = [registry];
  const gauge = (name: string, help: string, read: (queue: Queue) => number): void => {
    const made: Gauge<'kind'> = new Gauge({
      name,
      help,
      labelNames: ['kind'],
      registers,
      // Every process reads the same.
      aggregator: 'max',
      async collect() {
        // While the database is unavailable, the other metrics are needed most, so this one must not fail.
        const queues = await readQueues().catch(() => []);
        made.reset();
        for (const queue of queues) made.labels(queue.kind).set(read(queue));
      },
    });
  };
  gauge(
    'helioport_work_due',
    'Work that is due and not yet started, on all instances, by kind',
    ({ due }) => due,
  );
  gauge('helioport_work_running', 'Runs on all instances, by kind', ({ running }) => running);
  gauge(
    'helioport_work_oldest_due_seconds',
    'How long the oldest due work has been waiting, by kind',
    ({ oldestDueSeconds }) => oldestDueSeconds,
  );
  const abandoned = new Counter({
    name: 'helioport_work_abandoned_total',
    help: 'Runs of this instance that took longer than their lane allows, by kind',
    labelNames: ['kind'],
    registers,
  });
  return { onAbandoned: (kind) => abandoned.labels(kind).inc() };
}
