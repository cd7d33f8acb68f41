import { expect, test } from 'vitest';
import { FEW_PLANTS } from '../../../packages/contract/src/index.ts';
import {
  changeAlarms,
  type AlarmChange,
} from '../../../packages/server/src/outbound/alarms/alarm-rows.ts';
import { createFigureCaches } from '../../../packages/server/src/measurements/figures/sources.ts';
import { createRankingFigures } from '../../../packages/server/src/measurements/figures/plant/ranking-figures.ts';
import { archivePlant, updatePlant } from '../../../packages/server/src/fleet/plants/plants.ts';
import { changeTimeZone } from '../../../packages/server/src/fleet/plants/zones.ts';
import { createSqlSeries } from '../../../packages/server/src/measurements/series/sql/sql-series.ts';
import { createTelemetry } from '../../../packages/server/src/measurements/telemetry/create-telemetry.ts';
import { settledReads } from '../../../packages/server/src/measurements/ingest/settled-reads.ts';
import { createFleet } from '../../operations/fleet.ts';
import { sharePlant } from '../../../packages/server/src/fleet/plants/shares.ts';
import { describeEngines } from '../../support/engines.ts';
import { runOf } from '../../support/runs.ts';
import { settableClock, userCaller } from '../../support/world.ts';

const MORNING = '2026-06-01T08:00:00Z';

