import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordReported } from '../../packages/server/src/outbound/alarms/reported.ts';
import { createIdSource } from '../../packages/server/src/platform/kernel/ids.ts';
import { openStorage } from '../../packages/server/src/platform/storage/open.ts';
import { createInstallation, type Installation } from '../support/command.ts';

const NOW = Date.parse('2026-06-15T10:00:00Z');

describe('alarms on the command line', () => {
  // Ids are unique by time and chance: commands that all ran in the same millisecond would meet one day.
  let commands = 0;
  const clock = { now: () => NOW + commands };
  let home: Installation;
  let plant: string;
  const ok: Installation['ok'] = (...args) => {
    commands += 1;
    return home.ok(...args);
  };

  beforeAll(async () => {
    home = createInstallation({}, clock);
    for (const email of ['owner@example.com', 'guest@example.com', 'nobody@example.com']) {
      await ok('user', 'add', '--email', email, '--role', 'owner', '--password', 'correct horse');
    }
    ({ id: plant } = await ok(
      'plant',
      'add',
      '--owner',
      'owner@example.com',
      '--name',
      'Roof',
      '--capacity-kwp',
      '9.9',
    ));
    const { id: collector } = await ok('collector', 'add', '--plant', plant, '--sn', 'C-1');
    await ok(
      'device',
      'add',
      '--plant',
      plant,
      '--kind',
      'inverter',
      '--sn',
      'I-1',
      '--collector',
      'C-1',
    );
    await ok('plant', 'share', plant, '--with', 'guest@example.com', '--level', 'read');
    const { db, close } = openStorage(`${home.folder}/data/helioport.db`);
    const alarms = ['E1', 'E2'].map((code) => ({
      sn: 'I-1',
      code,
      at: NOW,
      level: 2,
      message: `fault ${code}`,
    }));
    await recordReported(
      { db, clock, newId: createIdSource(clock) },
      { collectorId: collector },
      alarms,
    );
    await close();
  });
  afterAll(() => home.remove());

  test('are listed for those who may see them, by plant and state, as a table too', async () => {
    const all = await ok('alarm', 'list', '--user', 'owner@example.com');
    expect(all).toMatchObject([
      {
        code: 'E2',
        state: 'pending',
        level: 'general',
        device: { sn: 'I-1' },
        plant: { id: plant },
      },
      { code: 'E1', state: 'pending' },
    ]);
    expect(
      await ok('alarm', 'list', '--user', 'guest@example.com', '--plant', plant, '--limit', '1'),
    ).toMatchObject([{ code: 'E2' }]);
    expect(await ok('alarm', 'list', '--user', 'nobody@example.com')).toEqual([]);
    expect(await ok('alarm', 'list', '--user', 'owner@example.com', '--state', 'restored')).toEqual(
      [],
    );
    const shown = await home.helioport('alarm', 'list', '--user', 'owner@example.com');
    expect(shown.stdout).toMatch(/Roof +I-1 +general +E1 +fault E1 +pending +2026-06-15 10:00:00/);
    for (const wrong of ['0', '1001', '1.5', 'all']) {
      expect(
        (await home.helioport('alarm', 'list', '--user', 'owner@example.com', '--limit', wrong))
          .exitCode,
      ).toBe(2);
    }
  });

  test('are noted as processed once, by who may control the plant, and stay so in the list', async () => {
    const [{ id }] = await ok('alarm', 'list', '--user', 'owner@example.com', '--state', 'pending');
    for (const user of ['guest@example.com', 'nobody@example.com']) {
      expect(await home.helioport('alarm', 'process', id, '--user', user)).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining('there is no such '),
      });
    }
    expect(await ok('alarm', 'process', id, '--user', 'owner@example.com')).toEqual({
      id,
      processed: true,
    });
    const again = await home.helioport(
      'alarm',
      'process',
      '--id',
      id,
      '--user',
      'owner@example.com',
    );
    expect([again.exitCode, again.stderr]).toEqual([
      1,
      'helioport: the alarm is not pending: it has already been processed',
    ]);
    expect(
      (
        await home.helioport(
          'alarm',
          'process',
          '1300000000000000000',
          '--user',
          'owner@example.com',
        )
      ).exitCode,
    ).toBe(1);
    expect(
      await ok('alarm', 'list', '--user', 'guest@example.com', '--state', 'processed'),
    ).toMatchObject([{ id, code: 'E2' }]);
    const events = await ok('user', 'audit', 'owner@example.com');
    // Not by its place: the clock stands, and so all events are of one moment.
    expect(events.filter(({ kind }: { kind: string }) => kind === 'alarm.processed')).toMatchObject(
      [{ kind: 'alarm.processed', actor: 'operator', data: { alarmId: id, plantId: plant } }],
    );
  });
});
