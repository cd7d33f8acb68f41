import { quantities } from '@helioport/contract';
import { expect, test } from 'vitest';
import { assignCollector } from '../../packages/server/src/devices/devices.ts';
import { recordsOf } from '../contract/every-operation.ts';
import { anyKnownKeys, knownKeys } from '../contract/known-keys.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';
import { createFleet, type Measurements } from './fleet.ts';
import { createScene, questions, SCENE_NOW, type QueryId, type Scene } from './scene.ts';

type Container = 'record' | 'rows' | 'page' | 'listing' | 'page alone' | 'parallel arrays';

/** What `data` is (wire-facts 3). */
const containers: Partial<Record<Container, readonly QueryId[]>> = {
  record: ['stationDetail', 'inverterDetail', 'collectorDetail', 'epmDetail', 'weatherDetail', 'ammeterDetail'],
  rows: [
    ...(['stationDay', 'stationMonth', 'stationYear', 'stationAll', 'inverterDay', 'inverterMonth', 'inverterYear', 'inverterAll'] as const),
    ...(['collector/day', 'epm/month', 'epm/year', 'epm/all'] as const),
  ],
  page: [
    ...(['stationDetailList', 'inverterDetailList', 'stationDayEnergyList', 'stationMonthEnergyList', 'stationYearEnergyList'] as const),
    ...(['alarmList', 'inverter/shelfTime'] as const),
  ],
  listing: ['userStationList', 'inverterList', 'collectorList', 'epmList'],
  'page alone': ['weatherList', 'ammeterList'],
  'parallel arrays': ['epm/day'],
};

const counters: Partial<Record<QueryId, readonly [name: string, more: readonly string[]]>> = {
  userStationList: ['stationStatusVo', ['building', 'mppt']],
  inverterList: ['inverterStatusVo', ['mppt']],
  collectorList: ['collectionStatusVo', []],
  epmList: ['epmStatusVo', []],
};

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value);

/** A value for every quantity there is; counters of energy grow. */
const everything = (step: number): Measurements =>
  Object.fromEntries([...quantities.values()].map(({ name, unit }) => [name, unit === 'kWh' ? 100 + step : unit === '%' ? 50 : unit === '' ? 1 : 3 * step]));

const SIBLING = /(Str|Pec|Unit)$/;
const elsewhere = anyKnownKeys();