describeEngines('all plants of a caller', (database) => {
  const clock = settableClock(MORNING);
  const fleet = createFleet(database, clock);
  const faults: unknown[] = [];

  /** Has all figures worked out that are due. */
  const settle = async () => {
    const { db } = database();
    const telemetry = createTelemetry(settledReads(db, createSqlSeries(db)));
    const logger = { error: (fault: unknown) => void faults.push(fault) } as never;
    const standings = createRankingFigures({
      db,
      clock,
      telemetry,
      caches: createFigureCaches(),
      logger,
    });
    while (await standings.run(runOf(db, '')));
  };

  const plantIn = async (ownerId: string, timeZone: string, change: object = {}) => {
    const plantId = await fleet.plant(ownerId, { timeZone, pricePerKwh: 0.1, ...change });
    return { plantId, sn: (await fleet.device(plantId)).sn };
  };

  /** Makes so many of somebody's plants that their sums are those that were worked out. */
  const crowd = async (ownerId: string) => {
    for (let i = 0; i < FEW_PLANTS; i++) await fleet.plant(ownerId);
  };

  /** A reading with the day's energy so far. */
  const produce = (sn: string, at: string, kwh: number, powerW: number) =>
    fleet.report(sn, [[at, { acPowerW: powerW, energyTodayKwh: kwh, energyTotalKwh: 100 + kwh }]]);

  test('are sorted by the day’s yield of each plant’s own day: what was yielded before its midnight is not today’s', async () => {
    clock.at = Date.parse('2026-06-01T11:50:00Z');
    const { id: owner } = await fleet.person();
    const caller = userCaller(owner);
    const [auckland, berlin] = [
      await plantIn(owner, 'Pacific/Auckland'),
      await plantIn(owner, 'Europe/Berlin'),
    ];
    await produce(auckland.sn, '2026-06-01T03:00:00Z', 9, 4000);
    await produce(berlin.sn, '2026-06-01T11:40:00Z', 2, 1500);
    await crowd(owner);
    await settle();
    const ranked = async () =>
      (await fleet.ask('plant/ranking', caller, { sort: 'day', pageSize: 100 })).records.flatMap(
        ({ id, dayKwh }) => (dayKwh === undefined ? [] : [[id, dayKwh]]),
      );
    expect(await ranked()).toEqual([
      [auckland.plantId, 9],
      [berlin.plantId, 2],
    ]);
    expect(await fleet.ask('plant/overview', caller)).toMatchObject({
      plants: 22,
      dayKwh: 11,
      worths: [{ currency: 'EUR', today: 1.1 }],
      asOf: clock.at,
    });
    // Midnight in Auckland, before anything has been worked out again.
    clock.at = Date.parse('2026-06-01T12:00:00Z');
    expect(await ranked()).toEqual([
      [berlin.plantId, 2],
      [auckland.plantId, 0],
    ]);
    expect(await fleet.ask('plant/overview', caller)).toMatchObject({ dayKwh: 2, monthKwh: 11 });
    await settle();
    expect(await ranked()).toEqual([
      [berlin.plantId, 2],
      [auckland.plantId, 0],
    ]);
    expect(await fleet.ask('plant/overview', caller)).toMatchObject({
      dayKwh: 2,
      monthKwh: 11,
      yearKwh: 11,
      asOf: clock.at,
    });
  });

  test('are sorted by what each yielded for its size on its own day before today, until its midnight; what is unknown or has no size comes last', async () => {
    clock.at = Date.parse('2026-11-10T10:50:00Z');
    const { id: owner } = await fleet.person();
    const caller = userCaller(owner);
    const auckland = await plantIn(owner, 'Pacific/Auckland', { capacityKwp: 10 });
    const berlin = await plantIn(owner, 'Europe/Berlin', { capacityKwp: 5 });
    const bare = await plantIn(owner, 'UTC', { capacityKwp: 0 });
    const silent = await plantIn(owner, 'UTC', { capacityKwp: 8 });
    await produce(auckland.sn, '2026-11-09T02:00:00Z', 30, 4000);
    await fleet.report(auckland.sn, [
      ['2026-11-10T02:00:00Z', { acPowerW: 100, energyTodayKwh: 5, energyTotalKwh: 135 }],
    ]);
    await produce(berlin.sn, '2026-11-09T12:00:00Z', 10, 1500);
    await produce(bare.sn, '2026-11-09T12:00:00Z', 1, 100);
    await produce(silent.sn, '2026-11-10T10:00:00Z', 2, 100);
    await settle();
    const ranked = async (direction: 'up' | 'down') =>
      (await fleet.ask('plant/ranking', caller, { sort: 'yesterday', direction })).records.map(
        (one) => [one.id, one.yesterdayKwh, one.yesterdayFullHours],
      );
    const unknown = [
      [bare.plantId, 1, undefined],
      [silent.plantId, undefined, undefined],
    ];
    expect(await ranked('up')).toEqual([
      [berlin.plantId, 10, 2],
      [auckland.plantId, 30, 3],
      ...unknown,
    ]);
    expect(await ranked('down')).toEqual([
      [auckland.plantId, 30, 3],
      [berlin.plantId, 10, 2],
      ...unknown.toReversed(),
    ]);
    const signed = await fleet.wire(
      'stationDayEnergyList',
      userCaller(owner, { keyId: '1300000000000000001' }),
      { time: '2026-11-09', pageSize: 10 },
    );
    expect(signed.records).toHaveLength(4);
    for (const [id, kwh, fullHours] of await ranked('up')) {
      const row = signed.records.find((one: { id: string }) => one.id === id);
      expect([row.energy, row.fullHour], String(id)).toEqual([kwh, fullHours]);
    }
    // Midnight in Auckland, before anything has been worked out again: that yesterday has ended.
    clock.at = Date.parse('2026-11-10T11:00:00Z');
    expect((await ranked('up')).at(-1)).toEqual([auckland.plantId, 5, 0.5]);
    await settle();
    expect(await ranked('up')).toEqual([
      [auckland.plantId, 5, 0.5],
      [berlin.plantId, 10, 2],
      ...unknown,
    ]);
    // Midnight in Berlin, where nothing has reported since.
    clock.at = Date.parse('2026-11-10T23:00:00Z');
    await settle();
    expect(await ranked('up')).toEqual([
      [auckland.plantId, 5, 0.5],
      [berlin.plantId, undefined, undefined],
      ...unknown,
    ]);
  });

  test('keep last month’s energy out of the month, and have what is old worked out again when it is due', async () => {
    clock.at = Date.parse('2026-06-30T21:00:00Z');
    const { id: owner } = await fleet.person();
    const caller = userCaller(owner);
    const plant = await plantIn(owner, 'Europe/Berlin');
    await produce(plant.sn, '2026-06-30T20:50:00Z', 3, 100);
    await crowd(owner);
    await settle();
    expect(await fleet.ask('plant/overview', caller)).toMatchObject({
      dayKwh: 3,
      monthKwh: 3,
      yearKwh: 3,
    });
    clock.at = Date.parse('2026-06-30T22:00:00Z');
    const ended = await fleet.ask('plant/overview', caller);
    expect([ended.dayKwh, ended.monthKwh, ended.yearKwh]).toEqual([undefined, undefined, 3]);
    await settle();
    expect(await fleet.ask('plant/overview', caller)).toMatchObject({
      dayKwh: 0,
      monthKwh: 0,
      yearKwh: 3,
      asOf: clock.at,
    });
    const settledAt = clock.at;
    clock.at += 60_000;
    await settle();
    expect(await fleet.ask('plant/overview', caller)).toMatchObject({ asOf: settledAt });
    clock.at = settledAt + 300_000;
    await settle();
    expect(await fleet.ask('plant/overview', caller)).toMatchObject({ asOf: clock.at });
  });

  test('have a day that ends elsewhere after a change of the time zone', async () => {
    clock.at = Date.parse('2026-08-01T23:00:00Z');
    const { id: owner } = await fleet.person();
    const plant = await plantIn(owner, 'UTC');
    await produce(plant.sn, '2026-08-01T22:00:00Z', 5, 100);
    await settle();
    await fleet.write((trx) => changeTimeZone(trx, fleet.act(), plant.plantId, 'Asia/Tokyo'));
    await settle();
    const { dayEndsAt } = await database()
      .db.selectFrom('plantStanding')
      .select('dayEndsAt')
      .where('plantId', '=', plant.plantId)
      .executeTakeFirstOrThrow();
    expect(new Date(dayEndsAt).toISOString()).toBe('2026-08-02T15:00:00.000Z');
  });

  test('show the figures that the signed interface shows, and no power while a plant is offline', async () => {
    clock.at = Date.parse('2026-09-01T10:00:00Z');
    const { id: owner } = await fleet.person();
    const caller = userCaller(owner);
    const [busy, idle] = [
      await plantIn(owner, 'UTC', { currency: 'CHF', address: 'Sonnenweg 1' }),
      await plantIn(owner, 'UTC'),
    ];
    await produce(busy.sn, '2026-09-01T09:50:00Z', 4, 2500);
    await produce(idle.sn, '2026-09-01T03:00:00Z', 7, 9000);
    await fleet.watch();
    await settle();
    const { records, total } = await fleet.ask('plant/ranking', caller, { sort: 'power' });
    expect(total).toBe(2);
    const [first, second] = records;
    expect([first?.id, second?.id]).toEqual([busy.plantId, idle.plantId]);
    const wire = await fleet.wire(
      'stationDetail',
      userCaller(owner, { keyId: '1300000000000000001' }),
      { id: busy.plantId },
    );
    expect(first).toMatchObject({
      state: 'online',
      level: 'owner',
      currency: 'CHF',
      address: 'Sonnenweg 1',
      dayWorth: 0.4,
      totalWorth: expect.closeTo(0.4, 6),
    });
    expect([first!.powerW! / 1000, first!.dayKwh, first!.totalKwh, first!.lastReportAt]).toEqual([
      wire.power,
      wire.dayEnergy,
      wire.allEnergy,
      Number(wire.dataTimestamp),
    ]);
    expect(second).toMatchObject({ state: 'offline', dayKwh: 7 });
    expect(second!.powerW).toBeUndefined();
    // What has no devices yet is no part of what could produce now.
    await fleet.plant(owner, { capacityKwp: 7 });
    expect(await fleet.ask('plant/overview', caller)).toMatchObject({
      online: 1,
      offline: 1,
      building: 1,
      powerW: 2500,
      dayKwh: 11,
      capacityKwp: 20,
    });
    clock.at += 12 * 3_600_000;
    await fleet.watch();
    // Nothing has been worked out since it fell silent.
    for (const plants of [3, 23]) {
      const silent = await fleet.ask('plant/overview', caller);
      expect(silent).toMatchObject({
        plants,
        online: 0,
        offline: 2,
        unmeasured: plants - 2,
        capacityKwp: 20,
      });
      expect(silent.powerW).toBeUndefined();
      await crowd(owner);
    }
  });

  test.each([
    ['few', 0],
    ['many', FEW_PLANTS],
  ])('add up to what their list shows, of those that measure: %s', async (few, others) => {
    clock.at = Date.parse('2026-09-02T10:00:00Z');
    const { id: owner } = await fleet.person();
    const caller = userCaller(owner);
    // Half a cent each: rounded once, their sum would be a cent more than that of the amounts in the list.
    const [first, second] = [
      await plantIn(owner, 'UTC', { capacityKwp: 5 }),
      await plantIn(owner, 'UTC', { capacityKwp: 8 }),
    ];
    const silent = await plantIn(owner, 'UTC', { capacityKwp: 8.4 });
    await produce(first.sn, '2026-09-02T09:55:00Z', 4.34, 1000);
    await produce(second.sn, '2026-09-02T09:55:00Z', 4.34, 2000);
    for (let i = 0; i < others; i++) await fleet.plant(owner);
    await settle();
    // Nothing is worked out again before the head is read.
    await produce(second.sn, '2026-09-02T09:59:00Z', 4.44, 3000);
    const { records } = await fleet.ask('plant/ranking', caller, { pageSize: 100 });
    const head = await fleet.ask('plant/overview', caller);
    expect(head).toMatchObject({ plants: 3 + others, capacityKwp: 13, unmeasured: 1 + others });
    expect(records.find(({ id }) => id === silent.plantId)?.totalKwh).toBeUndefined();
    if (few === 'many') {
      expect(head).toMatchObject({ powerW: 3000, dayKwh: 8.68 });
      expect(head.recordedSince).toBeUndefined();
      return;
    }
    const sum = (of: (one: (typeof records)[number]) => number | null | undefined): number =>
      records.reduce((total, one) => total + (of(one) ?? 0), 0);
    expect(head).toMatchObject({ powerW: 4000, asOf: clock.at, recordedSince: '2026-09-02' });
    for (const name of ['powerW', 'dayKwh', 'monthKwh', 'yearKwh', 'totalKwh'] as const)
      expect(head[name], name).toBe(sum((one) => one[name]));
    const worths = records.flatMap(({ dayWorth }) =>
      typeof dayWorth === 'number' ? [dayWorth.toFixed(3)] : [],
    );
    expect(worths.toSorted((a, b) => a.localeCompare(b))).toEqual(['0.434', '0.444']);
    expect(head.worths).toMatchObject([{ currency: 'EUR', today: 0.87 }]);
  });

  test('tell which alarm most needs looking at: that of the highest level, of several the latest, none that was dealt with', async () => {
    clock.at = Date.parse('2026-09-02T10:00:00Z');
    const { id: owner } = await fleet.person();
    const caller = userCaller(owner);
    const plantId = await fleet.plant(owner, { name: 'Ailing' });
    const [first, second] = [await fleet.device(plantId), await fleet.device(plantId)];
    await plantIn(owner, 'UTC', { name: 'Well' });
    const raise = (deviceId: string, ...raised: [code: string, level: 1 | 2 | 3][]) => {
      const changes = raised.map(([code, level]): AlarmChange => ({
        raise: { code, level, message: `${code} of ${deviceId}`, beginAt: clock.at },
      }));
      return fleet.write((trx) =>
        changeAlarms(trx, { now: clock.at, newId: fleet.newId }, deviceId, changes),
      );
    };
    const rows = async () =>
      (await fleet.ask('plant/ranking', caller)).records.map((one) => [
        one.name,
        one.alarmCount,
        one.alarmCode,
        one.alarmMessage,
      ]);
    await raise(first.id, ['TIP', 1], ['OLD', 2]);
    await raise(second.id, ['NEW', 2], ['TIP', 1]);
    const well = ['Well', 0, undefined, undefined];
    expect(await rows()).toEqual([['Ailing', 4, 'NEW', `NEW of ${second.id}`], well]);
    await raise(first.id, ['WORST', 3]);
    expect(await rows()).toEqual([['Ailing', 5, 'WORST', `WORST of ${first.id}`], well]);
    const { records } = await fleet.ask('alarmList', caller, { stationId: plantId });
    for (const { code, id } of records)
      if (code === 'WORST' || code === 'NEW') await fleet.ask('alarm/process', caller, { id });
    expect(await rows()).toEqual([['Ailing', 3, 'OLD', `OLD of ${first.id}`], well]);
  });

  test('go by need: in each state, those whose alarms somebody has taken on come after those with others, at once', async () => {
    clock.at = Date.parse('2026-09-03T10:00:00Z');
    const { id: owner } = await fleet.person();
    const caller = userCaller(owner);
    const raise = { code: 'FAN', level: 2, message: 'fan', beginAt: clock.at } as const;
    const change = (deviceId: string, of: AlarmChange) =>
      fleet.write((trx) =>
        changeAlarms(trx, { now: clock.at, newId: fleet.newId }, deviceId, [of]),
      );
    const devices = [];
    for (const name of ['B', 'C', 'A']) {
      const device = await fleet.device(await fleet.plant(owner, { name }));
      await produce(device.sn, '2026-09-03T09:55:00Z', 1, 100);
      devices.push(device);
    }
    const [first, second] = devices;
    const ranked = async () => {
      const pages = await Promise.all(
        (['up', 'down'] as const).map((direction) =>
          fleet.ask('plant/ranking', caller, { sort: 'state', direction }),
        ),
      );
      const [up, down] = pages.map(({ records }) =>
        records.map(({ name, state }) => `${name} ${state}`),
      );
      expect(down).toEqual(up!.toReversed());
      return up;
    };
    await settle();
    await change(first!.id, { raise });
    await change(second!.id, { raise });
    expect(await ranked()).toEqual(['B alarm', 'C alarm', 'A online']);
    const { records } = await fleet.ask('alarmList', caller, { alarmDeviceSn: first!.sn });
    const { id } = records[0]!;
    await fleet.ask('alarm/process', caller, { id });
    expect(await ranked()).toEqual(['C alarm', 'B alarm', 'A online']);
    await fleet.ask('alarm/reopen', caller, { id });
    expect(await ranked()).toEqual(['B alarm', 'C alarm', 'A online']);
    await fleet.ask('alarm/process', caller, { id });
    await change(first!.id, { raise: { ...raise, code: 'GRID' } });
    expect(await ranked()).toEqual(['B alarm', 'C alarm', 'A online']);
    await change(first!.id, { clear: { code: 'GRID', endAt: clock.at } });
    expect(await ranked()).toEqual(['C alarm', 'B alarm', 'A online']);
  });

  test('are found by name and address, whatever the letters, and by a device’s serial number; only one’s own and shared ones', async () => {
    clock.at = Date.parse(MORNING);
    const [{ id: owner }, { id: stranger }] = [await fleet.person(), await fleet.person()];
    const caller = userCaller(owner);
    const [first, second] = [
      await plantIn(owner, 'UTC', { name: 'Müllerhof', address: 'Am 100%-Weg' }),
      await plantIn(owner, 'UTC', { name: 'Zum See' }),
    ];
    await plantIn(stranger, 'UTC', { name: 'Müllerhof 2' });
    const found = async (search: string, body: object = {}) => {
      const { records, total } = await fleet.ask('plant/ranking', caller, { search, ...body });
      expect(total).toBe(records.length);
      return records.map(({ id }) => id);
    };
    expect(await found('mULLER')).toEqual([first.plantId]);
    expect(await found('100%-weg')).toEqual([first.plantId]);
    expect(await found('0_-')).toEqual([]);
    expect(await found(second.sn.toLowerCase().slice(1))).toEqual([second.plantId]);
    expect(await found('see', { states: 'online' })).toEqual([]);
    expect(await found('see', { states: 'building,offline' })).toEqual([second.plantId]);
    await fleet.write((trx) => updatePlant(trx, fleet.act(), second.plantId, { name: 'Abendhof' }));
    expect(await found('hof')).toEqual([second.plantId, first.plantId]);
    expect(await found('see')).toEqual([]);
    await fleet.write((trx) => archivePlant(trx, fleet.act(), second.plantId));
    expect(await found('hof')).toEqual([first.plantId]);
  });

  test('are found by their owner’s address and name by those with whom they are shared, and not by the owner', async () => {
    clock.at = Date.parse(MORNING);
    const customer = await fleet.person({ email: 'renate.customer@example.com' });
    await database()
      .db.updateTable('account')
      .set({ name: 'Renate Solberg' })
      .where('id', '=', customer.id)
      .execute();
    const installer = await fleet.person({ email: 'solberg-installs@example.com' });
    const shared = await plantIn(customer.id, 'UTC', { name: 'Barn' });
    await plantIn(customer.id, 'UTC', { name: 'Shed' });
    await plantIn(installer.id, 'UTC', { name: 'Workshop' });
    await fleet.write((trx) =>
      sharePlant(trx, fleet.act(), shared.plantId, installer.email, 'control'),
    );
    const found = async (who: { readonly id: string }, search: string) => {
      const { records, total } = await fleet.ask('plant/ranking', userCaller(who.id), { search });
      expect(total).toBe(records.length);
      return records.map(({ name }) => name);
    };
    for (const search of ['renate.customer', 'solberg', 'SOLBERG'])
      expect(await found(installer, search)).toEqual(['Barn']);
    expect(await found(customer, 'renate')).toEqual([]);
    expect(await found(installer, '%customer')).toEqual([]);
  });

  test('stand on the map, those close together as one mark if there are many', async () => {
    const { id: owner } = await fleet.person();
    const caller = userCaller(owner);
    const at = (latitude: number, longitude: number) => fleet.plant(owner, { latitude, longitude });
    const [berlin, fiji, tonga] = [
      await at(52.5, 13.4),
      await at(-17.8, 178),
      await at(-21.1, -175.2),
    ];
    await fleet.plant(owner);
    const marks = await fleet.ask('plant/positions', caller);
    expect(marks).toEqual([
      expect.objectContaining({
        plants: 1,
        id: berlin,
        latitude: 52.5,
        longitude: 13.4,
        state: 'building',
      }),
      expect.objectContaining({ id: fiji }),
      expect.objectContaining({ id: tonga }),
    ]);
    const only = (who: typeof caller, plantId: string) =>
      fleet.ask('plant/positions', who, { plantId });
    expect(await only(caller, fiji)).toEqual([marks[1]]);
    expect(await only(userCaller((await fleet.person()).id), fiji)).toEqual([]);
    const section = async (south: number, west: number, north: number, east: number) =>
      (await fleet.ask('plant/positions', caller, { south, west, north, east })).map(
        ({ id }) => id,
      );
    expect(await section(-30, 170, 0, -170)).toEqual([fiji, tonga]);
    expect(await section(50, 10, 55, 15)).toEqual([berlin]);
    const { db } = database();
    const template = await db
      .selectFrom('plant')
      .selectAll()
      .where('id', '=', tonga)
      .executeTakeFirstOrThrow();
    const standing = await db
      .selectFrom('plantStanding')
      .selectAll()
      .where('plantId', '=', tonga)
      .executeTakeFirstOrThrow();
    await fleet.write(async (trx) => {
      for (let i = 0; i < 500; i++) {
        const id = fleet.newId();
        await trx
          .insertInto('plant')
          .values({ ...template, id, latitude: -17.8, longitude: i % 2 ? 179.9 : -179.9 })
          .execute();
        await trx
          .insertInto('plantStanding')
          .values({ ...standing, plantId: id, state: i === 400 ? 3 : 1 })
          .execute();
        await trx
          .insertInto('plantAccess')
          .values({ plantId: id, accountId: owner, level: 'owner', createdAt: 0 })
          .execute();
      }
    });
    const many = await fleet.ask('plant/positions', caller, {
      south: -30,
      west: 170,
      north: 0,
      east: -170,
    });
    expect(many.map(({ plants }) => plants).reduce((a, b) => a + b, 0)).toBe(502);
    expect(many.length).toBeLessThan(6);
    expect(
      many.some(({ plants, state, id }) => plants >= 250 && state === 'alarm' && id === undefined),
    ).toBe(true);
    for (const { longitude } of many) expect(Math.abs(longitude)).toBeGreaterThan(175);
  });

  test('whose figures cannot be worked out keep no others waiting', async () => {
    clock.at = Date.parse('2026-10-01T10:00:00Z');
    const { id: owner } = await fleet.person();
    const [good, broken] = [await plantIn(owner, 'UTC'), await plantIn(owner, 'UTC')];
    const { db } = database();
    await db.updateTable('plant').set({ facts: '{' }).where('id', '=', broken.plantId).execute();
    await settle();
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatchObject({ plant: broken.plantId });
    const standings = await db
      .selectFrom('plantStanding')
      .select(['plantId', 'workedOutAt', 'dueAt'])
      .where('plantId', 'in', [good.plantId, broken.plantId])
      .orderBy('plantId')
      .execute();
    expect(standings.map(({ workedOutAt, dueAt }) => [workedOutAt, dueAt - clock.at])).toEqual([
      [clock.at, 10_000],
      [0, 3_600_000],
    ]);
  });

  test('are worked out more often while a plant is new, since its history may be arriving', async () => {
    clock.at = Date.parse('2026-10-02T10:00:00Z');
    const { id: owner } = await fleet.person();
    const { plantId } = await plantIn(owner, 'UTC');
    const dueIn = async (): Promise<number> => {
      await settle();
      const { dueAt } = await database()
        .db.selectFrom('plantStanding')
        .select('dueAt')
        .where('plantId', '=', plantId)
        .executeTakeFirstOrThrow();
      return dueAt - clock.at;
    };
    const ages: [seconds: number, dueInSeconds: number][] = [
      [0, 10],
      [60, 30],
      [3600, 300],
    ];
    const createdAt = clock.at;
    for (const [seconds, expected] of ages) {
      clock.at = createdAt + seconds * 1000;
      expect(await dueIn()).toBe(expected * 1000);
    }
  });
});
