import { expect, test } from 'vitest';
import { recordsOf } from '../contract/every-operation.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';
import { createFleet } from './fleet.ts';
import { rows } from './rows.ts';
import { createRichScene, questions, SCENE_NOW, type QueryId, type Scene } from './scene.ts';

/** Operations that answer rows. */
/** The figures of plants of which no modules are known. */
const NOTHING_EXPECTED = { days: 0, missing: 'arrays' };
const charts = (Object.keys(questions) as QueryId[]).filter((id) => rows[id].container === 'rows');

describeEngines('every answer', (database) => {
  const clock = settableClock(SCENE_NOW);
  const fleet = createFleet(database, clock);

  const rich = (): Promise<Scene> => createRichScene(fleet);

  const dataOf = (scene: Scene, id: QueryId): Promise<any> =>
    fleet.wire(id, userCaller(scene.owner), questions[id][0]!(scene));

  const reading = Object.keys(questions) as QueryId[];

  test('of epm/day is parallel arrays of the names that were asked for, or of all', async () => {
    const scene = await rich();
    const caller = userCaller(scene.owner);
    const { sn } = scene.devices.epm;
    const asked = await fleet.wire('epm/day', caller, {
      sn,
      time: '2026-06-01',
      searchinfo: 'u_ac1,e_total_buy',
      timezone: 8,
    });
    expect(Object.keys(asked).toSorted()).toEqual([
      'data_timestamp',
      'daylightList',
      'daylightSwitch',
      'e_total_buy',
      'timeStr',
      'u_ac1',
    ]);
    expect(asked).toMatchObject({
      u_ac1: [null, null, 3, 6, 9],
      e_total_buy: [null, null, 101, 102, 103],
      daylightSwitch: 0,
      daylightList: [0, 0, 0, 0, 0],
    });
    expect(
      asked.data_timestamp.every(
        (time: unknown) => /^\d{13}$/.test(String(time)) && typeof time === 'string',
      ),
    ).toBe(true);
    expect(asked.timeStr.at(-1)).toBe('11:59:00');
    const all = await fleet.wire('epm/day', caller, { sn, time: '2026-06-01' });
    expect(Object.keys(all)).toEqual(
      expect.arrayContaining([
        'u_ac3',
        'i_ac1',
        'p_ac2',
        'power_factor',
        'fac_meter',
        'p_load',
        'e_total_inverter',
        'e_toaal_inverter',
        'p_limit',
        'ct_ratio',
      ]),
    );
    for (const column of Object.values(all))
      if (Array.isArray(column)) expect(column).toHaveLength(5);
  });

  test('about things that never reported has what is known of them and makes nothing up', async () => {
    const owner = await fleet.person();
    const plantId = await fleet.plant(owner.id, { pricePerKwh: 0.1 });
    const devices = {} as Record<keyof Scene['devices'], { id: string; sn: string }>;
    for (const kind of ['inverter', 'collector', 'epm', 'weather', 'ammeter'] as const)
      devices[kind] = await fleet.device(plantId, { kind });
    const silent = { plantId, devices, owner: owner.id } as Scene;
    for (const id of reading) {
      const data = await dataOf(silent, id);
      if (id === 'performance/day') expect(data).toMatchObject({ figures: NOTHING_EXPECTED });
      else if (id === 'performance/energy' || id === 'performance/losses')
        for (const month of data as unknown[]) expect(month).toMatchObject(NOTHING_EXPECTED);
      else if (charts.includes(id)) expect([id, data]).toEqual([id, []]);
      else if (id === 'epm/day')
        expect(data).toEqual({
          p_inverter_total: [],
          data_timestamp: [],
          timeStr: [],
          daylightList: [],
          daylightSwitch: 0,
        });
      else if (id === 'alarmList') expect(data).toMatchObject({ records: [], total: 0, pages: 0 });
      else {
        const [record] = recordsOf(data);
        expect([id, record]).toMatchObject([id, { id: expect.stringMatching(/^\d{19}$/) }]);
        expect([id, Object.values(record!).filter((value) => value === null)]).toEqual([id, []]);
        for (const key of [
          'dayEnergy',
          'energy',
          'moneyStr',
          'eTotal',
          'pEpmTotal',
          'temp',
          'eTotalPositiveActive',
          'rssi',
          'dayInCome',
        ])
          expect([id, key in record!]).toEqual([id, false]);
      }
    }
  });

  test('of a detail list is that of the details', async () => {
    const scene = await rich();
    const caller = userCaller(scene.owner);
    const plant = await fleet.wire('stationDetail', caller, { id: scene.plantId });
    expect(plant).toMatchObject({
      fisGenerateTime: expect.any(Number),
      fisGenerateTimeStr: expect.any(String),
    });
    expect((await fleet.wire('stationDetailList', caller)).records).toEqual([plant]);
    const [listed] = (await fleet.wire('inverterDetailList', caller)).records;
    expect(await fleet.wire('inverterDetail', caller, { sn: scene.devices.inverter.sn })).toEqual(
      listed,
    );
  });
});
