import { expect, test } from 'vitest';
import { slices } from '../../packages/server/src/measurements/ingest/slices.ts';
import { describeEngines } from '../support/engines.ts';
import { createReportingWorld } from '../telemetry/installation.ts';

const DAY = 86_400_000;
const start = Date.parse('2015-01-01T12:00:00Z');
const readings = (count: number, stepMs: number, devices = 1) =>
  Array.from({ length: count }, (_, index) => ({
    index,
    sn: `X${index % devices}`,
    at: start + Math.floor(index / devices) * stepMs,
    fields: undefined as never,
    values: Float64Array.of(1),
  }));
const daysOf = (slice: readonly { at: number; sn: string }[]): number =>
  new Set(slice.map(({ at, sn }) => `${sn} ${Math.floor(at / DAY)}`)).size;

test.each([
  ['of one device', 2_000, 1, 101],
  ['of one device, 10,000', 10_000, 1, 101],
  ['of twelve devices', 2_400, 12, 112],
])('readings of as many days, %s, are cut by days', (_, count, devices, most) => {
  const all = readings(count, DAY, devices);
  const cut = slices(all.toReversed());
  for (const slice of cut) expect(daysOf(slice)).toBeLessThanOrEqual(most);
  expect(cut.flat().toSorted((a, b) => a.index - b.index)).toEqual(all);
  // A later slice never holds what is earlier.
  expect(cut.flat().map(({ at }) => at)).toEqual(all.map(({ at }) => at));
});

test('readings of few days are cut by their number, and few or of one moment not at all', () => {
  const few = readings(100, DAY).toReversed();
  expect(slices(few)).toEqual([few]);
  const fleet = readings(500, DAY, 500);
  expect(slices(fleet)).toEqual([fleet]);
  const dense = readings(5_000, 60_000);
  expect(slices(dense).map(({ length }) => length)).toEqual([2_000, 2_000, 1_000]);
});

describeEngines('a report of many days', (database) => {
  const world = createReportingWorld(database);

  test('leaves turns to others, whatever the days, and is stored as a whole', async () => {
    const device = await world.install();
    let turns = 0;
    let over = false;
    const count = (): void => {
      turns += 1;
      if (!over) setImmediate(count);
    };
    const many = Array.from({ length: 450 }, (_, i) => ({
      at: start + i * DAY,
      values: { energyTotalKwh: 10 * i, energyTodayKwh: 10 },
    }));
    setImmediate(count);
    const answer = await world.report(device, many);
    over = true;
    expect(answer).toMatchObject({ accepted: 450, duplicate: 0, refused: [] });
    expect(turns).toBeGreaterThan(4);
  });
});
