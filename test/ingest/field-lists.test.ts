import { quantities, type QuantityName } from '@helioport/contract';
import { beforeEach, expect, test } from 'vitest';
import { createIngest } from '../../packages/server/src/measurements/ingest/ingest.ts';
import { createFieldLists } from '../../packages/server/src/measurements/series/field-lists.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock } from '../support/world.ts';
import { createReportingWorld, type Installation } from '../telemetry/installation.ts';

const OF_OWNER = 6;
const MINUTE = 60_000;
// Without bounds of their own.
const NAMES = [
  'dcVoltage1V',
  'dcVoltage2V',
  'dcVoltage3V',
  'dcVoltage4V',
  'dcCurrent1A',
  'dcCurrent2A',
].filter((name) => quantities.has(name as QuantityName)) as QuantityName[];

describeEngines('lists of fields', (database) => {
  const clock = settableClock('2026-06-15T12:00:00Z');
  const world = createReportingWorld(database, clock);
  const from = clock.at - 10 * 86_400_000;
  let minute = 0;

  // An instance of its own, which has seen no list yet.
  const instance = (all = 1_000) => {
    const { db } = database();
    const series = createSqlSeries(db, createFieldLists(db, { all, ofOwner: OF_OWNER }));
    return { series, ingest: createIngest({ db, clock, series }) };
  };
  const lists = async (): Promise<string[]> => {
    const rows = await database().db.selectFrom('fieldList').select('names').execute();
    return rows.map(({ names }) => names);
  };
  const subset = (bits: number): Record<string, number> =>
    Object.fromEntries(NAMES.flatMap((name, i) => ((bits >> i) & 1 ? [[name, 1 + i]] : [])));
  const readings = (sn: string, shapes: readonly Record<string, number>[]) =>
    shapes.map((values) => ({ sn, at: from + (minute += 1) * MINUTE, values }));
  const storedOf = async ({ series }: ReturnType<typeof instance>, { series: id }: Installation) =>
    (await series.range(database().db, id, 0, clock.at)).map(({ fields, values }) => ({
      width: fields.names.length,
      values: Object.fromEntries(
        fields.names.flatMap((name, i) => (Number.isNaN(values[i]!) ? [] : [[name, values[i]!]])),
      ),
    }));

  beforeEach(async () => {
    await database().db.deleteFrom('sample').execute();
    await database().db.deleteFrom('fieldList').execute();
  });

  test('are not used up by readings that are refused or that change nothing', async () => {
    const [mine, other] = [await world.install(), await world.install()];
    const { ingest } = instance();
    const shapes = Array.from({ length: 40 }, (_, i) => subset(i + 1));
    const all = [
      ...readings('UNKNOWN-1', shapes),
      ...readings(other.sn, shapes),
      // Beyond what its model can measure.
      ...readings(mine.sn, [{ acPowerW: 9e8, energyTotalKwh: 9e15 }]),
    ];
    const answer = await ingest({ collectorId: mine.collectorId }, all);
    expect([answer.accepted, answer.refused.length]).toEqual([0, all.length]);
    expect(await lists()).toEqual([]);

    const sent = readings(mine.sn, [subset(3)]);
    expect(await ingest({ collectorId: mine.collectorId }, sent)).toMatchObject({ accepted: 1 });
    const again = sent.map(({ values: _, ...one }) => ({ ...one, values: subset(1) }));
    expect(await ingest({ collectorId: mine.collectorId }, again)).toMatchObject({ duplicate: 1 });
    expect(await lists()).toEqual([NAMES.slice(0, 2).join()]);
  });

  test('of one owner leave room for others, and readings stay as they were sent', async () => {
    const [mine, other] = [await world.install(), await world.install()];
    // In another process, or after a start, what was created before still counts.
    const shapes = Array.from({ length: 30 }, (_, i) => subset(i + 1));
    for (let first = 0; first < shapes.length; first += 10)
      expect(
        await instance().ingest(
          { collectorId: mine.collectorId },
          readings(mine.sn, shapes.slice(first, first + 10)),
        ),
      ).toMatchObject({ accepted: 10, refused: [] });
    // Merged: a combination of quantities that no single reading has.
    const at = from - MINUTE;
    for (const values of [{ humidityPercent: 1 }, { dewPointC: 2 }])
      await instance().ingest({ collectorId: mine.collectorId }, [{ sn: mine.sn, at, values }]);
    expect(await lists()).toHaveLength(OF_OWNER + 1);

    const stored = await storedOf(instance(), mine);
    expect(stored.map(({ values }) => values)).toEqual([
      { humidityPercent: 1, dewPointC: 2 },
      ...shapes,
    ]);
    const after = instance();
    await after.ingest({ collectorId: other.collectorId }, readings(other.sn, [subset(63)]));
    expect(await storedOf(after, other)).toEqual([{ width: NAMES.length, values: subset(63) }]);
  });

  test('that are used up are replaced by the narrowest list with the same quantities', async () => {
    const [mine, other] = [await world.install(), await world.install()];
    const most = instance(3);
    const wide = [subset(63), subset(0b111), subset(0b10000)];
    await most.ingest({ collectorId: mine.collectorId }, readings(mine.sn, wide));
    const shapes = [subset(0b1), subset(0b1001), { dewPointC: 2 }];
    for (const values of shapes)
      await most.ingest({ collectorId: other.collectorId }, readings(other.sn, [values]));
    expect(await storedOf(most, other)).toEqual([
      { width: 3, values: shapes[0] },
      { width: 6, values: shapes[1] },
      { width: quantities.size, values: shapes[2] },
    ]);
  });

  test('created by many at once for one owner do not overrun its room', async () => {
    const mine = await world.install();
    const { db } = database();
    const sets = Array.from({ length: 16 }, (_, i) => Object.keys(subset(i + 1)) as QuantityName[]);
    const { ownerId } = await db
      .selectFrom('plant')
      .select('ownerId')
      .where('id', '=', mine.plantId)
      .executeTakeFirstOrThrow();
    const found = await Promise.all(
      sets.map(async (names) => {
        const [list] = await instance().series.fieldLists.ensure([names], ownerId);
        return names.every((name) => list!.indexOf.has(name));
      }),
    );
    expect(found).toEqual(sets.map(() => true));
    expect(await lists()).toHaveLength(OF_OWNER + 1);
  });

  test('of many owners leave room for those who come later', async () => {
    const { ingest } = instance(20);
    const owners = await Promise.all(Array.from({ length: 14 }, () => world.install()));
    for (const [i, { sn, collectorId }] of owners.entries())
      await ingest(
        { collectorId },
        readings(
          sn,
          Array.from({ length: OF_OWNER }, (_, n) => subset(1 + i * 4 + n)),
        ),
      );
    // Half of all are those of the first two; each of the others has had one of its own, as long as there were any.
    const made = await database()
      .db.selectFrom('fieldList')
      .select('ownerId')
      .where('ownerId', 'is not', null)
      .execute();
    const counts = Map.groupBy(made, ({ ownerId }) => ownerId);
    expect([...counts.values()].map((one) => one.length).toSorted((a, b) => b - a)).toEqual([
      6, 4, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    ]);
  });
});
