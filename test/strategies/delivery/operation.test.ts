import type { PlanInterval } from '@helioport/contract';
import { expect, test } from 'vitest';
import { createIngest } from '../../../packages/server/src/measurements/ingest/ingest.ts';
import { createSqlSeries } from '../../../packages/server/src/measurements/series/sql/sql-series.ts';
import { noteShare } from '../../../packages/server/src/control/strategies/delivery/note-asked.ts';
import { describeStrategies, LIMITED, type Battery } from '../scene.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const DISCHARGE: readonly PlanInterval[] = [
  { start: '00:00', end: '24:00', payload: { type: 'discharge', socPercent: 10, powerKw: 2 } },
];

describeStrategies('proof of delivery', (scene) => {
  const { clock, database, settle, wait } = scene;

  const place = async () => {
    // So that nothing is cut at other times than the tests say.
    clock.at = Math.ceil(clock.at / HOUR_MS) * HOUR_MS;
    const here = await scene.battery();
    return { here, partner: await scene.partner(here.ownerId) };
  };

  /** Has an inverter report every five minutes. */
  const report = async (
    { sn }: Battery,
    fromAt: number,
    untilAt: number,
    valuesAt: (at: number) => Record<string, number>,
  ): Promise<void> => {
    const { db } = database();
    const readings = [];
    for (let at = fromAt; at <= untilAt; at += 5 * MINUTE_MS)
      readings.push({ sn, at, values: valuesAt(at) });
    expect(
      await createIngest({ db, clock, series: createSqlSeries(db) })('operator', readings),
    ).toMatchObject({ refused: [] });
  };

  test('says what was asked and measured, to the application and to the owner (C38)', async () => {
    const { here, partner } = await place();
    const start = clock.at;
    const id = await partner.dispatch({
      sn: here.sn,
      intervals: DISCHARGE,
      end: start + 2 * HOUR_MS,
    });
    await settle(here);
    // Before, the battery supplies 500 W; then it gives what was asked for, into a grid that takes the rest.
    const isAsked = (at: number): boolean => at >= start;
    await report(here, start - HOUR_MS, start + HOUR_MS, (at) => ({
      batteryPowerW: isAsked(at) ? -2000 : -500,
      gridPowerW: isAsked(at) ? 1500 : 0,
      batterySocPercent: isAsked(at) ? 60 : 70,
    }));
    clock.at = start + HOUR_MS;
    const question = { id, baseline: 'meterBeforeAfter', intervalMinutes: 30, to: clock.at };
    // It goes on for another hour, of which nothing is known yet.
    const { body } = await partner.ask('strategy/delivery', {
      ...question,
      to: start + 2 * HOUR_MS,
    });
    const row = {
      sn: here.sn,
      payload: 'discharge',
      measuredAt: 'battery',
      askedKw: 2,
      measuredKw: 2,
      connectionKw: 1.5,
      baselineKw: 0.75,
      deliveredKwh: 0.625,
      gapSeconds: 0,
      socPercent: 60,
    };
    expect(body).toMatchObject({
      code: '0',
      data: { baseline: 'meterBeforeAfter', intervalMinutes: 30, fromAt: start, toAt: clock.at },
    });
    expect(body.data.rows).toEqual([
      { ...row, startAt: start, endAt: start + HOUR_MS / 2 },
      { ...row, startAt: start + HOUR_MS / 2, endAt: start + HOUR_MS },
    ]);
    expect(body.data).not.toHaveProperty('next');
    expect(
      (await scene.callAs(here.ownerId, 'strategy/delivery', question)).body.data.rows,
    ).toEqual(body.data.rows);

    const { body: file } = await partner.ask('strategy/delivery', { ...question, format: 'csv' });
    const lines = (file.data.csv as string).split('\r\n');
    expect(lines).toEqual([
      expect.stringMatching(/^sn,start,end,/),
      expect.any(String),
      expect.any(String),
      '',
    ]);
    expect(lines[1]).toMatch(
      new RegExp(`^${here.sn},\\d{4}-\\d\\d-\\d\\dT.*,discharge,battery,2,2,1.5,0.75,,0.625,0,60$`),
    );
    expect(file.data).not.toHaveProperty('rows');

    // What the owner's day looked like is not known on so few days.
    const { body: unknown } = await partner.ask('strategy/delivery', { id, to: start + HOUR_MS });
    expect(unknown.data).toMatchObject({ baseline: 'tenDays', intervalMinutes: 15 });
    expect(unknown.data.rows).toHaveLength(4);
    expect(unknown.data.rows[0]).toMatchObject({ measuredKw: 2, baselineDays: 0 });
    expect(unknown.data.rows[0]).not.toHaveProperty('baselineKw');
  });

  test('compares with days on which no strategy asked for anything', async () => {
    const { here, partner: other } = await place();
    const first = clock.at;
    const monday = first - (first % DAY_MS);
    // A strategy of another application, weeks before.
    await other.dispatch({ sn: here.sn, end: first + HOUR_MS });
    await settle(here);
    clock.at = monday + 17 * DAY_MS + 12 * HOUR_MS;
    await settle(here);
    const start = clock.at;
    const partner = await scene.partner(here.ownerId);
    const id = await partner.dispatch({ sn: here.sn, intervals: DISCHARGE });
    await settle(here);
    await report(here, monday - DAY_MS, start + HOUR_MS, (at) => ({
      batteryPowerW: at >= first && at < first + HOUR_MS ? -9000 : -400,
    }));
    clock.at = start + HOUR_MS;
    const { body } = await partner.ask('strategy/delivery', { id });
    expect(body.data.rows[0]).toMatchObject({ baselineKw: 0.4, baselineDays: 10 });
  });

  test('rests on what was asked at the time: plans that were changed, writes by hand, limits that were set later (C39)', async () => {
    const { here, partner } = await place();
    const start = clock.at;
    const id = await partner.dispatch({ sn: here.sn, end: start + 4 * HOUR_MS });
    await settle(here);
    const asked = async (): Promise<string[]> => {
      const { body } = await partner.ask('strategy/delivery', { id, intervalMinutes: 60 });
      return (body.data.rows as { startAt: number; endAt: number; payload: string }[]).map(
        ({ startAt, endAt, payload }) =>
          `${(startAt - start) / MINUTE_MS}-${(endAt - start) / MINUTE_MS} ${payload}`,
      );
    };
    await wait(20 * MINUTE_MS, here);
    expect(
      (
        await partner.ask('strategy/amend', {
          id,
          intervals: [{ ...LIMITED[0], payload: { type: 'selfUse' } }],
        })
      ).body.code,
    ).toBe('0');
    await settle(here);
    await wait(20 * MINUTE_MS, here);
    expect(await asked()).toEqual(['0-20 exportLimit', '20-40 selfUse']);
    // The owner's word for the rest of the day: what was asked before remains.
    const limits = { plantId: here.plantId, quietHours: [{ start: '00:00', end: '24:00' }] };
    const limitedAt = (clock.at - start) / MINUTE_MS;
    expect((await scene.callAs(here.ownerId, 'strategy/setLimits', limits)).body.code).toBe('0');
    const sinceAt = (clock.at - start) / MINUTE_MS;
    expect(sinceAt - limitedAt).toBeLessThan(1);
    await wait(5 * MINUTE_MS, here);
    expect(await asked()).toEqual(['0-20 exportLimit', `20-${sinceAt} selfUse`]);
    expect(
      (await scene.callAs(here.ownerId, 'strategy/setLimits', { plantId: here.plantId })).body.code,
    ).toBe('0');
    const againAt = (clock.at - start) / MINUTE_MS;
    await wait(5 * MINUTE_MS, here);
    await scene.send(here, '157', '35');
    const byHandAt = (clock.at - start) / MINUTE_MS;
    await wait(HOUR_MS, here);
    expect(await asked()).toEqual([
      '0-20 exportLimit',
      `20-${sinceAt} selfUse`,
      `${againAt}-${byHandAt} selfUse`,
    ]);
  });

  test('knows the shares of a set point over time, and ends with the strategy', async () => {
    const { here, partner } = await place();
    const start = clock.at;
    const id = await partner.dispatch({ sn: here.sn, powerKw: 3, end: start + 2 * HOUR_MS });
    const { db } = database();
    await noteShare(db, id, here.deviceId, 3, start);
    await noteShare(db, id, here.deviceId, 2.5, start + 10 * MINUTE_MS);
    await noteShare(db, id, here.deviceId, 2, start + 10 * MINUTE_MS);
    clock.at = start + 30 * MINUTE_MS;
    expect((await partner.ask('strategy/cancel', { id })).body.code).toBe('0');
    clock.at = start + HOUR_MS;
    const { body } = await partner.ask('strategy/delivery', { id, intervalMinutes: 60 });
    expect(
      body.data.rows.map(
        ({ startAt, endAt, askedKw, payload, measuredAt }: Record<string, number>) => [
          startAt! - start,
          endAt! - start,
          askedKw,
          payload,
          measuredAt,
        ],
      ),
    ).toEqual([
      [0, 10 * MINUTE_MS, 3, 'setPoint', 'battery'],
      [10 * MINUTE_MS, 30 * MINUTE_MS, 2, 'setPoint', 'battery'],
    ]);
  });

  test('knows nothing of what a device measured in another plant, and takes the word of the plant’s meter', async () => {
    const { here, partner } = await place();
    const start = clock.at;
    const id = await partner.dispatch({ sn: here.sn, end: start + 2 * HOUR_MS });
    const meter = await scene.device(here.plantId, { kind: 'ammeter' });
    const series = (sn: string, powerW: number): Promise<void> =>
      report({ ...here, sn }, start - HOUR_MS, start + HOUR_MS, () => ({ gridPowerW: powerW }));
    await series(here.sn, 700);
    clock.at = start + HOUR_MS;
    const rows = async (): Promise<Record<string, unknown>[]> =>
      (
        await partner.ask('strategy/delivery', {
          id,
          baseline: 'meterBeforeAfter',
          intervalMinutes: 60,
          to: start + HOUR_MS,
        })
      ).body.data.rows;
    expect(await rows()).toMatchObject([{ measuredKw: 0.7, baselineKw: 0.7 }]);
    await series(meter.sn, 900);
    expect(await rows()).toMatchObject([{ measuredKw: 0.9, baselineKw: 0.9 }]);
    // It came here half an hour ago: before, it stood with somebody else.
    await database()
      .db.updateTable('binding')
      .set({ fromAt: start + HOUR_MS / 2 })
      .where('plantId', '=', here.plantId)
      .execute();
    const [moved] = await rows();
    expect(moved).toMatchObject({ measuredKw: 0.9, gapSeconds: 1800 });
    expect(moved).not.toHaveProperty('baselineKw');
  });

  test('knows nothing of the time before a device came, even if it was measured', async () => {
    const { here, partner } = await place();
    const start = clock.at;
    const id = await partner.dispatch({ sn: here.sn, end: start + 2 * HOUR_MS });
    await report(here, start - HOUR_MS, start + HOUR_MS, () => ({ gridPowerW: 700 }));
    clock.at = start + HOUR_MS;
    const movedAt = start + HOUR_MS / 2;
    const elsewhere = await scene.plant((await scene.person()).id);
    const { db } = database();
    await db
      .updateTable('binding')
      .set({ fromAt: movedAt })
      .where('deviceId', '=', here.deviceId)
      .execute();
    await db
      .insertInto('binding')
      .values({
        deviceId: here.deviceId,
        holderId: here.deviceId,
        plantId: elsewhere,
        fromAt: 0,
        toAt: movedAt,
      })
      .execute();
    const { body } = await partner.ask('strategy/delivery', {
      id,
      baseline: 'meterBeforeAfter',
      intervalMinutes: 60,
    });
    expect(body.data.rows).toMatchObject([{ measuredKw: 0.7, gapSeconds: 1800 }]);
    expect(body.data.rows[0]).not.toHaveProperty('baselineKw');
  });

  test('is shown device by device', async () => {
    const first = await scene.battery();
    const partner = await scene.partner(first.ownerId);
    const second = await scene.device(first.plantId, { model: 'SIM-8K-ES' });
    await database()
      .db.updateTable('device')
      .set({ facts: JSON.stringify({ displayVersion: '4b00' }) })
      .where('id', '=', second.id)
      .execute();
    const id = await partner.dispatch({ sn: [first.sn, second.sn] });
    await wait(HOUR_MS, first);
    const devices = async (page: object) => {
      const { body } = await partner.ask('strategy/delivery', { id, intervalMinutes: 60, ...page });
      return [body.data.next, ...new Set(body.data.rows.map(({ sn }: { sn: string }) => sn))];
    };
    const [a, b] = [first.sn, second.sn].toSorted() as [string, string];
    expect([
      await devices({}),
      await devices({ limit: 1 }),
      await devices({ limit: 1, after: a }),
      await devices({ sn: b }),
    ]).toEqual([
      [undefined, a, b],
      [a, a],
      [undefined, b],
      [undefined, b],
    ]);
    expect(await devices({ sn: 'NOBODY' })).toEqual([undefined]);
  });

  test('is refused with a reason, and to strangers', async () => {
    const { here, partner } = await place();
    const id = await partner.dispatch({ sn: here.sn });
    const now = clock.at;
    for (const [body, field] of [
      [{ intervalMinutes: 7 }, 'intervalMinutes'],
      [{ intervalMinutes: 61 }, 'intervalMinutes'],
      [{ baseline: 'guess' }, 'baseline'],
      [{ from: now, to: now }, 'to'],
      [{ from: now - 40 * DAY_MS }, 'to'],
      [{ format: 'xml' }, 'format'],
      [{ limit: 51 }, 'limit'],
    ] as const)
      expect((await partner.ask('strategy/delivery', { id, ...body })).body).toMatchObject({
        code: 'H0001',
        data: { field },
      });
    const stranger = await place();
    for (const body of [
      (await stranger.partner.ask('strategy/delivery', { id })).body,
      (await scene.callAs(stranger.here.ownerId, 'strategy/delivery', { id })).body,
    ])
      expect(body).toMatchObject({ code: 'R0000', data: null });
    // Before it has begun, there is nothing to prove.
    const draft = await partner.ask(
      'strategy/create',
      scene.request({ sn: here.sn, start: now + DAY_MS, end: now + 2 * DAY_MS }),
    );
    expect(
      (await partner.ask('strategy/delivery', { id: draft.body.data.id })).body.data.rows,
    ).toEqual([]);
  });
});
