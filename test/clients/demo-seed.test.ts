import { createPlant, readingsOf } from '@helioport/simulator';
import { beforeAll, describe, expect, test } from 'vitest';
import { logIn } from '../../packages/server/src/identity/accounts/log-in.ts';
import { findNearestSigningKey } from '../../packages/server/src/identity/accounts/signing-key.ts';
import { seedDemo } from '../../packages/server/src/interfaces/cli/demo/demo.ts';
import type { DemoCredentials } from '../../packages/server/src/interfaces/cli/demo/demo-file.ts';
import { fleet } from '../../packages/server/src/interfaces/cli/demo/demo-fleet.ts';
import { authenticateCollector } from '../../packages/server/src/fleet/collectors/authenticate.ts';
import { createIdSource } from '../../packages/server/src/platform/kernel/ids.ts';
import { createSecretBox } from '../../packages/server/src/platform/kernel/secrets.ts';
import { tariffsOf } from '../../packages/server/src/fleet/plants/tariffs/tariffs.ts';
import { describeEngines } from '../support/engines.ts';
import { credentials } from '../support/credentials.ts';
import { createOperatorDoor } from '../../packages/server/src/interfaces/operations/operator-door.ts';
import { operationSources } from '../support/operations.ts';

describeEngines('the demo', (database) => {
  const clock = { now: () => Date.parse('2026-11-20T12:01:30Z') };
  const ids = createIdSource(clock);
  const secretBox = createSecretBox(new Uint8Array(32));
  const operator = () => {
    const { db } = database();
    return createOperatorDoor(
      operationSources(db, clock, ids, {
        credentials: { ...credentials, secretBox: async () => secretBox },
      }),
    );
  };
  let demo: DemoCredentials;

  beforeAll(async () => {
    demo = await seedDemo(operator(), clock.now());
  });

  test('has an owner and an installer who can log in', async () => {
    expect(demo.people.map(({ role }) => role)).toEqual(['owner', 'installer']);
    for (const { email, password, role } of demo.people) {
      const act = { at: clock.now(), actor: 'operator' as const, address: null, newId: ids };
      expect(await logIn(database().db, act, { email, password })).toMatchObject({ email, role });
    }
  });

  test('has a key pair that is active at once', async () => {
    const key = await findNearestSigningKey(database().db, demo.keyId);
    expect(key).toMatchObject({ pending: false, disabledAt: null, canControl: true });
    expect(secretBox.open(key!.secret, key!.id)).toBe(demo.keySecret);
    expect([demo.keyId, demo.keySecret]).toEqual([
      expect.stringMatching(/^\d{19}$/),
      expect.stringMatching(/^[0-9a-f]{32}$/),
    ]);
  });

  test('has plants in several time zones, one of them shared with the installer', async () => {
    const plants = await database()
      .db.selectFrom('plant')
      .innerJoin('plantAccess', 'plantAccess.plantId', 'plant.id')
      .select(['timeZone', 'level'])
      .orderBy('plant.id')
      .execute();
    expect(plants.filter(({ level }) => level === 'owner').map(({ timeZone }) => timeZone)).toEqual(
      ['Europe/Berlin', 'America/Denver', 'Asia/Kathmandu', 'Australia/Sydney'],
    );
    expect(plants.filter(({ level }) => level !== 'owner')).toEqual([
      { timeZone: 'America/Denver', level: 'control' },
    ]);
  });

  test('has a collector for every plant, whose devices stand where it stands', async () => {
    for (const { token, collectorSn, specification } of demo.plants) {
      const collector = await authenticateCollector(database().db, token, demo.startAt);
      expect(collector.sn).toBe(collectorSn);
      const devices = await database()
        .db.selectFrom('device')
        .select(['sn', 'plantId'])
        .where('collectorId', '=', collector.id)
        .execute();
      const reporting = new Set(
        [...createPlant(specification, 0).advance(0)].flatMap((state) =>
          readingsOf(specification, state).map(({ sn }) => sn),
        ),
      );
      expect(new Set(devices.map(({ sn }) => sn))).toEqual(reporting);
      expect(new Set(devices.map(({ plantId }) => plantId))).toEqual(new Set([collector.plantId]));
    }
  });

  test('has three plants whose purchase and feed-in have prices of their own, in one of them cheaper at night', async () => {
    const rows = await database()
      .db.selectFrom('plant')
      .select(['name', 'tariffs', 'pricePerKwh'])
      .where('tariffs', 'is not', null)
      .orderBy('name')
      .execute();
    expect(rows.map(({ name }) => name)).toEqual([
      'Farm in Colorado',
      'House in Berlin',
      'House in Sydney',
    ]);
    for (const row of rows)
      expect(Object.keys(tariffsOf(row)).toSorted()).toEqual(['export', 'import']);
    expect(
      rows.map((row) => tariffsOf(row).import!.map(({ windows = [] }) => windows.length)),
    ).toEqual([[0], [1], [0]]);
    expect(await database().db.selectFrom('recalculation').selectAll().execute()).toEqual([]);
  });

  test('begins thirty days ago on a whole step', () => {
    expect(new Date(demo.startAt).toISOString()).toBe('2026-10-21T12:00:00.000Z');
  });

  test('is not made twice', async () => {
    await expect(seedDemo(operator(), clock.now())).rejects.toThrow('already has an account');
  });
});

describe('the fleet of the demo', () => {
  test('has every kind of device, and no serial number twice', () => {
    const specifications = fleet.map(({ specification }) => specification);
    const inverters = specifications.flatMap((specification) => specification.inverters);
    expect(inverters.filter(({ battery }) => battery)).toHaveLength(2);
    expect(inverters.filter(({ battery }) => !battery).length).toBeGreaterThan(2);
    expect(specifications.filter(({ meterSn }) => meterSn !== undefined).length).toBeGreaterThan(0);
    expect(
      specifications.filter(({ weatherStationSn }) => weatherStationSn !== undefined),
    ).toHaveLength(4);
    const serialNumbers = fleet.flatMap(({ collectorSn, models }) => [
      collectorSn,
      ...Object.keys(models),
    ]);
    expect(new Set(serialNumbers).size).toBe(serialNumbers.length);
    for (const { models, specification } of fleet)
      for (const { sn } of specification.inverters) expect(models[sn]).toBeDefined();
  });
});
