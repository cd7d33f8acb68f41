import { expect, test } from 'vitest';
import type { Caller } from '../../packages/server/src/identity/accounts/caller.ts';
import { sharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import { describeEngines } from '../support/engines.ts';
import { applicationCaller, userCaller } from '../support/world.ts';
import { addKey } from '../user-api/fixture.ts';
import { createControlScene, type Home } from './scene.ts';

describeEngines('writes that others asked for', (database) => {
  const scene = createControlScene(database);
  const { home, ask, send } = scene;
  const operator: Caller = { kind: 'operator', accountId: null, plantIds: null };

  const installerOf = async ({ plantId }: Home): Promise<Caller> => {
    const { id, email } = await scene.person();
    await scene.write((trx) => sharePlant(trx, scene.act(), plantId, email, 'control'));
    return userCaller(id);
  };
  const idsOf = (records: readonly { readonly id: string }[]): string[] =>
    records.map(({ id }) => id);

  test('are shown to the owner, newest first, no matter who it was; what the owner asked for and what was only read is not (C25)', async () => {
    const here = await home();
    const installer = await installerOf(here);
    const byInstaller = await send(here, '157', '20', {}, installer);
    await send(here, '158', '12');
    const { keyId } = await addKey(scene, { accountId: here.ownerId });
    await send(here, '158', '13', {}, userCaller(here.ownerId, { keyId }));
    await ask('atRead', installer, { inverterSn: here.sn, cid: '157' });
    const byApplication = await scene.queueFor(applicationCaller(here.ownerId), here, '160', '9');
    const byOperator = await send(here, '15', '90', {}, operator);
    const listed = await ask('command/byOthers', here.owner);
    expect(idsOf(listed)).toEqual([byOperator.id, byApplication.id, byInstaller.id]);
    expect(listed).toMatchObject([
      { door: 'operator', by: 'operator', seen: false },
      { door: 'oauth', parameter: '160', newValue: '9', seen: false },
      {
        door: 'portal',
        plantId: here.plantId,
        sn: here.sn,
        parameter: '157',
        newValue: '20',
        state: 'queued',
      },
    ]);
    expect(
      idsOf(await ask('command/byOthers', here.owner, { before: byOperator.id, limit: 1 })),
    ).toEqual([byApplication.id]);
    await here.box.obey();
    expect((await ask('command/byOthers', here.owner))[2]).toMatchObject({
      id: byInstaller.id,
      state: 'verified',
      oldValue: '30',
    });
  });

  test('stay unseen until the owner marks them, each plant by itself, and are never unmarked', async () => {
    const here = await home();
    const installer = await installerOf(here);
    const writes = [];
    for (const value of ['20', '21', '22'])
      writes.push((await send(here, '157', value, {}, installer)).id);
    const unseen = async () => idsOf(await ask('command/byOthers', here.owner, { unseen: 1 }));
    expect(await unseen()).toEqual(writes.toReversed());
    await ask('command/seen', here.owner, { id: writes[1]! });
    expect(await unseen()).toEqual([writes[2]]);
    await ask('command/seen', here.owner, { id: writes[0]! });
    expect(await unseen()).toEqual([writes[2]]);
    expect((await ask('command/byOthers', here.owner)).map(({ seen }) => seen)).toEqual([
      false,
      true,
      true,
    ]);
    const there = await home();
    const elsewhere = await send(there, '157', '20', {}, await installerOf(there));
    await ask('command/seen', there.owner, { id: elsewhere.id });
    expect([await unseen(), await ask('command/byOthers', there.owner, { unseen: 1 })]).toEqual([
      [writes[2]],
      [],
    ]);
  });

  test('are listed of every plant of the owner or of one, to nobody but the owner', async () => {
    const here = await home();
    const installer = await installerOf(here);
    const { id } = await send(here, '157', '20', {}, installer);
    const besides = await scene.plant(here.ownerId);
    expect(idsOf(await ask('command/byOthers', here.owner, { plantId: here.plantId }))).toEqual([
      id,
    ]);
    expect(await ask('command/byOthers', here.owner, { plantId: besides })).toEqual([]);
    expect(
      await ask('command/byOthers', userCaller(here.ownerId, { plantIds: [besides] })),
    ).toEqual([]);
    expect(await ask('command/byOthers', installer)).toEqual([]);
    for (const caller of [installer, userCaller((await scene.person()).id)]) {
      await expect(
        ask('command/byOthers', caller, { plantId: here.plantId }),
      ).rejects.toMatchObject({ code: 'noPermission' });
      await expect(ask('command/seen', caller, { id })).rejects.toMatchObject({
        code: 'noPermission',
      });
    }
    await expect(
      ask('command/seen', here.owner, { id: '1300000000000000000' }),
    ).rejects.toMatchObject({ code: 'noPermission' });
    expect((await ask('command/byOthers', here.owner, { unseen: 1 })).length).toBe(1);
  });
});
