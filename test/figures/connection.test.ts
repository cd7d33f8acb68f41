import { describe, expect, test } from 'vitest';
import { isDisconnected, type PlantConnection } from '../../packages/contract/src/index.ts';
import { markPosted } from '../../packages/server/src/fleet/collectors/presence.ts';
import {
  connectionOf,
  type Connected,
} from '../../packages/server/src/measurements/figures/plant/connection.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';
import { createFleet } from '../operations/fleet.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NOON = Date.parse('2026-06-15T11:00:00Z');
const NIGHT = Date.parse('2026-06-15T22:30:00Z');
/** The sun is too low from half past six in the evening (UTC) on. */
const DUSK = Date.parse('2026-06-15T18:30:00Z');
const berlin = { latitude: 52.5, longitude: 13.4, timeZone: 'Europe/Berlin' };

const [ONLINE, OFFLINE] = [1, 2];

const device = (binding: Partial<Connected['binding']>, lastAt: number | undefined): Connected => ({
  binding: {
    deviceId: '1',
    kind: 'inverter',
    state: OFFLINE,
    offlineAbnormal: 0,
    expectedSeconds: 300,
    arrivedAt: null,
    backlogAt: null,
    clockOffsetSeconds: null,
    collectorId: '9',
    ...binding,
  },
  latest: lastAt === undefined ? undefined : { lastAt },
});
const collector = (binding: Partial<Connected['binding']>): Connected =>
  device({ deviceId: '9', kind: 'collector', collectorId: null, ...binding }, undefined);

describe('how a plant is connected', () => {
  const ABNORMAL = { offlineAbnormal: 1 } as const;
  test.each<[PlantConnection, string, number, Connected[]]>([
    [
      'live',
      'a device reports',
      NOON,
      [device({ state: ONLINE }, NOON - MINUTE_MS), collector({ state: ONLINE })],
    ],
    [
      'live',
      'one of two reports',
      NOON,
      [
        device({ state: ONLINE }, NOON - MINUTE_MS),
        device({ deviceId: '2', ...ABNORMAL }, NOON - 9 * HOUR_MS),
      ],
    ],
    [
      'live',
      'the clock of its collector is known to be two hours behind',
      NOON,
      [
        device({ state: ONLINE, arrivedAt: NOON }, NOON - 2 * HOUR_MS),
        collector({ state: ONLINE, clockOffsetSeconds: -7200 }),
      ],
    ],
    [
      'catchingUp',
      'its collector delivers a backlog',
      NOON,
      [
        device(ABNORMAL, NOON - 20 * HOUR_MS),
        collector({ state: ONLINE, arrivedAt: NOON, backlogAt: NOON - MINUTE_MS }),
      ],
    ],
    [
      'catchingUp',
      'old readings arrive as if they were of now, so that the device counts as online',
      NOON,
      [
        device({ state: ONLINE, arrivedAt: NOON - MINUTE_MS }, NOON - 20 * HOUR_MS),
        collector({ state: ONLINE, arrivedAt: NOON }),
      ],
    ],
    [
      'devicesSilent',
      'its collector alone reports',
      NOON,
      [
        device(ABNORMAL, NOON - HOUR_MS),
        collector({ state: ONLINE, arrivedAt: NOON, backlogAt: NOON - 3 * HOUR_MS }),
      ],
    ],
    [
      'devicesSilent',
      'its collector alone ever reported',
      NOON,
      [device({}, undefined), collector({ state: ONLINE, arrivedAt: NOON })],
    ],
    [
      'devicesSilent',
      'only the weather is measured',
      NOON,
      [
        device(ABNORMAL, NOON - HOUR_MS),
        device({ deviceId: '3', kind: 'weather', state: ONLINE }, NOON),
        collector({ state: ONLINE, arrivedAt: NOON }),
      ],
    ],
    [
      'collectorSilent',
      'its collector reported an hour ago',
      NOON,
      [device(ABNORMAL, NOON - HOUR_MS), collector({ ...ABNORMAL, arrivedAt: NOON - HOUR_MS })],
    ],
    [
      'collectorSilent',
      'it fell silent deep in the night, when what sleeps is asleep already',
      NIGHT,
      [device({}, NIGHT - HOUR_MS), collector({ arrivedAt: NIGHT - HOUR_MS })],
    ],
    [
      'collectorSilent',
      'it has a battery, which does not sleep',
      NIGHT,
      [device(ABNORMAL, DUSK), collector({ arrivedAt: DUSK })],
    ],
    [
      'resting',
      'its devices fell silent at dusk',
      NIGHT,
      [device({}, DUSK), collector({ arrivedAt: DUSK })],
    ],
    [
      'resting',
      'its devices sleep while the collector goes on',
      NIGHT,
      [device({}, DUSK), collector({ state: ONLINE, arrivedAt: NIGHT })],
    ],
    ['noCollector', 'its history was imported', NOON, [device({}, NOON - 30 * HOUR_MS)]],
    ['noCollector', 'no device has ever reported', NOON, [device({}, undefined)]],
    ['collectorWaiting', 'its collector is new', NOON, [device({}, undefined), collector({})]],
    ['noDevices', 'nothing is bound', NOON, []],
  ])('is %s if %s', (expected, _when, now, devices) => {
    expect(connectionOf(berlin, devices, now).connection).toBe(expected);
  });

  test('is a fault unless its figures are of now, it rests, catches up or is being built', () => {
    expect(
      (['live', 'resting', 'catchingUp', 'noDevices'] as const).some((one) => isDisconnected(one)),
    ).toBe(false);
    expect(
      (['collectorSilent', 'devicesSilent', 'collectorWaiting', 'noCollector'] as const).every(
        (one) => isDisconnected(one),
      ),
    ).toBe(true);
  });
});

