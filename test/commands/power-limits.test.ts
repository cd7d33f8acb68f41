import { expect, test } from 'vitest';
import { sharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import { describeEngines } from '../support/engines.ts';
import { userCaller } from '../support/world.ts';
import { createControlScene } from './scene.ts';

const LIMIT = '15';

describeEngines('a limit of an inverter’s power', (database) => {
  const scene = createControlScene(database);
  const { clock, home } = scene;

  test('is shown to everybody who sees the plant, with when it was set, and by whom as far as they may know', async () => {
    const here = await home();
    const [installer, guest] = [await scene.person(), await scene.person()];
    await scene.write(async (trx) => {
      await sharePlant(trx, scene.act(), here.plantId, installer.email, 'control');
      await sharePlant(trx, scene.act(), here.plantId, guest.email, 'read');
    });
    const limits = (caller = here.owner) =>
      scene.ask('control/powerLimits', caller, { plantId: here.plantId });
    expect(await limits()).toEqual([]);
    await scene.send(here, LIMIT, '60', {}, userCaller(installer.id));
    expect(await limits()).toEqual([]);
    await here.box.obey();
    const setAt = clock.now();
    const known = { sn: here.sn, percent: 60, readAt: setAt, setAt, by: `account:${installer.id}` };
    clock.at += 3 * 86_400_000;
    expect(await limits()).toMatchObject([{ ...known, byEmail: installer.email }]);
    expect(await limits(userCaller(guest.id))).toMatchObject([{ ...known, byEmail: null }]);
    await expect(limits(userCaller((await scene.person()).id))).rejects.toMatchObject({
      code: 'noPermission',
    });
    // Read once more, it is still what was set; changed at the device, nobody here has set it.
    await scene.queueFor(here.owner, here, LIMIT, undefined);
    await here.box.obey();
    expect(await limits()).toMatchObject([{ ...known, readAt: clock.now() }]);
    here.box.values[LIMIT] = '40';
    await scene.queueFor(here.owner, here, LIMIT, undefined);
    await here.box.obey();
    expect(await limits()).toMatchObject([{ percent: 40, setAt: null, by: null }]);
    await scene.send(here, LIMIT, '100');
    await here.box.obey();
    expect(await limits()).toEqual([]);
  });
});
