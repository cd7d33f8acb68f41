import { expect, test } from 'vitest';
import { describeStrategies } from '../strategies/scene.ts';
import { createInstallation } from '../support/command.ts';
import { settingsOf } from '../support/engines.ts';

describeStrategies('strategies on the command line', (scene) => {
  test('are listed, shown and stopped by the operator, who sets limits, too (C37)', async () => {
    const here = await scene.battery();
    const partner = await scene.partner(here.ownerId);
    const id = await partner.dispatch({ sn: here.sn });
    await scene.settle(here);
    const home = createInstallation(settingsOf(scene.database()), scene.clock);
    try {
      expect(await home.ok('strategy', 'list', '--plant', here.plantId)).toMatchObject([
        { id, state: 'active', devices: { active: 1 } },
      ]);
      expect(
        await home.ok('strategy', 'list', '--user', here.ownerEmail, '--current'),
      ).toMatchObject([{ id }]);
      expect((await home.helioport('strategy', 'list', '--plant', here.plantId)).stdout).toContain(
        '1 active',
      );
      expect(await home.ok('strategy', 'show', id)).toMatchObject({
        id,
        targets: [{ sn: here.sn, state: 'active' }],
      });
      expect((await home.helioport('strategy', 'show', id)).stdout).toContain(here.sn);
      expect(await home.ok('strategy', 'stop', id, '--plant', here.plantId)).toEqual({
        id,
        stopped: true,
      });
      expect(await home.ok('strategy', 'show', '--id', id)).toMatchObject({
        state: 'cancelled',
        reason: 'the operator stopped it',
      });
      const limits = {
        reserveSocPercent: 25,
        cyclesPerDay: 1.5,
        quietHours: [{ start: '22:00', end: '06:00' }],
      };
      const set = ['--reserve', '25', '--cycles', '1.5', '--quiet', '22:00-06:00'];
      expect(await home.ok('strategy', 'set-limits', '--plant', here.plantId, ...set)).toEqual(
        limits,
      );
      expect(await home.ok('strategy', 'limits', '--plant', here.plantId)).toEqual(limits);
      expect(
        (await home.helioport('strategy', 'limits', '--plant', here.plantId)).stdout,
      ).toContain('22:00-06:00');
      for (const [args, exitCode, message] of [
        [['stop', '1300000000000000000'], 1, 'there is no such '],
        [['stop', id, '--plant', '1'], 1, 'there is no such '],
        [['show'], 2, 'the id of a strategy'],
        [['set-limits', '--plant', here.plantId, '--quiet', 'night'], 2, '22:00-06:00'],
        [['set-limits', '--plant', here.plantId, '--reserve', '101'], 2, 'from 0 to 100'],
        [['limits', '--plant', '1'], 1, 'there is no such '],
      ] as const) {
        const outcome = await home.helioport('strategy', ...args);
        expect([args, outcome.exitCode, outcome.stderr]).toEqual([
          args,
          exitCode,
          expect.stringContaining(message),
        ]);
      }
    } finally {
      home.remove();
    }
  });
});
