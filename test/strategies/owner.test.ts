import { expect, test } from 'vitest';
import { describeStrategies, EVENING } from './scene.ts';

const HOUR_MS = 3_600_000;

describeStrategies('the owner of a plant', (scene) => {
  const { clock, settle, wait, stored } = scene;
  const place = async () => {
    const here = await scene.battery();
    const asOwner = async (id: Parameters<typeof scene.callAs>[1], body: Record<string, unknown>) =>
      (await scene.callAs(here.ownerId, id, body)).body;
    return { here, partner: await scene.partner(here.ownerId), asOwner };
  };

  test('sees every strategy for the plant, and who dispatched it', async () => {
    const { here, partner, asOwner } = await place();
    const id = await partner.dispatch({ sn: here.sn });
    await settle(here);
    const about = {
      id,
      state: 'active',
      applicationName: partner.client.application.name,
      devices: { active: 1 },
    };
    expect((await asOwner('strategy/list', { plantId: here.plantId })).data).toMatchObject([about]);
    expect((await asOwner('strategy/detail', { id })).data).toMatchObject({
      ...about,
      targets: [{ sn: here.sn, plantId: here.plantId, state: 'active' }],
    });
    expect((await asOwner('strategy/detail', { id, after: here.sn })).data.targets).toEqual([]);
  });

  test('ends a strategy in one plant, and it goes on in the others', async () => {
    const { here, partner, asOwner } = await place();
    const other = await scene.plant(here.ownerId);
    const { sn, id: deviceId } = await scene.device(other, {
      model: 'SIM-8K-ES',
      sn: scene.uniqueSn(),
    });
    const id = await partner.dispatch({ sn: [here.sn, sn] });
    await settle(here);
    expect(await asOwner('strategy/stop', { id, plantId: here.plantId })).toMatchObject({
      code: '0',
      data: null,
    });
    await settle(here);
    expect(await stored(id, here)).toMatchObject({
      state: 'cancelled',
      reason: 'the owner of the plant stopped it',
      restoredAt: expect.any(Number),
    });
    expect(await stored(id, { ...here, deviceId })).toMatchObject({ state: 'dispatching' });
    expect(await asOwner('strategy/stop', { id })).toMatchObject({ code: '0' });
    expect((await asOwner('strategy/detail', { id })).data).toMatchObject({ state: 'cancelled' });
    // Again, and what was a draft.
    expect(await asOwner('strategy/stop', { id })).toMatchObject({ code: '0' });
  });

  test('ends a draft, too: it cannot be dispatched any more', async () => {
    const { here, partner, asOwner } = await place();
    const { id } = (await partner.ask('strategy/create', scene.request({ sn: here.sn }))).body.data;
    await asOwner('strategy/stop', { id });
    expect((await partner.ask('strategy/dispatch', { id })).body).toMatchObject({ code: 'H0005' });
    expect(await stored(id, here)).toMatchObject({
      state: 'cancelled',
      restoredAt: expect.any(Number),
    });
  });

  test('sets limits that no strategy passes (C34)', async () => {
    const { here, partner, asOwner } = await place();
    const { plantId } = here;
    expect((await asOwner('strategy/limits', { plantId })).data).toEqual({ quietHours: [] });
    const limits = {
      reserveSocPercent: 30,
      cyclesPerDay: 0.5,
      quietHours: [{ start: '18:00', end: '19:00' }],
    };
    expect((await asOwner('strategy/setLimits', { plantId, ...limits })).data).toEqual(limits);
    expect((await asOwner('strategy/limits', { plantId })).data).toEqual(limits);
    const discharge = (start: string, end: string, socPercent: number) => ({
      intervals: [{ start, end, payload: { type: 'discharge', socPercent, powerKw: 2 } }],
    });
    for (const [body, field] of [
      [discharge('12:00', '13:00', 29), 'intervals[0].payload.socPercent'],
      [discharge('12:00', '13:00', 40), 'intervals'],
      [discharge('17:30', '18:30', 60), 'intervals[0].start'],
    ] as const)
      expect(
        (await partner.ask('strategy/validate', scene.request({ sn: here.sn, ...body }))).body,
      ).toMatchObject({ code: 'H0001', data: { field } });
    expect(
      (
        await partner.ask(
          'strategy/validate',
          scene.request({ sn: here.sn, ...discharge('12:00', '13:00', 60) }),
        )
      ).body,
    ).toMatchObject({ code: '0' });
    // What is not sent is removed.
    expect((await asOwner('strategy/setLimits', { plantId })).data).toEqual({ quietHours: [] });
  });

  test('sets limits that a strategy under way is adjusted to', async () => {
    const { here, partner, asOwner } = await place();
    const before = here.registers();
    const id = await partner.dispatch({ sn: here.sn, intervals: EVENING });
    await settle(here);
    expect(here.registers()).toMatchObject({ 5965: '20', 5964: '17:00-20:00' });
    await asOwner('strategy/setLimits', {
      plantId: here.plantId,
      reserveSocPercent: 35,
      quietHours: [{ start: '19:00', end: '23:00' }],
    });
    await settle(here);
    expect(here.registers()).toMatchObject({ 5965: '35', 5964: '17:00-19:00' });
    // There is no smaller number of cycles to be had from this plan.
    await asOwner('strategy/setLimits', { plantId: here.plantId, cyclesPerDay: 0.1 });
    await settle(here);
    expect(await stored(id, here)).toMatchObject({
      state: 'cancelled',
      reason: expect.stringContaining('0.1 cycles a day'),
    });
    expect(here.registers()).toEqual(before);
  });

  test.each([
    ['a reserve of 101', { reserveSocPercent: 101 }, 'reserveSocPercent'],
    ['cycles below zero', { cyclesPerDay: -1 }, 'cyclesPerDay'],
    [
      'hours that no clock shows',
      { quietHours: [{ start: '12:00', end: '24:30' }] },
      'quietHours[0].end',
    ],
    ['hours of no length', { quietHours: [{ start: '12:00', end: '12:00' }] }, 'quietHours[0].end'],
    [
      'unknown days',
      { quietHours: [{ start: '12:00', end: '13:00', days: ['someday'] }] },
      'quietHours[0].days',
    ],
    [
      'unknown names',
      { quietHours: [{ start: '12:00', end: '13:00', day: 'mon' }] },
      'quietHours[0]',
    ],
    [
      'too many hours',
      { quietHours: Array.from({ length: 21 }, () => ({ start: '12:00', end: '13:00' })) },
      'quietHours',
    ],
  ])('is refused %s', async (_, body, field) => {
    const { here, asOwner } = await place();
    expect(await asOwner('strategy/setLimits', { plantId: here.plantId, ...body })).toMatchObject({
      code: 'H0001',
      data: { field },
    });
    expect((await asOwner('strategy/limits', { plantId: here.plantId })).data).toEqual({
      quietHours: [],
    });
  });

  test('undoes what somebody changed, never a step of a strategy, and sees which writes were such steps', async () => {
    const { here, partner, asOwner } = await place();
    await asOwner('command/send', { sn: here.sn, cid: '158', value: '15' });
    await settle(here);
    const id = await partner.dispatch({ sn: here.sn, intervals: EVENING });
    await settle(here);
    await asOwner('strategy/stop', { id });
    await settle(here);
    const { data: commands } = (await asOwner('command/list', { sn: here.sn })) as unknown as {
      data: { parameter: string; strategyId?: string; by: string }[];
    };
    const steps = commands.filter(({ strategyId }) => strategyId === id);
    expect(new Set(steps.map(({ by }) => by))).toEqual(
      new Set([`application:${partner.client.application.id}`, 'service']),
    );
    expect(commands.filter(({ strategyId }) => strategyId === undefined)).toMatchObject([
      { parameter: '158', by: expect.stringMatching(/^key:/) },
    ]);
    expect((await asOwner('command/undo', { sn: here.sn })).data).toMatchObject({
      parameter: '158',
      newValue: '10',
    });
    expect(await asOwner('command/undo', { sn: here.sn, cid: steps[0]!.parameter })).toMatchObject({
      code: 'R0000',
      msg: 'there is no change to undo',
    });
  });

  test('stops the writes of others: no strategy is dispatched until they are released', async () => {
    const { here, partner, asOwner } = await place();
    await asOwner('control/stop', { plantId: here.plantId });
    const request = scene.request({ sn: here.sn });
    expect((await partner.ask('strategy/validate', request)).body).toMatchObject({
      code: 'R0004',
      data: { sn: here.sn },
    });
    const { id } = (await partner.ask('strategy/create', request)).body.data;
    expect((await partner.ask('strategy/dispatch', { id })).body).toMatchObject({ code: 'R0004' });
    await asOwner('control/release', { plantId: here.plantId });
    expect((await partner.ask('strategy/dispatch', { id })).body).toMatchObject({ code: '0' });
  });

  test('finds it all in the history: what was written, by whom, and what was restored', async () => {
    const { here, partner, asOwner } = await place();
    await partner.dispatch({ sn: here.sn, end: clock.at + HOUR_MS });
    await settle(here);
    await wait(HOUR_MS, here);
    const writes = (await asOwner('command/list', { sn: here.sn })).data as {
      parameter: string;
      door: string;
      by: string;
      newValue: string;
    }[];
    const of = (door: string) =>
      writes
        .filter((one) => one.door === door && one.parameter === '230')
        .map(({ by, newValue }) => [by, newValue]);
    expect(of('oauth')).toEqual([[`application:${partner.client.application.id}`, '1000']]);
    expect(of('service')).toEqual([['service', '8000']]);
    const events = await scene
      .database()
      .db.selectFrom('auditEvent')
      .select('kind')
      .where('accountId', '=', here.ownerId)
      .where('kind', 'like', 'strategy.%')
      .orderBy('id')
      .execute();
    expect(events.map(({ kind }) => kind)).toEqual(['strategy.created', 'strategy.dispatched']);
    const restored = await scene
      .database()
      .db.selectFrom('auditEvent')
      .select(['actor', 'data'])
      .where('accountId', '=', here.ownerId)
      .where('kind', '=', 'device.commanded')
      .where('actor', '=', 'service')
      .execute();
    expect(restored.length).toBeGreaterThan(0);
    for (const { data } of restored)
      expect(JSON.parse(data)).toMatchObject({ restoresAfter: partner.caller.grantId });
  });
});