describeEngines('a plant whose figures are not of this moment', (database) => {
  const clock = settableClock(NOON);
  const fleet = createFleet(database, clock);

  const setUp = async () => {
    clock.at = NOON;
    const { id: owner } = await fleet.person();
    const plantId = await fleet.plant(owner, { ...berlin, capacityKwp: 10 });
    const { id: collectorId, sn: collectorSn } = await fleet.device(plantId, {
      kind: 'collector',
    });
    const { sn } = await fleet.device(plantId);
    return { caller: userCaller(owner), plantId, collectorId, collectorSn, sn };
  };
  const post = async (id: string, isBacklog = false): Promise<void> => {
    const row = await database()
      .db.selectFrom('device')
      .select(['id', 'state', 'reportedAt', 'expectedSeconds', 'clockOffsetSeconds', 'backlogAt'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await markPosted(database().db, row, clock.at, { isBacklog });
  };
  const seen = async (caller: ReturnType<typeof userCaller>, plantId: string) => {
    const head = await fleet.ask('plant/overview', caller);
    const [listed] = (await fleet.ask('plant/ranking', caller)).records;
    const detail = await fleet.wire('stationDetail', caller, { id: plantId });
    const { page } = await fleet.ask('device/ranking', caller, { plantId });
    return {
      says: [listed!.connection, detail.connection],
      measuredAt: [listed!.measuredAt, detail.measuredTime],
      powers: [
        head.powerW,
        listed!.powerW,
        page.records.find(({ kind }) => kind === 'inverter')!.powerW,
      ],
      disconnected: head.disconnected,
      // What existing clients read stays the last reading.
      wirePower: detail.power,
    };
  };
  const NOTHING = [undefined, undefined, undefined];

  test('has no power anywhere, and says the same everywhere, from its silence to the end of its backlog', async () => {
    const { caller, plantId, collectorId, sn } = await setUp();
    await post(collectorId);
    expect(await seen(caller, plantId)).toMatchObject({
      says: ['devicesSilent', 'devicesSilent'],
      powers: NOTHING,
      disconnected: 1,
    });
    await fleet.report(sn, [[NOON - MINUTE_MS, { acPowerW: 3300 }]]);
    expect(await seen(caller, plantId)).toEqual({
      says: ['live', 'live'],
      measuredAt: [NOON - MINUTE_MS, NOON - MINUTE_MS],
      powers: [3300, 3300, 3300],
      disconnected: 0,
      wirePower: 3.3,
    });
    clock.at += HOUR_MS;
    await fleet.watch();
    expect(await seen(caller, plantId)).toEqual({
      says: ['collectorSilent', 'collectorSilent'],
      measuredAt: [NOON - MINUTE_MS, NOON - MINUTE_MS],
      powers: NOTHING,
      disconnected: 1,
      wirePower: 3.3,
    });
    // It delivers what it kept, half an hour old: that is no power of now.
    await post(collectorId, true);
    await fleet.report(sn, [[clock.at - 40 * MINUTE_MS, { acPowerW: 5000 }]]);
    expect(await seen(caller, plantId)).toMatchObject({
      says: ['catchingUp', 'catchingUp'],
      powers: NOTHING,
      disconnected: 0,
    });
    await post(collectorId);
    await fleet.report(sn, [[clock.at, { acPowerW: 4200 }]]);
    expect(await seen(caller, plantId)).toMatchObject({
      says: ['live', 'live'],
      powers: [4200, 4200, 4200],
    });
  });
});
