import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createInstallation, type Installation, type Outcome } from '../support/command.ts';
import { settableClock } from '../support/world.ts';

describe('tariffs on the command line', () => {
  const clock = settableClock('2026-06-01T10:30:00Z');
  let home: Installation;
  let plant: string;
  beforeAll(async () => {
    home = createInstallation({}, clock);
    await ok(
      'user',
      'add',
      '--email',
      'owner@example.com',
      '--role',
      'owner',
      '--password',
      'correct horse',
    );
    ({ id: plant } = await ok(
      'plant',
      'add',
      '--owner',
      'owner@example.com',
      '--name',
      'Roof',
      '--capacity-kwp',
      '5',
      '--time-zone',
      'America/Denver',
    ));
  });
  afterAll(() => home.remove());

  const run = (...args: string[]): Promise<Outcome> => home.helioport(...args, '--json');
  const ok: Installation['ok'] = (...args) => home.ok(...args);
  const set = (...args: string[]): Promise<any> => ok('plant', 'tariff', 'set', plant, ...args);
  const write = (name: string, content: unknown): string => {
    writeFileSync(
      join(home.folder, name),
      typeof content === 'string' ? content : JSON.stringify(content),
    );
    return name;
  };

  test('are set from a day of the plant, the beginning or now on, listed, and taken back', async () => {
    expect(await set('--use', 'import', '--from', 'beginning', '--price', '0.3')).toEqual({
      id: plant,
      use: 'import',
      fromAt: 0,
      pricePerKwh: 0.3,
    });
    const windows = [{ days: ['sat', 'sun'], start: '22:00', end: '06:00', pricePerKwh: 0.2 }];
    const file = write('tariff.json', { pricePerKwh: 0.35, windows });
    // Denver's midnight, six hours behind UTC in summer, seven in winter.
    expect(await set('--use', 'import', '--from', '2026-07-01', '--file', file)).toMatchObject({
      fromAt: Date.parse('2026-07-01T06:00:00Z'),
      windows,
    });
    expect(await set('--use', 'import', '--from', '2027-01-01', '--price', '0.4')).toMatchObject({
      fromAt: Date.parse('2027-01-01T07:00:00Z'),
    });
    expect(await set('--use', 'export', '--price', '0')).toMatchObject({
      fromAt: clock.at,
      pricePerKwh: 0,
    });
    expect(
      (await ok('plant', 'tariff', 'list', plant)).map(
        (row: { use: string; fromAt: number; pricePerKwh: number }) => [row.use, row.pricePerKwh],
      ),
    ).toEqual([
      ['import', 0.3],
      ['import', 0.35],
      ['import', 0.4],
      ['export', 0],
    ]);
    const shown = (await home.helioport('plant', 'tariff', 'list', plant)).stdout;
    expect(shown).toMatch(/import +the beginning +0\.3/);
    expect(shown).toMatch(/import +2026-07-01 00:00:00 +0\.35 +sat,sun 22:00-06:00 0\.2/);
    expect(
      await ok('plant', 'tariff', 'remove', plant, '--use', 'import', '--from', '2026-07-01'),
    ).toMatchObject({ removed: true });
    // The day of the change is enough, and so is the instant.
    await ok(
      'plant',
      'tariff',
      'remove',
      '--plant',
      plant,
      '--use',
      'export',
      '--from',
      '2026-06-01',
    );
    await ok(
      'plant',
      'tariff',
      'remove',
      plant,
      '--use',
      'import',
      '--from',
      '2027-01-01T07:00:00Z',
    );
    await ok('plant', 'tariff', 'remove', plant, '--use', 'import', '--from', 'beginning');
    expect(await ok('plant', 'tariff', 'list', plant)).toEqual([]);
  });

  test('stand in the audit trail of the owner', async () => {
    clock.at += 1000;
    await set('--use', 'production', '--from', '2025-03-01', '--price', '0.081');
    const [event] = await ok('user', 'audit', 'owner@example.com', '--limit', '1');
    expect(event).toMatchObject({
      kind: 'plant.tariffChanged',
      actor: 'operator',
      data: {
        plantId: plant,
        use: 'production',
        from: '2025-03-01T07:00:00.000Z',
        pricePerKwh: 0.081,
      },
    });
  });

  test('of one day are distinguished by their instants', async () => {
    await set('--use', 'export', '--from', '2026-06-02T08:00:00Z', '--price', '1');
    await set('--use', 'export', '--from', '2026-06-02T09:00:00+00:00', '--price', '2');
    const both = await run(
      'plant',
      'tariff',
      'remove',
      plant,
      '--use',
      'export',
      '--from',
      '2026-06-02',
    );
    expect([both.exitCode, both.stderr]).toEqual([
      1,
      expect.stringContaining('2026-06-02T08:00:00.000Z or 2026-06-02T09:00:00.000Z'),
    ]);
    await ok(
      'plant',
      'tariff',
      'remove',
      plant,
      '--use',
      'export',
      '--from',
      '2026-06-02T08:00:00Z',
    );
    await ok('plant', 'tariff', 'remove', plant, '--use', 'export', '--from', '2026-06-02');
  });

  test('a plant is recalculated from a day on', async () => {
    await ok('device', 'add', '--plant', plant, '--kind', 'inverter', '--sn', 'INV-1');
    expect(await ok('plant', 'recalculate', plant)).toEqual({ id: plant, fromAt: 0, devices: 1 });
    expect(
      await ok('plant', 'recalculate', '--plant', plant, '--from', '2026-05-01'),
    ).toMatchObject({ fromAt: Date.parse('2026-05-01T06:00:00Z') });
  });

  test('all plants are recalculated at once, archived ones too, device by device, showing progress', async () => {
    await ok('device', 'add', '--plant', plant, '--kind', 'inverter', '--sn', 'INV-2');
    const { id: archived } = await ok(
      'plant',
      'add',
      '--owner',
      'owner@example.com',
      '--name',
      'Barn',
      '--capacity-kwp',
      '5',
    );
    await ok('device', 'add', '--plant', archived, '--kind', 'inverter', '--sn', 'INV-9');
    await ok('plant', 'archive', archived);
    const all = await run('plant', 'recalculate', '--all');
    expect([all.exitCode, all.json()]).toEqual([0, { plants: 2, devices: 3 }]);
    expect(all.stderr.match(/\d of \d devices/g)).toEqual([
      '1 of 3 devices',
      '2 of 3 devices',
      '3 of 3 devices',
    ]);
    for (const more of [[plant], ['--plant', plant], ['--from', '2026-05-01']]) {
      expect(await run('plant', 'recalculate', '--all', ...more)).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining('--all cannot be combined'),
      });
    }
  });

  test('device add takes the rated power, in kW or in W', async () => {
    await ok(
      'device',
      'add',
      '--plant',
      plant,
      '--kind',
      'inverter',
      '--sn',
      'INV-3',
      '--rated-power-kw',
      '8.2',
    );
    await ok(
      'device',
      'add',
      '--plant',
      plant,
      '--kind',
      'inverter',
      '--sn',
      'INV-4',
      '--rated-power-w',
      '5000',
    );
    const rated = new Map(
      (await ok('device', 'list', '--plant', plant)).map(
        (one: { sn: string; ratedPowerW: number | null }) => [one.sn, one.ratedPowerW],
      ),
    );
    expect(['INV-1', 'INV-3', 'INV-4'].map((sn) => rated.get(sn))).toEqual([null, 8200, 5000]);
    expect(
      (
        await run(
          'device',
          'add',
          '--plant',
          plant,
          '--kind',
          'inverter',
          '--sn',
          'INV-5',
          '--rated-power-kw=-1',
        )
      ).exitCode,
    ).toBe(2);
  });

  test.each([
    [
      2,
      'a date that is none',
      ['set', '--use', 'import', '--price', '1', '--from', '2026-02-30'],
      'from, expected YYYY-MM-DD',
    ],
    [2, 'month 13', ['set', '--use', 'import', '--price', '1', '--from', '2026-13-01'], 'from'],
    [2, 'words', ['set', '--use', 'import', '--price', '1', '--from', 'tomorrow'], 'from'],
    [
      2,
      'an instant without a zone',
      ['set', '--use', 'import', '--price', '1', '--from', '2026-01-01T00:00:00'],
      'from',
    ],
    [
      2,
      'the year 9999',
      ['set', '--use', 'import', '--price', '1', '--from', '9999-01-01'],
      'from',
    ],
    [
      2,
      'a time before 1970',
      ['set', '--use', 'import', '--price', '1', '--from', '1960-01-01'],
      'from',
    ],
    [2, 'a negative price', ['set', '--use', 'import', '--price=-1'], 'pricePerKwh'],
    [
      1,
      'a file that is none',
      ['set', '--use', 'import', '--file', 'none.json'],
      'none.json cannot be read',
    ],
    [
      1,
      'a file that is no JSON',
      ['set', '--use', 'import', '--file', 'broken.json'],
      'broken.json cannot be read',
    ],
    [
      2,
      'a window that cannot be',
      ['set', '--use', 'import', '--file', 'window.json'],
      'windows[0].end',
    ],
    [
      1,
      'a begin of no tariff',
      ['remove', '--use', 'import', '--from', '2020-01-01'],
      'the time at which one of',
    ],
    [
      2,
      'a price that is no number',
      ['set', '--use', 'import', '--price', 'dear'],
      'expected a number',
    ],
    [2, 'neither price nor file', ['set', '--use', 'import'], 'either --price or --file'],
    [
      2,
      'both',
      ['set', '--use', 'import', '--price', '1', '--file', 'window.json'],
      'either --price or --file',
    ],
    [2, 'another use', ['set', '--use', 'heating', '--price', '1'], 'Allowed choices'],
    [2, 'no use', ['set', '--price', '1'], '--use'],
    [2, 'no begin to remove', ['remove', '--use', 'import'], '--from'],
  ])('exit code %i: %s', async (exitCode, _, args, reason) => {
    write('broken.json', '{"pricePerKwh":');
    write('window.json', {
      pricePerKwh: 1,
      windows: [{ start: '10:00', end: '10:00', pricePerKwh: 1 }],
    });
    const before = await ok('plant', 'tariff', 'list', plant);
    const [command, ...options] = args;
    const outcome = await run('plant', 'tariff', command!, plant, ...options);
    expect({ exitCode: outcome.exitCode, stdout: outcome.stdout }).toEqual({
      exitCode,
      stdout: '',
    });
    expect(outcome.stderr).toContain(reason);
    expect(await ok('plant', 'tariff', 'list', plant)).toEqual(before);
  });

  test.each(['set', 'list', 'remove'])(
    '%s refuses an unknown plant, and none at all',
    async (command) => {
      const options = {
        set: ['--use', 'import', '--price', '1'],
        list: [],
        remove: ['--use', 'import', '--from', 'beginning'],
      }[command]!;
      expect(await run('plant', 'tariff', command, '1', ...options)).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining('there is no such '),
      });
      expect(await run('plant', 'tariff', command, ...options)).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining('the id of a plant'),
      });
    },
  );
});
