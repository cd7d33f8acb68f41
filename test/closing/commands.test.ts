import { expect, test } from 'vitest';
import { createControlScene } from '../commands/scene.ts';
import { describeEngines } from '../support/engines.ts';

const OPERATOR = { kind: 'operator', accountId: null, plantIds: null } as const;

describeEngines('commands of an account that is closed', (database) => {
  const scene = createControlScene(database);

  test('are not sent any more; its collectors go on, for what has to be restored', async () => {
    const home = await scene.home();
    const { id } = await scene.queueFor(home.owner, home, '158', '20');
    await scene.ask('user/close', OPERATOR, { email: home.ownerEmail });
    expect(await home.box.obey()).toEqual([]);
    expect(await database().db.selectFrom('command').select(['state', 'reason']).where('id', '=', id).executeTakeFirst()).toEqual({
      state: 'cancelled',
      reason: 'the account was closed',
    });
  });
});
