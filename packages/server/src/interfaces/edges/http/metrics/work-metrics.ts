import type { Registry } from 'prom-client';
import type { Queue } from '../../../../platform/work/queue.ts';
import { declareCounter, declareGauge } from './declared.ts';
import { sharedReading } from './shared-reading.ts';

/** Metrics of the background work of all instances, read when scraped. */
export function registerWorkMetrics(
  registry: Registry,
  readQueues: () => Promise<readonly Queue[]>,
): { onAbandoned(kind: string): void; onFailed(kind: string): void } {
  // While the database is unavailable, the other metrics are needed most, so these must not fail.
  const queues = sharedReading(() => readQueues().catch(() => []));
  const gauge = (
    name: Parameters<typeof declareGauge>[1],
    read: (queue: Queue) => number,
  ): void => {
    declareGauge(registry, name, async (made) => {
      const all = await queues();
      made.reset();
      for (const queue of all) made.labels(queue.kind).set(read(queue));
    });
  };
  gauge('helioport_work_due', ({ due }) => due);
  gauge('helioport_work_running', ({ running }) => running);
  gauge('helioport_work_oldest_due_seconds', ({ oldestDueSeconds }) => oldestDueSeconds);
  const abandoned = declareCounter(registry, 'helioport_work_abandoned_total');
  const failed = declareCounter(registry, 'helioport_work_failed_total');
  return {
    onAbandoned: (kind) => abandoned.labels(kind).inc(),
    onFailed: (kind) => failed.labels(kind).inc(),
  };
}
