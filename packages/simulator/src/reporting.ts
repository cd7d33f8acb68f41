import { merged, type Clock, type Pause, type Report } from '@helioport/collector';
import { STEP_MS } from './plant.ts';
import type { Site, SiteReport } from './site.ts';

export interface Backfill {
  accepted: number;
  duplicate: number;
  refused: number;
}

/** This many values fit into the 1 MiB that a message over MQTT may have. */
const BATCH_VALUES = 20_000;

/**
 * Delivers all states from `fromAt` to `untilAt`. The sites take turns, batch by batch, so that their histories grow together. States
 * before `fromAt` are simulated, but not reported. Rejects with NotAccepted, or with the signal's reason.
 */
export async function backfill(
  sites: readonly Site[],
  fromAt: number,
  untilAt: number,
  {
    signal,
    onBatch = () => {},
  }: { readonly signal?: AbortSignal; readonly onBatch?: (sum: Backfill) => void } = {},
): Promise<Backfill> {
  const sum: Backfill = { accepted: 0, duplicate: 0, refused: 0 };
  const queue = sites.map((site) => ({ site, batches: batchesOf(site.reports(untilAt, fromAt)) }));
  for (let entry = queue.shift(); entry !== undefined; entry = queue.shift()) {
    const { value } = entry.batches.next();
    if (value === undefined) continue;
    const { accepted, duplicate, refused } = await entry.site.collector.deliver(value, { signal });
    sum.accepted += accepted;
    sum.duplicate += duplicate;
    sum.refused += refused.length;
    onBatch(sum);
    queue.push(entry);
  }
  return sum;
}

/** Reports of many values each. */
function* batchesOf(reports: Iterable<SiteReport>): Generator<Report, void, undefined> {
  let batch: Report[] = [];
  let amount = 0;
  for (const { at: _, ...report } of reports) {
    batch.push(report);
    amount += report.readings.reduce((sum, { values }) => sum + Object.keys(values).length, 0);
    if (amount >= BATCH_VALUES) {
      yield merged(batch);
      [batch, amount] = [[], 0];
    }
  }
  if (batch.length > 0) yield merged(batch);
}

export interface LiveSurroundings {
  readonly clock: Clock;
  readonly pause: Pause;
  readonly signal: AbortSignal;
  readonly stepMs?: number;
  /** States before this time are not reported. */
  readonly fromAt?: number;
  /** Called when everything up to `untilAt` has been delivered. */
  readonly onReported?: (untilAt: number) => void;
}

/**
 * Reports each step at its time, until the signal aborts. Steps missing at the beginning are delivered first. From then on, a collector
 * that cannot deliver keeps its reports, while the others continue. Rejects with NotAccepted.
 */
export async function reportLive(
  sites: readonly Site[],
  surroundings: LiveSurroundings,
): Promise<void> {
  const {
    clock,
    pause,
    signal,
    stepMs = STEP_MS,
    fromAt = -Infinity,
    onReported = () => {},
  } = surroundings;
  try {
    let untilAt = clock.now();
    await backfill(sites, fromAt, untilAt, { signal });
    onReported(untilAt);
    for (;;) {
      await pause(stepMs - (clock.now() % stepMs), signal);
      untilAt = clock.now();
      for (const site of sites)
        for (const report of batchesOf(site.reports(untilAt, fromAt)))
          site.collector.report(report);
      const reportedAt = untilAt;
      void Promise.all(sites.map(({ collector }) => collector.whenDelivered())).then(() =>
        onReported(reportedAt),
      );
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
