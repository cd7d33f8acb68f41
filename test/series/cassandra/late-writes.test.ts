import { expect, test } from 'vitest';
import {
  openDay,
  type DaySample,
} from '../../../packages/server/src/measurements/energy/day-state.ts';
import type { Series } from '../../../packages/server/src/measurements/series/port.ts';
import { describeCassandra } from '../../support/engines.ts';

const AT = Date.parse('2026-06-15T10:00:00Z');
const DAY = 86_400_000;

// A write that timed out may still arrive: hours later, if a node kept it for another.
describeCassandra('writes that arrive late', (database, series) => {
  /** The engine as an attempt writes to it whose revisions follow on this one. */
  const from = (revision: number): Series => series().withRevisions(() => (revision += 1));
  const sample = async (at: number, power: number): Promise<DaySample> => {
    const [fields] = await series().fieldLists.ensure([['acPowerW']]);
    return { at, fields: fields!, values: Float64Array.of(power) };
  };
  const put = async (
    to: Series,
    binding: number,
    at: number,
    power: number,
    day: number,
  ): Promise<void> => {
    const one = await sample(at, power);
    const state = openDay(undefined, one, { prices: [], atMost: [], plantAtMost: undefined });
    await to.put(database().db, {
      samples: [{ seriesId: binding, sample: one }],
      days: [{ binding, day, state }],
      months: [{ binding, month: 202606, state: [] }],
    });
  };
  const stored = async (binding: number) => ({
    powers: (await series().range(database().db, binding, 0, Infinity)).map(
      ({ values }) => values[0],
    ),
    days: (await series().days(database().db, [binding], 0, 99_999_999)).map(({ day, state }) => [
      day,
      state.last.values[0],
    ]),
    months: (await series().months(database().db, [binding], 0, 999_999)).map(({ month }) => month),
  });

  test('a row keeps what the attempt of the larger revision wrote, in whichever order writes arrive', async () => {
    await put(from(2_000), 1, AT, 200, 20260615);
    await put(from(1_000), 1, AT, 100, 20260615);
    expect(await stored(1)).toEqual({ powers: [200], days: [[20260615, 200]], months: [202606] });
    await from(1_500).remove(database().db, 1, { days: [20260615], months: [202606] });
    expect((await stored(1)).days).toEqual([[20260615, 200]]);
    await from(3_000).remove(database().db, 1, { days: [20260615], months: [202606] });
    await put(from(2_500), 1, AT, 250, 20260615);
    expect(await stored(1)).toEqual({ powers: [250], days: [], months: [] });
  });

  test('writes without a revision, which fill a keyspace, lose against those of every attempt', async () => {
    await put(from(Date.now() * 1000 - 3_600_000_000), 2, AT, 200, 20260615);
    await put(series(), 2, AT, 100, 20260615);
    expect(await stored(2)).toEqual({ powers: [200], days: [[20260615, 200]], months: [202606] });
  });

  test('what can be seen of a failed attempt when it is sealed stays, and what arrives later has no effect', async () => {
    const marks = [
      {
        binding: 3,
        day: 20260615,
        attempt: 'failed',
        samples: { seriesId: 3, fromAt: AT, toAt: AT + 2 * DAY },
      },
    ];
    await put(from(500), 3, AT - DAY, 50, 20260614);
    await put(from(1_000), 3, AT, 100, 20260615);
    await from(2_000).seal(database().db, marks);
    const seen = await stored(3);
    expect(seen).toEqual({ powers: [50, 100], days: [[20260614, 50], [20260615, 100]], months: [202606] }); // prettier-ignore
    // Of the failed attempt, on the same day and on the next one; its roll-ups of before, too.
    await put(from(1_100), 3, AT + 60_000, 101, 20260616);
    await put(from(1_200), 3, AT + DAY, 102, 20260614);
    expect(await stored(3)).toEqual(seen);
    // Later attempts write as ever.
    await put(from(3_000), 3, AT + 60_000, 103, 20260616);
    expect((await stored(3)).powers).toEqual([50, 100, 103]);
  });

  test('samples outside of those that a failed attempt may have written are not touched by sealing', async () => {
    const marks = [
      {
        binding: 4,
        day: 20260615,
        attempt: 'failed',
        samples: { seriesId: 4, fromAt: AT, toAt: AT + 1 },
      },
    ];
    await from(5_000).seal(database().db, marks);
    await put(from(1_000), 4, AT, 100, 20260615);
    await put(from(1_000), 4, AT + 1, 101, 20260615);
    await put(from(1_000), 4, AT - 1, 99, 20260615);
    expect((await stored(4)).powers).toEqual([99, 101]);
  });
});
