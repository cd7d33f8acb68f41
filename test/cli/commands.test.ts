import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createInstallation, type Installation } from '../support/command.ts';

describe('commands to inverters on the command line', () => {
  let home: Installation;
  let plantId: string;
  beforeAll(async () => {
    home = createInstallation();
    await home.ok(
      'user',
      'add',
      '--email',
      'owner@example.com',
      '--role',
      'owner',
      '--password',
      'correct horse battery',
    );
    plantId = (
      await home.ok(
        'plant',
        'add',
        '--owner',
        'owner@example.com',
        '--name',
        'Meadow',
        '--capacity-kwp',
        '9',
      )
    ).id;
    await home.ok(
      'device',
      'add',
      '--plant',
      plantId,
      '--kind',
      'inverter',
      '--sn',
      'INV-1',
      '--model',
      'SIM-8K-ES',
    );
  });
  afterAll(() => home.remove());

  test('are sent, listed and cancelled', async () => {
    const sent = await home.ok(
      'command',
      'send',
      '--device',
      'INV-1',
      '--parameter',
      '157',
      '--value',
      '20',
    );
    expect(sent).toEqual({
      id: expect.stringMatching(/^\d{19}$/),
      state: 'queued',
      oldValue: null,
      newValue: '20',
      reason: null,
    });
    expect(await home.ok('command', 'cancel', sent.id)).toEqual({
      id: sent.id,
      state: 'cancelled',
    });
    expect(await home.ok('command', 'list', '--device', 'INV-1')).toMatchObject([
      { id: sent.id, state: 'cancelled', by: 'operator', door: 'operator' },
    ]);
    expect((await home.helioport('command', 'list', '--device', 'INV-1')).stdout).toContain(
      'state of charge kept for backup',
    );
  });

  test('that come to another end than hoped exit with 1', async () => {
    const { id } = await home.ok(
      'command',
      'send',
      '--device',
      'INV-1',
      '--parameter',
      '157',
      '--value',
      '20',
      '--expiry',
      '86400',
    );
    const waiting = home.helioport(
      'command',
      'send',
      '--device',
      'INV-1',
      '--parameter',
      '158',
      '--value',
      '12',
      '--wait',
      '--json',
    );
    await expect
      .poll(async () => {
        const [last] = await home.ok('command', 'list', '--device', 'INV-1');
        return last.id === id ? null : (await home.ok('command', 'cancel', last.id)).state;
      })
      .toBe('cancelled');
    const outcome = await waiting;
    expect([outcome.exitCode, outcome.json().state]).toEqual([1, 'cancelled']);
  });

  test('of others are listed until they are seen', async () => {
    const { id } = await home.ok(
      'command',
      'send',
      '--device',
      'INV-1',
      '--parameter',
      '160',
      '--value',
      '9',
    );
    const unseen = (...more: string[]) =>
      home.ok('command', 'others', '--user', 'owner@example.com', '--unseen', ...more);
    expect((await unseen('--plant', plantId))[0]).toMatchObject({
      id,
      plantId,
      sn: 'INV-1',
      by: 'operator',
      newValue: '9',
      seen: false,
    });
    expect((await home.helioport('command', 'others')).stdout).toContain(id);
    expect(await home.ok('command', 'seen', id)).toEqual({ id, seen: true });
    expect(await unseen()).toEqual([]);
  });

  test('of others are stopped and released', async () => {
    expect(await home.ok('command', 'stop', '--plant', plantId)).toEqual({
      plantId,
      stopped: true,
    });
    expect(await home.ok('command', 'release', '--plant', plantId)).toEqual({
      plantId,
      stopped: false,
    });
  });

  test.each<[readonly string[], number, string]>([
    [
      ['send', '--device', 'NONE', '--parameter', '157', '--value', '20'],
      1,
      'the device does not exist',
    ],
    [['send', '--device', 'INV-1', '--parameter', '157', '--value', '200'], 2, 'from 0 to 100'],
    [['send', '--device', 'INV-1', '--parameter', '5916', '--value', '1'], 2, 'display'],
    [
      ['send', '--device', 'INV-1', '--parameter', '157', '--value', '20', '--expiry', '5'],
      2,
      'from 10 to 86400',
    ],
    [['send', '--device', 'INV-1'], 2, '--parameter'],
    [['cancel', '1300000000000000000'], 1, 'there is no such '],
    [['cancel'], 2, 'the id of a command'],
    [['undo', '--device', 'INV-1'], 1, 'there is no change to undo'],
    [['stop', '--plant', '1'], 1, 'there is no such '],
    [['others', '--plant', '1'], 1, 'there is no such '],
    [['others', '--user', 'nobody@example.com'], 1, 'does not exist'],
    [['seen'], 2, 'the id of a command'],
    [['seen', '1300000000000000000'], 1, 'there is no such '],
  ])('%j fails with %d and says why', async (args, exitCode, message) => {
    const outcome = await home.helioport('command', ...args);
    expect([outcome.exitCode, outcome.stderr]).toEqual([
      exitCode,
      expect.stringContaining(message),
    ]);
  });
});
