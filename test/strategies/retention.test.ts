import { expect, test } from 'vitest';
import { sweepCommands } from '../../packages/server/src/control/commands/history.ts';
import { sweepStrategies } from '../../packages/server/src/control/strategies/sweep.ts';
import { describeStrategies } from './scene.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const PARTS = [
  'strategyDevice',
  'strategySetting',
  'strategyVersion',
  'strategyShare',
  'strategyPause',
] as const;

describeStrategies('strategies past their time', (scene) => {
  const { clock, write, database, settle, wait, stored } = scene;

  test('are deleted with all that is known of them once none of their commands is left', async () => {
    const here = await scene.battery();
    const partner = await scene.partner(here.ownerId);
    const run = async (): Promise<string> => {
      const id = await partner.dispatch({ sn: here.sn });
      await settle(here);
      await wait(2 * HOUR, here);
      expect(await stored(id, here)).toMatchObject({ state: 'completed' });
      return id;
    };
    const first = await run();
    const second = await run();
    const sweep = async (before: number) => {
      while ((await sweepCommands(database().db, before, 3)) > 0);
      while ((await write((trx) => sweepStrategies(trx, before, 1))) > 0);
    };
    const left = async (): Promise<string[]> =>
      (await database().db.selectFrom('strategy').select('id').orderBy('id').execute())
        .map(({ id }) => id)
        .filter((id) => id === first || id === second);
    await sweep(clock.at - DAY);
    expect(await left()).toEqual([first, second]);
    clock.at += 2 * DAY;
    await sweep(clock.at - DAY);
    // What the second restored is what each setting has had since.
    expect(await left()).toEqual([second]);
    for (const part of PARTS)
      expect(
        await database()
          .db.selectFrom(part)
          .select('strategyId')
          .where('strategyId', '=', first)
          .execute(),
      ).toEqual([]);
    expect(await stored(second, here)).toMatchObject({ state: 'completed' });
  });

  test('stay as long as a device has not got its former settings back', async () => {
    const here = await scene.battery();
    const partner = await scene.partner(here.ownerId);
    const id = await partner.dispatch({ sn: here.sn });
    await settle(here);
    here.isOnline = false;
    await wait(2 * HOUR, here);
    clock.at += 500 * DAY;
    const before = clock.at - 400 * DAY;
    await sweepCommands(database().db, before, 500);
    await write((trx) => sweepStrategies(trx, before, 500));
    expect(await stored(id, here)).toMatchObject({ restoredAt: null });
  });
});
