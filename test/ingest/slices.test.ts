import { expect, test } from 'vitest';
import { createIngest } from '../../packages/server/src/measurements/ingest/ingest.ts';
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
  ['of one device', 2_000, 1, 51],
  ['of one device, 10,000', 10_000, 1, 51],
  ['of twelve devices', 2_400, 12, 62],
])('readings of as many days, %s, are cut by days', (_, count, devices, most) => {
  const all = readings(count, DAY, devices);
  const cut = slices(all.toReversed());
  for (const slice of cut) expect(daysOf(slice)).toBeLessThanOrEqual(most);
  expect(cut.flat().toSorted((a, b) => a.index - b.index)).toEqual(all);
  // A later slice never holds what is earlier.
  expect(cut.flat().map(({ at }) => at)).toEqual(all.map(({ at }) => at));
});

test('readings of few days are cut by their number, and few or of one moment not at all', () => {
  const few = readings(50, DAY).toReversed();
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

  test('lets reports of others, live ones and of many days, come in between, however many there are', async () => {
    const [other, ...mine] = await Promise.all(Array.from({ length: 15 }, () => world.install()));
    const { db } = database();
    const ingest = createIngest({ db, clock: world.clock, series: world.parts().series });
    const send = async (
      to: Awaited<ReturnType<typeof world.install>>,
      ownerId: string,
      count: number,
      from = start,
    ): Promise<void> => {
      const intake = ingest.begin();
      await intake.add(
        Array.from({ length: count }, (_, i) => ({
          sn: to.sn,
          at: from + i * DAY,
          values: { energyTotalKwh: 10 * i, energyTodayKwh: 10 },
        })),
      );
      const answer = await intake.store(
        { collectorId: to.collectorId },
        { isBacklog: false, ownerId },
      );
      expect(answer).toMatchObject({ accepted: count, refused: [] });
    };
    const ended: string[] = [];
    const all = mine.map((to) => send(to, 'one', 200).then(() => ended.push('many')));
    all.push(send(other!, 'another', 60).then(() => ended.push('other')));
    const live = (async () => {
      for (let i = 0; i < 5; i++) await send(other!, 'another', 1, start + (100 + i) * DAY);
      ended.push('live');
    })();
    await Promise.all([...all, live]);
    expect(ended).toHaveLength(16);
    // Each of the many has four slices: the others are over before any of them has had its last one.
    expect(ended.slice(0, 2).toSorted()).toEqual(['live', 'other']);
  });
});
