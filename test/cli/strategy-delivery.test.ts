import { expect, test } from 'vitest';
import { describeStrategies } from '../strategies/scene.ts';
import { createInstallation } from '../support/command.ts';
import { settingsOf } from '../support/engines.ts';

const HOUR_MS = 3_600_000;

describeStrategies('proof of delivery on the command line', (scene) => {
  test('is a table, JSON, or a file, page by page (C38)', async () => {
    scene.clock.at = Math.ceil(scene.clock.at / HOUR_MS) * HOUR_MS;
    const here = await scene.battery();
    const partner = await scene.partner(here.ownerId);
    const id = await partner.dispatch({ sn: here.sn });
    await scene.wait(HOUR_MS, here);
    const home = createInstallation(settingsOf(scene.database()), scene.clock);
    try {
      const row = {
        sn: here.sn,
        payload: 'exportLimit',
        measuredAt: 'connection',
        askedKw: null,
        measuredKw: null,
        gapSeconds: 1800,
      };
      expect(await home.ok('strategy', 'delivery', id, '--interval', '30')).toMatchObject([
        row,
        row,
      ]);
      expect(
        (await home.helioport('strategy', 'delivery', '--id', id, '--baseline', 'meterBeforeAfter'))
          .stdout,
      ).toMatch(new RegExp(`^device +from .*\\n.*${here.sn} .* exportLimit .* 900`));
      const { stdout } = await home.helioport(
        'strategy',
        'delivery',
        id,
        '--csv',
        '--interval',
        '60',
      );
      const lines = stdout.trimEnd().split('\n');
      expect(lines).toEqual([
        expect.stringMatching(/^sn,start,end,/),
        expect.stringMatching(new RegExp(`^${here.sn},.*,exportLimit,connection,,,,,0,,3600,$`)),
      ]);
      const file = (await home.ok('strategy', 'delivery', id, '--csv', '--interval', '60')) as {
        csv: string;
      };
      expect(file.csv).toBe(lines.map((line) => `${line}\r\n`).join(''));
      expect(await home.ok('strategy', 'delivery', id, '--device', 'NOBODY')).toEqual([]);
      for (const [args, exitCode, message] of [
        [['delivery'], 2, 'the id of a strategy'],
        [['delivery', id, '--interval', '7'], 2, 'one of 5, 15, 30, 60'],
        [['delivery', id, '--from', 'yesterday'], 2, 'from'],
        [['delivery', id, '--baseline', 'guess'], 2, 'tenDays'],
        [['delivery', '1300000000000000000'], 1, 'there is no such '],
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
