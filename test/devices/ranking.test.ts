import { expect, test } from 'vitest';
import { changeAlarms } from '../../packages/server/src/outbound/alarms/alarm-rows.ts';
import { markPosted } from '../../packages/server/src/fleet/collectors/presence.ts';
import { sharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import { archivePlant } from '../../packages/server/src/fleet/plants/plants.ts';
import { createFleet } from '../operations/fleet.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';

const NOON = '2026-06-01T12:00:00Z';

describeEngines('the devices of a plant', (database) => {
  const clock = settableClock(NOON);
  const fleet = createFleet(database, clock);

  /** A plant with one device of each sort of trouble and of none, by name. */
  const scene = async () => {
    clock.at = Date.parse(NOON);
    const { id: owner } = await fleet.person();
    const plantId = await fleet.plant(owner, {
      name: 'Works',
      latitude: 52.5,
      longitude: 13.4,
      timeZone: 'Europe/Berlin',
    });
    const make = (name: string, more: object = {}) =>
      fleet.device(plantId, { name, model: 'SIM-8K', ratedPowerW: 8000, ...more });
    const [good, faulty, silent] = [
      await make('Roof 2'),
      await make('Roof 10'),
      await make('Gärtnerei'),
    ];
    const large = await make('Roof 1', { ratedPowerW: 20_000 });
    const meter = await make('Meter', { kind: 'ammeter', ratedPowerW: null });
    await fleet.device(await fleet.plant(owner), { name: 'In another plant' });
    await make('Logger', { kind: 'collector', ratedPowerW: null });
    const produce = (sn: string, minute: number, kwh: number, acPowerW: number) =>
      fleet.report(sn, [
        [
          Date.parse('2026-06-01T11:00:00Z') + minute * 60_000,
          { acPowerW, energyTodayKwh: kwh, energyTotalKwh: 100 + kwh },
        ],
      ]);
    clock.at = Date.parse('2026-06-01T07:01:00Z');
    await produce(silent.sn, -240, 4, 9000);
    clock.at = Date.parse(NOON);
    await produce(good.sn, 57, 32, 4000);
    await produce(faulty.sn, 58, 16, 0);
    await produce(large.sn, 56, 40, 5000);
    await fleet.report(meter.sn, [
      ['2026-06-01T11:59:00Z', { gridPowerW: -700, gridImportTotalKwh: 5 }],
    ]);
    await fleet.watch();
    const circumstances = { now: clock.at, newId: fleet.newId };
    const fault = {
      code: 'TEST1',
      level: 2,
      message: 'made up',
      beginAt: clock.at - 60_000,
    } as const;
    await fleet.write((trx) => changeAlarms(trx, circumstances, faulty.id, [{ raise: fault }]));
    const ask = (body: object = {}, accountId = owner) =>
      fleet.ask('device/ranking', userCaller(accountId), { plantId, ...body });
    const names = async (body: object = {}) =>
      (await ask(body)).page.records.map(({ name }) => name);
    return { owner, plantId, good, faulty, silent, meter, ask, names };
  };

  test('are listed by what most needs looking at: an alarm, then those that should be online', async () => {
    const { ask, faulty, silent } = await scene();
    const { page, kinds, states } = await ask();
    expect(page.records.map(({ name }) => name)).toEqual([
      'Roof 10',
      'Gärtnerei',
      'Logger',
      'Meter',
      'Roof 1',
      'Roof 2',
    ]);
    expect([kinds, states, page.total]).toEqual([
      { inverter: 4, collector: 1, epm: 0, ammeter: 1, weather: 0 },
      { online: 3, offline: 2, alarm: 1 },
      6,
    ]);
    expect(page.records.slice(0, 3)).toMatchObject([
      { id: faulty.id, state: 'alarm', alarmCount: 1, powerW: 0 },
      { id: silent.id, state: 'offline', abnormallyOffline: true, alarmCount: 0 },
      { state: 'offline', abnormallyOffline: false, alarmCount: 0 },
    ]);
    // A power of this morning is not one of now.
    expect(page.records[1]!.powerW).toBeUndefined();
  });

  test.each([
    ['name', 'up', ['Gärtnerei', 'Logger', 'Meter', 'Roof 1', 'Roof 2', 'Roof 10']],
    ['name', 'down', ['Roof 10', 'Roof 2', 'Roof 1', 'Meter', 'Logger', 'Gärtnerei']],
    ['kind', 'up', ['Gärtnerei', 'Roof 1', 'Roof 2', 'Roof 10', 'Logger', 'Meter']],
    ['power', undefined, ['Roof 1', 'Roof 2', 'Roof 10', 'Meter', 'Gärtnerei', 'Logger']],
    ['power', 'up', ['Meter', 'Roof 10', 'Roof 2', 'Roof 1', 'Gärtnerei', 'Logger']],
    ['day', 'down', ['Roof 1', 'Roof 2', 'Roof 10', 'Gärtnerei', 'Logger', 'Meter']],
    // For each kW, the largest one yields less.
    ['fullHours', 'down', ['Roof 2', 'Roof 1', 'Roof 10', 'Gärtnerei', 'Logger', 'Meter']],
    ['reported', 'up', ['Gärtnerei', 'Roof 1', 'Roof 2', 'Roof 10', 'Meter', 'Logger']],
  ] as const)(
    'are sorted by %s, %s, those without a value last',
    async (sort, direction, expected) => {
      const { names } = await scene();
      expect(await names({ sort, ...(direction && { direction }) })).toEqual(expected);
    },
  );

  test('are searched by name, serial number and model, and narrowed to a kind and to states', async () => {
    const { names, ask, meter } = await scene();
    expect(await names({ search: 'GARTN' })).toEqual(['Gärtnerei']);
    expect(await names({ search: meter.sn.toLowerCase() })).toEqual(['Meter']);
    expect(await names({ search: 'sim-8k', kind: 'inverter', states: 'online' })).toEqual([
      'Roof 1',
      'Roof 2',
    ]);
    // The counters are those of what could be chosen.
    const { page, kinds, states } = await ask({
      search: 'roof',
      states: 'alarm',
      kind: 'inverter',
    });
    expect([page.total, kinds.inverter, states]).toEqual([
      1,
      4,
      { online: 2, offline: 0, alarm: 1 },
    ]);
    expect(await names({ search: '%' })).toEqual([]);
  });

  test('come a page at a time, each once', async () => {
    const { names, ask } = await scene();
    const pages = [
      await names({ pageSize: 4 }),
      await names({ pageSize: 4, pageNo: 2 }),
      await names({ pageSize: 4, pageNo: 3 }),
    ];
    expect(pages.map(({ length }) => length)).toEqual([4, 2, 0]);
    expect(new Set(pages.flat()).size).toBe(6);
    expect((await ask({ pageSize: 4, pageNo: 2 })).page).toMatchObject({
      total: 6,
      pageNo: 2,
      pageSize: 4,
    });
  });

  test('show what the signed interface shows of each', async () => {
    const { owner, plantId, ask, good, meter } = await scene();
    const byKey = userCaller(owner, { keyId: '1300000000000000001' });
    const { page } = await ask({ sort: 'name' });
    const { page: inverters } = await fleet.wire('inverterList', byKey, { stationId: plantId });
    for (const { id, state, pac, etoday, dataTimestamp, sn } of inverters.records) {
      const one = page.records.find((device) => device.id === id)!;
      expect([
        one.sn,
        { online: 1, offline: 2, alarm: 3 }[one.state],
        one.dayKwh,
        one.lastReportAt,
      ]).toEqual([sn, state, etoday, Number(dataTimestamp)]);
      if (one.state !== 'offline') expect(one.powerW).toBe(pac * 1000);
    }
    expect(page.records.find(({ id }) => id === good.id)).toMatchObject({
      powerW: 4000,
      dayKwh: 32,
      fullHours: 4,
    });
    const { psum } = await fleet.wire('ammeterDetail', byKey, { id: meter.id });
    expect(page.records.find(({ id }) => id === meter.id)!.powerW).toBe(psum * 1000);
  });

  test('have no full-load hours without a rated power; a collector’s last report is its last post', async () => {
    const { plantId, ask } = await scene();
    const unrated = await fleet.device(plantId, { name: 'Unrated' });
    await fleet.report(unrated.sn, [
      ['2026-06-01T10:00:00Z', { acPowerW: 1000, energyTotalKwh: 5 }],
      ['2026-06-01T11:55:00Z', { acPowerW: 1000, energyTotalKwh: 8 }],
    ]);
    const { page } = await ask({ sort: 'name' });
    const logger = page.records.find(({ name }) => name === 'Logger')!;
    const posted = database()
      .db.selectFrom('device')
      .select(['id', 'state', 'reportedAt', 'expectedSeconds', 'clockOffsetSeconds', 'backlogAt'])
      .where('id', '=', logger.id);
    await markPosted(database().db, await posted.executeTakeFirstOrThrow(), clock.at);
    expect(logger.lastReportAt).toBeUndefined();
    const { page: later } = await ask({ sort: 'name' });
    expect(later.records.find(({ name }) => name === 'Logger')).toMatchObject({
      state: 'online',
      lastReportAt: clock.at,
    });
    const shown = later.records.find(({ name }) => name === 'Unrated')!;
    expect([shown.dayKwh, shown.fullHours]).toEqual([3, undefined]);
  });

  test('are shown to those with whom the plant is shared, and of an archived plant to nobody', async () => {
    const { plantId, ask, owner } = await scene();
    const [installer, stranger] = [await fleet.person(), await fleet.person()];
    await fleet.write((trx) => sharePlant(trx, fleet.act(), plantId, installer.email, 'read'));
    expect((await ask({}, installer.id)).page.total).toBe(6);
    await expect(ask({}, stranger.id)).rejects.toMatchObject({ code: 'noPermission' });
    await fleet.write((trx) => archivePlant(trx, fleet.act(), plantId));
    for (const accountId of [owner, installer.id])
      await expect(ask({}, accountId)).rejects.toMatchObject({ code: 'noPermission' });
  });
});