describeEngines('every answer', (database) => {
  const clock = settableClock(SCENE_NOW);
  const fleet = createFleet(database, clock);

  const rich = async (): Promise<Scene> => {
    const scene = await createScene(fleet);
    for (const { sn } of Object.values(scene.devices)) {
      await fleet.report(
        sn,
        [1, 2, 3].map((i) => [Date.parse('2026-06-01T11:56:00Z') + i * 60_000, everything(i)] as const),
      );
    }
    await fleet.write((trx) => assignCollector(trx, scene.devices.inverter.id, scene.devices.collector.id));
    return scene;
  };

  const dataOf = (scene: Scene, id: QueryId): Promise<any> => fleet.wire(id, userCaller(scene.owner), questions[id][0]!(scene));

  const reading = Object.keys(questions) as QueryId[];

  test('is in the container that clients expect', async () => {
    const scene = await rich();
    const shapes = new Map(Object.entries(containers).flatMap(([container, ids]) => ids.map((id) => [id, container as Container])));
    for (const id of reading) {
      const data = await dataOf(scene, id);
      const given: Container = Array.isArray(data)
        ? 'rows'
        : 'data_timestamp' in data
          ? 'parallel arrays'
          : 'page' in data
            ? Object.keys(data).length === 1
              ? 'page alone'
              : 'listing'
            : 'records' in data
              ? 'page'
              : 'record';
      expect([id, given]).toEqual([id, shapes.get(id)]);
      const page = data.page ?? data;
      if (given === 'page' || given === 'listing' || given === 'page alone') {
        expect([id, page]).toEqual([
          id,
          { records: page.records, total: 1, size: 20, current: 1, orders: [], optimizeCountSql: true, searchCount: true, pages: 1 },
        ]);
      }
      if (given === 'listing') {
        const [name, more] = counters[id]!;
        const { [name]: counts, ...rest } = data;
        expect([id, Object.keys(rest).toSorted(), rest.mpptSwitch]).toEqual([id, ['mpptSwitch', 'page'], 0]);
        expect([id, Object.keys(counts)]).toEqual([id, ['all', 'normal', 'fault', 'offline', ...more]]);
        expect(Object.values(counts).every((count) => Number.isInteger(count))).toBe(true);
        expect(counts.all).toBe(1);
      }
    }
  });

  test('has the keys and types that clients know, and nothing that is null', async () => {
    const scene = await rich();
    for (const id of reading.filter((other) => other !== 'epm/day')) {
      const known = knownKeys(id);
      const records = recordsOf(await dataOf(scene, id));
      expect([id, records.length > 0]).toEqual([id, true]);
      const strange = Object.entries(records.at(-1)!).flatMap(([key, value]) => {
        const type = typeOf(value);
        const expected = known.get(key);
        if (expected !== undefined) return expected === type ? [] : [`${key} is ${type}, known as ${expected}`];
        const fits = elsewhere.has(`${key}: ${type}`) || (type === 'string' && SIBLING.test(key) && key.replace(SIBLING, '') in records.at(-1)!);
        return fits ? [] : [`${key} (${type}) is known nowhere`];
      });
      expect([id, strange]).toEqual([id, []]);
    }
  });

  test('of epm/day is parallel arrays of the names that were asked for, or of all', async () => {
    const scene = await rich();
    const caller = userCaller(scene.owner);
    const { sn } = scene.devices.epm;
    const asked = await fleet.wire('epm/day', caller, { sn, time: '2026-06-01', searchinfo: 'u_ac1,e_total_buy', timezone: 8 });
    expect(Object.keys(asked).toSorted()).toEqual(['data_timestamp', 'daylightList', 'daylightSwitch', 'e_total_buy', 'timeStr', 'u_ac1']);
    expect(asked).toMatchObject({ u_ac1: [null, null, 3, 6, 9], e_total_buy: [null, null, 101, 102, 103], daylightSwitch: 0, daylightList: [0, 0, 0, 0, 0] });
    expect(asked.data_timestamp.every((time: unknown) => /^\d{13}$/.test(String(time)) && typeof time === 'string')).toBe(true);
    expect(asked.timeStr.at(-1)).toBe('11:59:00');
    const all = await fleet.wire('epm/day', caller, { sn, time: '2026-06-01' });
    expect(Object.keys(all)).toEqual(
      expect.arrayContaining(['u_ac3', 'i_ac1', 'p_ac2', 'power_factor', 'fac_meter', 'p_load', 'e_total_inverter', 'e_toaal_inverter', 'p_limit', 'ct_ratio']),
    );
    for (const column of Object.values(all)) if (Array.isArray(column)) expect(column).toHaveLength(5);
  });

  test('about things that never reported has what is known of them and makes nothing up', async () => {
    const owner = await fleet.person();
    const plantId = await fleet.plant(owner.id, { pricePerKwh: 0.1 });
    const devices = {} as Record<keyof Scene['devices'], { id: string; sn: string }>;
    for (const kind of ['inverter', 'collector', 'epm', 'weather', 'ammeter'] as const) devices[kind] = await fleet.device(plantId, { kind });
    const silent = { plantId, devices, owner: owner.id } as Scene;
    for (const id of reading) {
      const data = await dataOf(silent, id);
      if (containers.rows!.includes(id)) expect([id, data]).toEqual([id, []]);
      else if (id === 'epm/day') expect(data).toEqual({ p_inverter_total: [], data_timestamp: [], timeStr: [], daylightList: [], daylightSwitch: 0 });
      else if (id === 'alarmList') expect(data).toMatchObject({ records: [], total: 0, pages: 0 });
      else {
        const [record] = recordsOf(data);
        expect([id, record]).toMatchObject([id, { id: expect.stringMatching(/^\d{19}$/) }]);
        expect([id, Object.values(record!).filter((value) => value === null)]).toEqual([id, []]);
        for (const key of ['dayEnergy', 'energy', 'moneyStr', 'eTotal', 'pEpmTotal', 'temp', 'eTotalPositiveActive', 'rssi', 'dayInCome'])
          expect([id, key in record!]).toEqual([id, false]);
      }
    }
  });

  test('of a detail list is that of the details, which tell a little more', async () => {
    const scene = await rich();
    const caller = userCaller(scene.owner);
    const { fisGenerateTime, fisGenerateTimeStr, ...plant } = await fleet.wire('stationDetail', caller, { id: scene.plantId });
    expect([fisGenerateTime, fisGenerateTimeStr]).toEqual([expect.any(Number), expect.any(String)]);
    expect((await fleet.wire('stationDetailList', caller)).records).toEqual([plant]);
    const [listed] = (await fleet.wire('inverterDetailList', caller)).records;
    expect(await fleet.wire('inverterDetail', caller, { sn: scene.devices.inverter.sn })).toMatchObject(listed);
  });
});
