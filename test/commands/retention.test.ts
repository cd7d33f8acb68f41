import { expect, test } from 'vitest';
import { sweepCommands } from '../../packages/server/src/control/commands/history.ts';
import { findSetLimits } from '../../packages/server/src/outbound/performance/set-limits.ts';
import { describeEngines } from '../support/engines.ts';
import { createControlScene } from './scene.ts';

const DAY = 86_400_000;

describeEngines('commands past their time', (database) => {
  const scene = createControlScene(database);
  const { clock, send, home } = scene;

  test('are deleted, but for what was written last of a setting as of then', async () => {
    const here = await home();
    await database()
      .db.updateTable('device')
      .set({ ratedPowerW: 8000 })
      .where('id', '=', here.deviceId)
      .execute();
    const write = async (parameter: string, value: string): Promise<string> => {
      const { id } = await send(here, parameter, value);
      await here.box.obey();
      clock.at += DAY;
      return id;
    };
    const first = await write('15', '40');
    const inForce = await write('15', '60');
    const other = await write('157', '20');
    const { id: expired } = await send(here, '157', '25');
    clock.at += 2 * DAY;
    await scene.runTime();
    clock.at += 400 * DAY;
    const recent = await write('15', '80');
    const left = async (): Promise<string[]> =>
      (await scene.ask('command/list', here.owner, { sn: here.sn })).map(({ id }) => id);
    const before = clock.at - 400 * DAY;
    const limits = async () => await findSetLimits(database().db, here.plantId);
    const [earlier] = [...(await limits()).inverters.values()];
    expect(await left()).toEqual([recent, expired, other, inForce, first]);

    expect(await sweepCommands(database().db, before, 1)).toBe(1);
    expect(await sweepCommands(database().db, before, 500)).toBe(1);
    expect(await sweepCommands(database().db, before, 500)).toBe(0);
    expect(await left()).toEqual([recent, other, inForce]);
    // The limit that is in force at that time, and the next, are still explained.
    const [later] = [...(await limits()).inverters.values()];
    expect(later).toEqual(earlier!.filter(({ toAt }) => toAt > before));
  });
});
