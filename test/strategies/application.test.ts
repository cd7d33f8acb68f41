import { expect, test } from 'vitest';
import { sharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import { effort } from '../support/effort.ts';
import { describeStrategies, EVENING, LIMITED } from './scene.ts';

const HOUR_MS = 3_600_000;
const FLEET = effort(200, 10_000);

describeStrategies('an application', (scene) => {
  const { clock, database, settle, wait } = scene;
  const place = async () => {
    const here = await scene.battery();
    return { here, partner: await scene.partner(here.ownerId) };
  };
  const stored = () =>
    database()
      .db.selectFrom('strategy')
      .leftJoin('strategyDevice as sd', 'sd.strategyId', 'strategy.id')
      .select([
        'strategy.id',
        'strategy.dispatchedAt',
        'strategy.endedAt',
        'sd.deviceId',
        'sd.state',
      ])
      .orderBy('strategy.id')
      .execute();
  const tasks = () =>
    database()
      .db.selectFrom('task')
      .select(['kind', 'key'])
      .where('kind', '=', 'strategyDevice')
      .execute();

  test('creates a draft, dispatches it, and follows it to its end', async () => {
    const { here, partner } = await place();
    const request = scene.request({
      sn: here.sn,
      program: 'Peak shaving',
      priority: 2,
      start: '2026-06-15T14:00:00+01:00',
      heartbeatSeconds: 7200,
    });
    clock.at = Date.parse('2026-06-15T12:00:00Z');
    request['end'] = clock.at + 3 * HOUR_MS;
    const { body: created } = await partner.ask('strategy/create', request);
    const { name } = partner.client.application;
    expect(created).toMatchObject({
      code: '0',
      data: {
        state: 'draft',
        program: 'Peak shaving',
        priority: 2,
        applicationName: name,
        devices: { draft: 1 },
        intervals: LIMITED,
      },
    });
    const { id } = created.data;
    await settle(here);
    expect(here.written).toEqual([]);
    expect((await partner.ask('strategy/dispatch', { id })).body.data).toMatchObject({
      id,
      state: 'dispatching',
      dispatchedAt: clock.at,
    });
    // It begins in an hour.
    await settle(here);
    expect(here.written).toEqual([]);
    await wait(HOUR_MS, here);
    expect((await partner.ask('strategy/detail', { id })).body.data).toMatchObject({
      state: 'active',
      targets: [{ sn: here.sn, state: 'active', appliedAt: clock.at }],
    });
    await wait(2 * HOUR_MS, here);
    const [listed] = (await partner.ask('strategy/list', { reference: request['reference'] })).body
      .data;
    expect(listed).toMatchObject({
      id,
      state: 'completed',
      endedAt: created.data.endAt,
      devices: { completed: 1 },
    });
    expect((await partner.ask('strategy/list', { current: 1 })).body.data).toEqual([]);
  });

  test('may send the same request twice: a reference stands for one strategy (C28)', async () => {
    const { here, partner } = await place();
    const request = scene.request({ sn: here.sn });
    const first = (await partner.ask('strategy/create', request)).body.data;
    // However it is spelled.
    const { intervals, ...others } = request;
    const [{ start, end, payload }] = intervals as typeof LIMITED as [(typeof LIMITED)[number]];
    expect(
      (await partner.ask('strategy/create', { intervals: [{ payload, end, start }], ...others }))
        .body.data,
    ).toEqual(first);
    expect(
      (await Promise.all([1, 2, 3].map(() => partner.ask('strategy/create', request)))).map(
        ({ body }) => body.data.id,
      ),
    ).toEqual([first.id, first.id, first.id]);
    expect(
      (await partner.ask('strategy/create', { ...request, name: 'Another' })).body,
    ).toMatchObject({ code: 'H0004', data: null });
    expect(
      (await partner.ask('strategy/validate', { ...request, intervals: EVENING })).body,
    ).toMatchObject({ code: 'H0004' });
    // Another owner's authorization is another matter.
    const { here: there, partner: other } = await place();
    expect((await other.ask('strategy/create', { ...request, sn: there.sn })).body).toMatchObject({
      code: '0',
    });
    await partner.ask('strategy/dispatch', { id: first.id });
    const again = await partner.ask('strategy/dispatch', { id: first.id });
    expect(again.body).toMatchObject({ code: '0', data: { id: first.id, state: 'dispatching' } });
  });

  test('of requests with one reference that arrive at once, one creates the strategy', async () => {
    const { here, partner } = await place();
    const request = scene.request({ sn: here.sn });
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => partner.ask('strategy/create', request)),
    );
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
  });

  test('learns what is wrong without creating anything', async () => {
    const { here, partner } = await place();
    const before = await stored();
    expect(
      (await partner.ask('strategy/validate', scene.request({ sn: here.sn, intervals: EVENING })))
        .body,
    ).toMatchObject({
      code: '0',
      data: { devices: 1 },
    });
    expect(await stored()).toEqual(before);
  });

  const interval = (change: object) => ({ intervals: [{ ...EVENING[0], ...change }] });
  const payload = (change: object) => interval({ payload: { ...EVENING[0]!.payload, ...change } });
  /** What is sent, and the field that the refusal names. */
  const faults: readonly [string, object, string][] = [
    [
      'intervals that have hours in common',
      { intervals: [...EVENING, { ...EVENING[0], start: '04:00', end: '06:00' }] },
      'intervals[2].start',
    ],
    [
      'an interval that runs past midnight into another',
      { intervals: [{ ...EVENING[0], start: '23:00', end: '03:00' }, { ...EVENING[0] }] },
      'intervals[1].start',
    ],
    ['a state of charge of 0', payload({ socPercent: 0 }), 'intervals[0].payload.socPercent'],
    ['a state of charge of 101', payload({ socPercent: 101 }), 'intervals[0].payload.socPercent'],
    ['more power than the device has', payload({ powerKw: 999 }), 'intervals[0].payload.powerKw'],
    ['a power below zero', payload({ powerKw: -1 }), 'intervals[0].payload.powerKw'],
    ['an unknown payload', payload({ type: 'boil' }), 'intervals[0].payload.type'],
    ['an hour that no clock shows', interval({ start: '25:00' }), 'intervals[0].start'],
    ['an interval of no length', interval({ start: '05:00' }), 'intervals[0].end'],
    ['no interval', { intervals: [] }, 'intervals'],
    [
      'a plan of 400 intervals',
      { intervals: Array.from({ length: 400 }, () => EVENING[0]) },
      'intervals',
    ],
    ['both a plan and a set point', { intervals: EVENING, powerKw: 1 }, 'powerKw'],
    [
      'an end before its start',
      { start: '2030-01-02T00:00:00Z', end: '2030-01-01T00:00:00Z' },
      'end',
    ],
    ['a start in the past', { start: '2026-06-14T00:00:00Z' }, 'start'],
    ['an end that is over', { end: 1_000_000 }, 'end'],
    ['a start that is no time', { start: 'tomorrow' }, 'start'],
    ['years', { end: '2030-01-01T00:00:00Z' }, 'end'],
    ['a heartbeat every second', { heartbeatSeconds: 1 }, 'heartbeatSeconds'],
    ['10,001 devices', { sn: Array.from({ length: 10_001 }, (_, i) => `SN${i}`) }, 'sn'],
  ];

  test.each(faults)('is refused %s', async (_, body, field) => {
    const { here, partner } = await place();
    const before = await stored();
    for (const id of ['strategy/validate', 'strategy/create'] as const)
      expect([
        id,
        (await partner.ask(id, scene.request({ sn: here.sn, ...body }))).body,
      ]).toMatchObject([id, { code: 'H0001', data: { field, expected: expect.any(String) } }]);
    expect(await stored()).toEqual(before);
  });

  test.each([
    ['without a battery', { model: 'SIM-5K' }, 'intervals[0].payload.type'],
    ['that has not said which slots it has', { facts: {} }, 'intervals[0].payload.type'],
  ])('is refused a device %s', async (_, change, field) => {
    const here = await scene.home(change);
    const partner = await scene.partner(here.ownerId);
    for (const target of [{ sn: here.sn }, { plantIds: [here.plantId] }])
      expect(
        (await partner.ask('strategy/create', scene.request({ ...target, intervals: EVENING })))
          .body,
      ).toMatchObject({ code: 'H0001', data: { field } });
  });

  test('must say for which plants or devices, and until when', async () => {
    const { partner } = await place();
    expect((await partner.ask('strategy/create', scene.request({}))).body).toMatchObject({
      code: 'I0000',
      data: { field: 'plantIds' },
    });
    const { end: _, ...endless } = scene.request({ sn: 'X' });
    expect((await partner.ask('strategy/create', endless)).body).toMatchObject({
      code: 'I0000',
      data: { field: 'end' },
    });
    const { intervals: __, ...empty } = scene.request({ sn: 'X' });
    expect((await partner.ask('strategy/create', empty)).body).toMatchObject({
      code: 'I0000',
      data: { field: 'intervals' },
    });
  });

  test('of many devices one of which is foreign, none is dispatched', async () => {
    const { here, partner } = await place();
    const { here: foreign } = await place();
    const own = [here.sn];
    for (let i = 0; i < 20; i++)
      own.push((await scene.device(here.plantId, { model: 'SIM-8K-ES' })).sn);
    const before = [await stored(), await tasks()];
    for (const sn of [foreign.sn, 'UNKNOWN-1'])
      expect(
        (await partner.ask('strategy/create', scene.request({ sn: [...own, sn] }))).body,
      ).toMatchObject({ code: 'B0124', data: null });
    for (const plantId of [foreign.plantId, '1300000000000000000'])
      expect(
        (await partner.ask('strategy/create', scene.request({ plantIds: [here.plantId, plantId] })))
          .body,
      ).toMatchObject({ code: 'R0000', data: null });
    expect([await stored(), await tasks()]).toEqual(before);
    // One that is foreign, or in another plant of the owner, only when it is dispatched.
    for (const plantId of [foreign.plantId, await scene.plant(here.ownerId)]) {
      const { id } = (await partner.ask('strategy/create', scene.request({ sn: own }))).body.data;
      await database()
        .db.updateTable('device')
        .set({ plantId })
        .where('sn', '=', own[7]!)
        .execute();
      const drafted = await stored();
      expect((await partner.ask('strategy/dispatch', { id })).body).toMatchObject({
        code: 'B0124',
      });
      expect([await stored(), await tasks()]).toEqual([drafted, before[1]]);
      await database()
        .db.updateTable('device')
        .set({ plantId: here.plantId })
        .where('sn', '=', own[7]!)
        .execute();
    }
  });

  test(
    `a fleet of ${FLEET} devices is dispatched as a whole, or not at all`,
    { timeout: effort(60_000, 300_000) },
    async () => {
      const { here, partner } = await place();
      const { here: foreign } = await place();
      const sns = Array.from({ length: FLEET - 1 }, () => scene.uniqueSn('FLEET'));
      for (let from = 0; from < sns.length; from += 500) {
        const rows = sns.slice(from, from + 500).map((sn) => ({
          id: scene.newId(),
          sn,
          kind: 'inverter' as const,
          model: 'SIM-8K-ES',
          plantId: here.plantId,
        }));
        await database()
          .db.insertInto('device')
          .values(rows.map((row) => ({ ...row, facts: '{}', createdAt: clock.at })))
          .execute();
      }
      const waiting = async (): Promise<number> => (await tasks()).length;
      const before = await waiting();
      expect(
        (await partner.ask('strategy/create', scene.request({ sn: [...sns, foreign.sn] }))).body,
      ).toMatchObject({ code: 'B0124' });
      const id = await partner.dispatch({ sn: [...sns, here.sn], start: clock.at + HOUR_MS });
      expect((await waiting()) - before).toBe(FLEET);
      const { body } = await partner.ask('strategy/detail', { id, limit: 10 });
      expect(body.data).toMatchObject({ state: 'dispatching', devices: { dispatching: FLEET } });
      expect(body.data.targets.length).toBe(10);
      expect((await scene.callAs(here.ownerId, 'strategy/stop', { id })).body.code).toBe('0');
      expect((await partner.ask('strategy/detail', { id, limit: 1 })).body.data).toMatchObject({
        state: 'cancelled',
        devices: { cancelled: FLEET },
      });
      await database().db.deleteFrom('task').where('kind', '=', 'strategyDevice').execute();
    },
  );

  test('all inverters of a plant that can do it are meant by the plant', async () => {
    const { here, partner } = await place();
    await scene.device(here.plantId, { model: 'SIM-5K' });
    const request = scene.request({ plantIds: [here.plantId], sn: [here.sn], intervals: EVENING });
    expect((await partner.ask('strategy/validate', request)).body.data).toEqual({ devices: 1 });
  });

  test('cannot have a device that another strategy has at that time; of another application’s, it learns the times only (C29)', async () => {
    const { here, partner } = await place();
    const rival = await scene.partner(here.ownerId);
    const [start, end] = [clock.at + HOUR_MS, clock.at + 2 * HOUR_MS];
    const id = await partner.dispatch({ sn: here.sn, start, end });
    const overlapping = () => scene.request({ sn: here.sn, start: end - 1, end: end + HOUR_MS });
    for (const [who, known] of [
      [rival, {}],
      [partner, { id }],
    ] as const) {
      expect((await who.ask('strategy/validate', overlapping())).body).toMatchObject({
        code: 'H0003',
      });
      const { body } = await who.ask('strategy/create', overlapping());
      const refused = (await who.ask('strategy/dispatch', { id: body.data.id })).body;
      expect(refused).toMatchObject({ code: 'H0003', success: false });
      expect(refused.data).toEqual({ sn: here.sn, start, end, ...known });
    }
    // One that begins when the other ends, or ends when it begins, is none of these.
    await rival.dispatch({ sn: here.sn, start: end, end: end + HOUR_MS });
    await rival.dispatch({ sn: here.sn, end: start });
    expect((await rival.ask('strategy/detail', { id })).body).toMatchObject({ code: 'R0000' });
  });

  test('of two strategies that are dispatched at once, one gets the device', async () => {
    const { here, partner } = await place();
    const rival = await scene.partner(here.ownerId);
    const drafts = await Promise.all(
      [partner, rival].map(async (who) => ({
        who,
        id: (await who.ask('strategy/create', scene.request({ sn: here.sn }))).body.data
          .id as string,
      })),
    );
    const answers = await Promise.all(
      drafts.map(({ who, id }) => who.ask('strategy/dispatch', { id })),
    );
    expect(answers.map(({ body }) => body.code).toSorted()).toEqual(['0', 'H0003']);
  });

  test('the next strategy begins with the settings that the one before has restored', async () => {
    const { here, partner } = await place();
    const before = here.registers();
    const middle = clock.at + HOUR_MS;
    await partner.dispatch({ sn: here.sn, end: middle });
    const next = await partner.dispatch({
      sn: here.sn,
      start: middle,
      intervals: [{ ...LIMITED[0], payload: { type: 'exportLimit', powerKw: 2 } }],
    });
    await settle(here);
    here.isOnline = false;
    await wait(HOUR_MS, here);
    here.isOnline = true;
    await wait(1000, here);
    expect(here.registers()).toMatchObject({ 230: '2000' });
    await scene.ask('strategy/cancel', partner.caller, { id: next });
    await settle(here);
    expect(here.registers()).toEqual(before);
  });

  test('the next strategy waits while the one before cannot be restored', async () => {
    const { here, partner } = await place();
    const before = here.registers();
    const middle = clock.at + HOUR_MS;
    await partner.dispatch({ sn: here.sn, end: middle });
    const next = await partner.dispatch({
      sn: here.sn,
      start: middle,
      intervals: [{ ...LIMITED[0], payload: { type: 'exportLimit', powerKw: 2 } }],
    });
    await settle(here);
    here.lost.add('230');
    await wait(HOUR_MS, here);
    for (let i = 0; i < 5; i++) await wait(3_000, here);
    expect(await scene.stored(next, here)).toMatchObject({ state: 'dispatching', appliedAt: null });
    expect(here.registers()).toEqual({ ...before, 230: '1000' });
    here.lost.clear();
    await wait(60_000, here);
    expect(here.registers()).toMatchObject({ 230: '2000' });
    await scene.ask('strategy/cancel', partner.caller, { id: next });
    await settle(here);
    expect(here.registers()).toEqual(before);
  });

  test('amends a strategy before and after it begins, but not once it has ended (C30)', async () => {
    const { here, partner } = await place();
    const before = here.registers();
    const id = await partner.dispatch({ sn: here.sn, start: clock.at + HOUR_MS });
    const amend = async (body: object) =>
      (await partner.ask('strategy/amend', { id, ...body })).body;
    expect(await amend({ start: clock.at })).toMatchObject({
      code: '0',
      data: { startAt: clock.at },
    });
    await settle(here);
    expect(here.registers()).toMatchObject({ 230: '1000' });
    expect(
      await amend({ intervals: [{ ...LIMITED[0], payload: { type: 'exportLimit', powerKw: 3 } }] }),
    ).toMatchObject({ code: '0' });
    await settle(here);
    expect(here.registers()).toMatchObject({ 230: '3000' });
    for (const [body, field] of [
      [{ start: clock.at + 1000 }, 'start'],
      [{ end: clock.at - 1 }, 'end'],
      [{ powerKw: 3 }, 'powerKw'],
      [{ intervals: [{ ...LIMITED[0], end: '99:00' }] }, 'intervals[0].end'],
    ] as const)
      expect(await amend(body)).toMatchObject({ code: 'H0001', data: { field } });
    expect(here.registers()).toMatchObject({ 230: '3000' });
    expect(await amend({ end: clock.at + 60_000 })).toMatchObject({ code: '0' });
    await wait(60_000, here);
    expect(here.registers()).toEqual(before);
    expect(await amend({ end: clock.at + HOUR_MS })).toMatchObject({ code: 'H0005', data: null });
    expect((await partner.ask('strategy/dispatch', { id })).body).toMatchObject({ code: 'H0005' });
  });

  test('an amendment into the time of another strategy is refused', async () => {
    const { here, partner } = await place();
    const id = await partner.dispatch({ sn: here.sn, end: clock.at + HOUR_MS });
    await partner.dispatch({ sn: here.sn, start: clock.at + HOUR_MS, end: clock.at + 2 * HOUR_MS });
    expect(
      (await partner.ask('strategy/amend', { id, end: clock.at + 90 * 60_000 })).body,
    ).toMatchObject({ code: 'H0003' });
  });

  test('keeps a strategy alive by heartbeats', async () => {
    const { here, partner } = await place();
    const id = await partner.dispatch({ sn: here.sn, heartbeatSeconds: 60 });
    for (let i = 0; i < 5; i++) {
      await wait(50_000, here);
      expect((await partner.ask('strategy/heartbeat', { id })).body).toMatchObject({
        code: '0',
        data: { nextBefore: clock.at + 60_000 },
      });
    }
    expect(here.registers()).toMatchObject({ 230: '1000' });
    await wait(65_000, here);
    expect((await partner.ask('strategy/heartbeat', { id })).body).toMatchObject({ code: 'H0005' });
    expect((await partner.ask('strategy/detail', { id })).body.data).toMatchObject({
      state: 'cancelled',
      reason: 'no heartbeat arrived in time',
    });
  });

  test('leaves writes to the owner and to what restores the settings (C35)', async () => {
    const { here, partner } = await place();
    const before = here.registers();
    const id = await partner.dispatch({ sn: here.sn });
    let powerKw = 1;
    for (let state = 'active'; state === 'active' && powerKw < 30; powerKw++) {
      await settle(here);
      ({ state } = (await partner.ask('strategy/detail', { id })).body.data);
      await partner.ask('strategy/amend', {
        id,
        intervals: [{ ...LIMITED[0], payload: { type: 'exportLimit', powerKw: 1 + powerKw / 10 } }],
      });
    }
    await settle(here);
    // 24 writes a day: four are the owner's, and one restores the setting.
    expect(here.written.filter(([parameter]) => parameter === '230').length).toBe(24 - 4);
    expect((await partner.ask('strategy/detail', { id })).body.data).toMatchObject({
      state: 'failed',
      targets: [{ reason: expect.stringContaining('may not be written more often today') }],
    });
    expect(here.registers()).toEqual(before);
    for (let i = 0; i < 4; i++) {
      await scene.send(here, '230', String(5000 + i));
      await settle(here);
    }
    expect(here.registers()).toEqual({ ...before, 230: '5003' });
  });

  test('an installer sees of a strategy the devices in the shared plant, and counts no others', async () => {
    const { here, partner } = await place();
    const besides = await scene.plant(here.ownerId);
    const { sn } = await scene.device(besides, { model: 'SIM-8K-ES', sn: scene.uniqueSn() });
    const id = (await partner.ask('strategy/create', scene.request({ sn: [here.sn, sn] }))).body
      .data.id as string;
    const { id: installer, email } = await scene.person();
    await scene.write((trx) => sharePlant(trx, scene.act(), here.plantId, email, 'read'));
    const { body } = await scene.callAs(installer, 'strategy/detail', { id });
    expect(body.data).toMatchObject({ devices: { draft: 1 }, targets: [{ sn: here.sn }] });
    expect(JSON.stringify(body)).not.toContain(sn);
  });
});
