import type { OperationId } from '@helioport/contract';
import { expect, test } from 'vitest';
import { changeAlarms } from '../../packages/server/src/outbound/alarms/alarm-rows.ts';
import type { RuleLevel } from '../../packages/server/src/outbound/alarms/rule.ts';
import {
  assignCollector,
  type DeviceKind,
} from '../../packages/server/src/fleet/devices/devices.ts';
import { changeStates } from '../../packages/server/src/fleet/devices/states.ts';
import { bindDevice, endBinding } from '../../packages/server/src/fleet/plants/bindings.ts';
import { presence } from '../../packages/server/src/fleet/plants/presence.ts';
import type { Flag } from '../../packages/server/src/platform/storage/database.ts';
import { createFleet } from '../operations/fleet.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';

/** How each kind is asked for, and where its list counts states. */
const kinds: readonly {
  kind: DeviceKind;
  lists: OperationId[];
  detail: OperationId;
  counts?: string;
  alarmState: 1 | 3;
}[] = [
  {
    kind: 'inverter',
    lists: ['inverterList', 'inverterDetailList'],
    detail: 'inverterDetail',
    counts: 'inverterStatusVo',
    alarmState: 3,
  },
  {
    kind: 'collector',
    lists: ['collectorList'],
    detail: 'collectorDetail',
    counts: 'collectionStatusVo',
    alarmState: 1,
  },
  { kind: 'epm', lists: ['epmList'], detail: 'epmDetail', counts: 'epmStatusVo', alarmState: 1 },
  { kind: 'weather', lists: ['weatherList'], detail: 'weatherDetail', alarmState: 1 },
  { kind: 'ammeter', lists: ['ammeterList'], detail: 'ammeterDetail', alarmState: 1 },
];

