import type { Clock, Pause } from '@helioport/sdk';
import type { Collector } from './collector.ts';
import { inventoryOf } from './inventory.ts';
import { STEP_MS, type Plant } from './plant.ts';
import { readingsOf, type Reading } from './readings.ts';

/** A plant and the collector that reports for it. */
export interface ReportingPlant {
  plant: Plant;
  collector: Collector;
}

export interface Backfill {
  accepted: number;
  duplicate: number;
  refused: number;
}

const BATCH_READINGS = 1000;

/**
 * Reports everything from `fromAt` to `untilAt`. The plants take turns, batch by batch, so that their histories grow together.
 * The first batch of each plant also describes its inverters. States before `fromAt` are simulated, but not reported.
 */
export async function backfill(
  plants: readonly ReportingPlant[],
  fromAt: number,
  untilAt: number,
  onBatch: (sum: Backfill) => void = () => {},
): Promise<Backfill> {
  const sum: Backfill = { accepted: 0, duplicate: 0, refused: 0 };
  const queue = plants.map(({ plant, collector }) => ({ collector, devices: inventoryOf(plant.specification), batches: batchesOf(plant, fromAt, untilAt) }));
  for (let entry = queue.shift(); entry !== undefined; entry = queue.shift()) {
    const { value } = entry.batches.next();
    if (value === undefined) continue;
    const { accepted, duplicate, refused } = await entry.collector.report(value, entry.devices);
    entry.devices = [];
    sum.accepted += accepted;
    sum.duplicate += duplicate;
    sum.refused += refused.length;
    onBatch(sum);
    queue.push(entry);
  }
  return sum;
}

function* batchesOf(plant: Plant, fromAt: number, untilAt: number): Generator<Reading[], void, undefined> {
  let batch: Reading[] = [];
  for (const state of plant.advance(untilAt)) {
    if (state.at < fromAt) continue;
    batch.push(...readingsOf(plant.specification, state));
    if (batch.length >= BATCH_READINGS) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

export interface LiveSurroundings {
  clock: Clock;
  pause: Pause;
  signal: AbortSignal;
  stepMs?: number;
  /** States before this time are not reported. */
  fromAt?: number;
  /** Called when everything up to `untilAt` has been acknowledged. */
  onReported?: (untilAt: number, sum: Backfill) => void;
}

/** Reports each step at its time, until the signal aborts; missed steps are reported later. */
export async function reportLive(plants: readonly ReportingPlant[], surroundings: LiveSurroundings): Promise<void> {
  const { clock, pause, signal, stepMs = STEP_MS, fromAt = -Infinity, onReported } = surroundings;
  try {
    for (;;) {
      const untilAt = clock.now();
      const sum = await backfill(plants, fromAt, untilAt);
      onReported?.(untilAt, sum);
      await pause(stepMs - (clock.now() % stepMs), signal);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
