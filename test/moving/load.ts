import { expect } from 'vitest';
import { createIngest } from '../../packages/server/src/measurements/ingest/ingest.ts';
import { SeriesElsewhere, SeriesShut } from '../../packages/server/src/measurements/series/gate.ts';
import type { Series } from '../../packages/server/src/measurements/series/port.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import type { Installation } from '../telemetry/installation.ts';
import { Failed, failingAt, stepwiseCommits, stepwiseSeries } from '../support/step-by-step.ts';
import { settableClock } from '../support/world.ts';

const MINUTE = 60_000;

/** The same numbers for the same seed. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

interface Reported {
  readonly at: number;
  readonly values: Record<string, number>;
}

const named = ({ sn }: Installation, readings: readonly Reported[]) =>
  readings.map((reading) => ({ sn, ...reading }));

/** Devices that report: new readings, late ones and corrected ones, from a day to the next. */
export function createLoad(db: Db, devices: readonly Installation[], seed: number) {
  const random = randomFrom(seed);
  const start = Date.parse('2026-06-29T08:00:00Z');
  const known = new Map(
    devices.map((device) => [device, new Map<number, Record<string, number>>()]),
  );
  const nextAt = new Map(devices.map((device) => [device, start]));
  const clock = settableClock('2028-01-01T12:00:00Z');
  let counter = 0;

  /** When the next reading of a device was measured: mostly later than all, sometimes before, sometimes the same instant once more. */
  function instant(device: Installation): number {
    const stored = [...known.get(device)!.keys()];
    const choice = stored.length < 3 ? 0 : random(10);
    if (choice < 7) {
      // Some hours at a time, so that days and a month end.
      const at = nextAt.get(device)! + (1 + random(120)) * MINUTE;
      nextAt.set(device, at);
      return at;
    }
    return choice < 9
      ? stored[random(stored.length)]! - MINUTE / 2
      : stored[random(stored.length)]!;
  }

  const readingsOf = (device: Installation): Reported[] =>
    Array.from({ length: 1 + random(3) }, () => ({
      at: instant(device),
      values: { acPowerW: 500 + random(4000), energyTotalKwh: 1000 + (counter += 1) / 100 },
    }));

  /** Reports to a server that fails at one of its steps: some is written then, or even all. */
  async function failing(
    device: Installation,
    readings: readonly Reported[],
    engine: Series,
  ): Promise<void> {
    const { step } = failingAt(random(12));
    const ingest = createIngest({
      db: stepwiseCommits(db, step),
      clock,
      series: stepwiseSeries(engine, step),
    });
    await ingest({ collectorId: device.collectorId }, named(device, readings)).catch(
      (error: unknown) => {
        if (!(error instanceof Failed)) throw error;
      },
    );
  }

  return {
    known,
    /** Reports once, as a collector does: again when it is not acknowledged. */
    async report(engine: Series): Promise<void> {
      const device = devices[random(devices.length)]!;
      const readings = readingsOf(device);
      if (random(4) === 0) await failing(device, readings, engine);
      const answer = await createIngest({ db, clock, series: engine })(
        { collectorId: device.collectorId },
        named(device, readings),
      );
      expect([answer.refused, answer.accepted + answer.duplicate]).toEqual([[], readings.length]);
      for (const { at, values } of readings) known.get(device)!.set(at, values);
    },
    /** Reports of several devices at once to a server that must not take them now. */
    async refusedReports(engine: Series, count: number): Promise<void> {
      const ingest = createIngest({ db, clock, series: engine });
      const outcomes = await Promise.allSettled(
        Array.from({ length: count }, (_, i) => {
          const device = devices[i % devices.length]!;
          const reading = { at: start - (i + 1) * MINUTE, values: { acPowerW: 1 } };
          return ingest({ collectorId: device.collectorId }, named(device, [reading]));
        }),
      );
      for (const outcome of outcomes) {
        expect(outcome).toMatchObject({ status: 'rejected' });
        const { reason } = outcome as PromiseRejectedResult;
        expect(reason instanceof SeriesShut || reason instanceof SeriesElsewhere).toBe(true);
      }
    },
  };
}