describeEngines('states on the wire', (database) => {
  const clock = settableClock('2026-06-15T11:00:00Z');
  const fleet = createFleet(database, clock);
  const setUp = async (kind: DeviceKind) => {
    const owner = await fleet.person();
    const plantId = await fleet.plant(owner.id);
    const { id, sn } = await fleet.device(plantId, { kind });
    const turn = (state: number, offlineAbnormal: Flag = 0) =>
      fleet.write((trx) =>
        changeStates(trx, [id], clock.at, () => ({ state, offlineAbnormal, checkAt: null })),
      );
    const raise = (level: RuleLevel, code = `C${level}`) => {
      const change = { raise: { code, level, message: 'x', beginAt: clock.at } };
      return fleet.write((trx) =>
        changeAlarms(trx, { now: clock.at, newId: fleet.newId }, id, [change]),
      );
    };
    return { caller: userCaller(owner.id), plantId, id, sn, turn, raise };
  };

  for (const { kind, lists, detail, counts, alarmState } of kinds) {
    test(`of the kind ${kind}: 1 online, 2 offline, with an alarm ${alarmState}, in lists and detail alike, as its list counts it (W13)`, async () => {
      const { caller, plantId, sn, turn, raise } = await setUp(kind);
      const expectState = async (
        state: number,
        exception: number,
        counter: string,
        plantState: number,
      ): Promise<void> => {
        const records = [await fleet.wire(detail, caller, { sn })];
        for (const list of lists) {
          const answer = await fleet.wire(list, caller, {});
          records.push(...(answer.page ?? answer).records);
          if (answer.page && counts !== undefined)
            expect(answer[counts]).toMatchObject({
              all: 1,
              normal: 0,
              fault: 0,
              offline: 0,
              [counter]: 1,
            });
        }
        expect(records).toHaveLength(lists.length + 1);
        for (const record of records) {
          expect(record.state).toBe(state);
          if ('stateExceptionFlag' in record) expect(record.stateExceptionFlag).toBe(exception);
        }
        const plants = [
          await fleet.wire('stationDetail', caller, { id: plantId }),
          (await fleet.wire('userStationList', caller)).page.records[0],
        ];
        for (const plant of plants) expect(plant.state).toBe(plantState);
      };
      await expectState(2, 0, 'offline', 2);
      await turn(presence.offline, 1);
      await expectState(2, 1, 'offline', 2);
      await turn(presence.online);
      await expectState(1, 0, 'normal', 1);
      await raise(1);
      await expectState(1, 0, 'normal', 1);
      await raise(2);
      await expectState(alarmState, 0, 'fault', 3);
      // Silent with an open alarm it is offline, and so is its plant.
      await turn(presence.offline, 1);
      await expectState(2, 1, 'offline', 2);
    });
  }

  test('an inverter that nobody named is of an unknown model, and has the running code of its state where it states none (W11)', async () => {
    const { caller, plantId, sn, turn, raise } = await setUp('inverter');
    const recordsOf = async () => ({
      detail: await fleet.wire('inverterDetail', caller, { sn }),
      listed: (await fleet.wire('inverterList', caller, {})).page.records[0],
      detailed: (await fleet.wire('inverterDetailList', caller, {})).records[0],
    });
    const expectCode = async (currentState: string): Promise<void> => {
      const { detail, listed, detailed } = await recordsOf();
      for (const record of [detail, listed, detailed])
        expect(record).toMatchObject({
          sn,
          model: 'unknown',
          productModel: 'unknown',
          currentState,
        });
      for (const record of [detail, detailed]) expect(record.hmiVersionAll).toBe('0000');
    };
    await expectCode('2');
    await turn(presence.online);
    await expectCode('1');
    await raise(2);
    await expectCode('3');
    // What the device itself states goes before.
    const stating = await fleet.device(plantId);
    await fleet.report(stating.sn, [[clock.at - 60_000, { statusCode: 4097 }]]);
    expect((await fleet.wire('inverterDetail', caller, { sn: stating.sn })).currentState).toBe(
      '4097',
    );
  });

  test('a collector with an alarm is online for the devices behind it', async () => {
    const { caller, plantId, id, turn, raise } = await setUp('collector');
    await turn(presence.online);
    await raise(3);
    const { sn } = await fleet.device(plantId);
    const ammeter = await fleet.device(plantId, { kind: 'ammeter' });
    for (const each of [sn, ammeter.sn]) {
      const { id: deviceId } = await database()
        .db.selectFrom('device')
        .select('id')
        .where('sn', '=', each)
        .executeTakeFirstOrThrow();
      await fleet.write((trx) => assignCollector(trx, deviceId, id));
    }
    expect((await fleet.wire('inverterDetail', caller, { sn })).collectorState).toBe(1);
    expect((await fleet.wire('ammeterDetail', caller, { sn: ammeter.sn })).collectorState).toBe(1);
    await turn(presence.offline);
    expect((await fleet.wire('inverterDetail', caller, { sn })).collectorState).toBe(2);
    expect((await fleet.wire('ammeterDetail', caller, { sn: ammeter.sn })).collectorState).toBe(2);
  });

  test('an alarm says on the wire its level, begin, end, length, state and advice, and stays with the owner of its plant', async () => {
    const { caller, id, plantId, sn, raise } = await setUp('inverter');
    const begin = clock.at;
    await raise(3, 'H107');
    const alarmOf = async () => (await fleet.wire('alarmList', caller)).records[0];
    expect(await alarmOf()).toMatchObject({
      alarmDeviceSn: sn,
      stationId: plantId,
      alarmCode: 'H107',
      alarmLevel: '3',
      state: '0',
      alarmBeginTime: begin,
    });
    expect((await alarmOf()).advice).toContain('battery');
    expect(await alarmOf()).not.toHaveProperty('alarmEndTime');
    clock.at += 90_000;
    await fleet.write((trx) =>
      changeAlarms(trx, { now: clock.at, newId: fleet.newId }, id, [
        { clear: { code: 'H107', endAt: clock.at } },
      ]),
    );
    expect(await alarmOf()).toMatchObject({ state: '2', alarmEndTime: clock.at });
    expect(Number((await alarmOf()).alarmLong)).toBeGreaterThan(0);
    const next = await fleet.person();
    const nextPlant = await fleet.plant(next.id);
    await fleet.write((trx) => endBinding(trx, fleet.act(), id, plantId));
    await fleet.write((trx) => bindDevice(trx, fleet.act(), id, nextPlant));
    expect((await fleet.wire('alarmList', userCaller(next.id))).records).toEqual([]);
    expect(
      (await fleet.wire('alarmList', userCaller(next.id), { alarmDeviceSn: sn })).records,
    ).toEqual([]);
    expect(await alarmOf()).toMatchObject({ alarmDeviceSn: sn, stationId: plantId });
  });
});
