import { expect } from 'vitest';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import type { createReportingWorld, Installation } from '../telemetry/installation.ts';
import { postReadings } from '../telemetry/post-readings.ts';

const FIRST_AT = Date.parse('2025-06-01T00:00:00Z');
const STEP_MS = 60_000;

/** A collector that reports without a pause and sends again what was not acknowledged. */
export interface Reporter {
  /** How many readings were acknowledged. */
  readonly acknowledged: number;
  /** By performance.now(). */
  readonly lastAcknowledgedAt: number;
  /** Statuses of what was refused. */
  readonly refusals: readonly number[];
  /** Longest answer, in milliseconds. */
  readonly slowestMs: number;
  stop(): Promise<void>;
}

export interface SentReport {
  readonly status: number;
  readonly retryAfter: string | null;
}

const valuesOf = (n: number) => ({ acPowerW: 1000 + (n % 97), energyTotalKwh: 100 + n / 60 });

/** Sends the n-th reading of a device. */
export async function send(gateway: string, device: Installation, n: number): Promise<SentReport> {
  const answer = await postReadings(gateway, device, [
    { at: FIRST_AT + n * STEP_MS, values: valuesOf(n) },
  ]);
  await answer.text();
  return { status: answer.status, retryAfter: answer.headers.get('retry-after') };
}

export function startReporter(gateway: string, device: Installation): Reporter {
  const refusals: number[] = [];
  const state = {
    stopped: false,
    acknowledged: 0,
    lastAcknowledgedAt: performance.now(),
    slowestMs: 0,
  };
  const run = async (): Promise<void> => {
    while (!state.stopped) {
      const sentAt = performance.now();
      // Gone: the server has been stopped.
      const { status } = await send(gateway, device, state.acknowledged).catch(() => ({
        status: 0,
      }));
      state.slowestMs = Math.max(state.slowestMs, performance.now() - sentAt);
      if (status === 200) {
        state.acknowledged += 1;
        state.lastAcknowledgedAt = performance.now();
      } else {
        refusals.push(status);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  };
  const ended = run();
  return {
    get acknowledged() {
      return state.acknowledged;
    },
    get lastAcknowledgedAt() {
      return state.lastAcknowledgedAt;
    },
    get slowestMs() {
      return state.slowestMs;
    },
    refusals,
    stop: () => {
      state.stopped = true;
      return ended;
    },
  };
}

/** Everything that was acknowledged is there once, the one after it at most, and the roll-ups are what the readings make. */
export async function checkStored(
  db: Db,
  world: ReturnType<typeof createReportingWorld>,
  device: Installation,
  { acknowledged }: Reporter,
): Promise<void> {
  const stored = await world
    .parts()
    .telemetry.readingsBetween(db, device.series, 0, Number.MAX_SAFE_INTEGER);
  expect(stored.length).toBeGreaterThanOrEqual(acknowledged);
  expect(stored.length).toBeLessThanOrEqual(acknowledged + 1);
  expect(stored.map(({ at, values }) => ({ at, values }))).toEqual(
    stored.map((_, n) => ({ at: FIRST_AT + n * STEP_MS, values: valuesOf(n) })),
  );
  expect(await world.rollups(device.binding)).toEqual(await world.recalculated(device.binding));
}
