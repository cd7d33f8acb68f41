import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIngest } from '../../packages/server/src/measurements/ingest/ingest.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import { createControlScene, type Home } from '../commands/scene.ts';
import { describeEngines } from '../support/engines.ts';
import { openGateway } from './gateway-fixture.ts';

describeEngines('the clock of a collector that reports', (database) => {
  const scene = createControlScene(database);
  const { clock } = scene;
  let gateway: Awaited<ReturnType<typeof openGateway>>;
  beforeAll(async () => {
    const { db } = database();
    gateway = await openGateway(
      db,
      createIngest({ db, clock, series: createSqlSeries(db) }),
      clock,
    );
  });
  afterAll(() => gateway.server.close());

  const report = async ({ token }: Home, sentAt: unknown, path = '/v1/readings') => {
    const payload = JSON.stringify({ readings: [], sentAt });
    const answer = await gateway.server.inject({
      method: 'POST',
      url: path,
      payload,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    });
    return { status: answer.statusCode, body: answer.json() };
  };
  const shown = async ({ owner, collectorSn }: Home): Promise<unknown> =>
    (await scene.wire('collectorDetail', owner, { sn: collectorSn })).clockOffset;

  test('is compared with ours, and its owner sees by how much it is off', async () => {
    const home = await scene.home();
    expect(await shown(home)).toBeUndefined();
    expect(await report(home, clock.now() + 90_400)).toEqual({
      status: 200,
      body: { accepted: 0, duplicate: 0, refused: [] },
    });
    expect(await shown(home)).toBe(90);
    const { records } = (await scene.wire('collectorList', home.owner)).page;
    expect(records).toMatchObject([{ sn: home.collectorSn, clockOffset: 90 }]);
    const operator = { kind: 'operator', accountId: null, plantIds: null } as const;
    expect(await scene.ask('collector/show', operator, { sn: home.collectorSn })).toMatchObject({
      clockOffsetSeconds: 90,
    });
    expect(await scene.ask('collector/list', operator, { plantId: home.plantId })).toMatchObject([
      { clockOffsetSeconds: 90 },
    ]);
  });

  test('may be off by decades, and is not forgotten by reports that do not mention it', async () => {
    const home = await scene.home();
    await report(home, 0);
    expect(await shown(home)).toBe(-clock.now() / 1000);
    clock.at += 120_000;
    await report(home, undefined);
    expect(await shown(home)).toBe(-(clock.now() - 120_000) / 1000);
    await report(home, clock.now());
    expect(await shown(home)).toBe(0);
  });

  test('is recorded although the collector was just there, unless it is off by as much as before; its pace is not measured again', async () => {
    const home = await scene.home();
    const row = () =>
      database()
        .db.selectFrom('device')
        .select(['reportedAt', 'expectedSeconds', 'clockOffsetSeconds'])
        .where('id', '=', home.collectorId)
        .executeTakeFirstOrThrow();
    const before = await row();
    clock.at += 10_000;
    await report(home, clock.now() - 30_000);
    expect(await row()).toEqual({ ...before, clockOffsetSeconds: -30 });
    // A message that took a second longer.
    await report(home, clock.now() - 31_000);
    expect((await row()).clockOffsetSeconds).toBe(-30);
    await report(home, clock.now() - 32_000);
    expect((await row()).clockOffsetSeconds).toBe(-32);
    clock.at += 60_000;
    await report(home, clock.now() - 32_000);
    expect(await row()).toMatchObject({ reportedAt: clock.now(), clockOffsetSeconds: -32 });
  });

  test('counts when the report is sent, not when what it contains was measured', async () => {
    const home = await scene.home();
    await report(home, clock.now() + 5_000, '/v1/readings?backlog=true');
    expect(await shown(home)).toBe(5);
  });

  test.each(['2026-06-15T12:00:00Z', '1781524800000', 1e300, null, {}, [1]])(
    'that shows %j is not known, and its report is stored',
    async (sentAt) => {
      const home = await scene.home();
      expect(await report(home, sentAt)).toMatchObject({ status: 200, body: { accepted: 0 } });
      expect(await shown(home)).toBeUndefined();
    },
  );

  test('may have fractions of a millisecond', async () => {
    const home = await scene.home();
    await report(home, clock.now() + 5_000.4);
    expect(await shown(home)).toBe(5);
  });
});
