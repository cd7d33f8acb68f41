import { expect, test } from 'vitest';
import { createKilledSteps } from './killed-steps.ts';
import { createControlScene } from '../commands/scene.ts';
import { describeEngines } from '../support/engines.ts';

const OPERATOR = { kind: 'operator', accountId: null, plantIds: null } as const;

describeEngines('commands of an account that is closed', (database) => {
  const scene = createControlScene(database);

  test.each([
    [
      'are not sent any more',
      false,
      { state: 'refused', reason: 'the requester’s account is disabled' },
    ],
    [
      'are cancelled by a step of the closing',
      true,
      { state: 'cancelled', reason: 'the account was closed' },
    ],
  ])('%s; its collectors go on, for what has to be restored', async (_, isStep, outcome) => {
    const home = await scene.home();
    const { id } = await scene.queueFor(home.owner, home, '158', '20');
    await scene.ask('user/close', OPERATOR, { email: home.ownerEmail });
    if (isStep)
      await createKilledSteps(database, {
        clock: scene.clock,
        ids: scene.newId,
        outbox: null,
      }).all();
    expect(await home.box.obey()).toEqual([]);
    expect(
      await database()
        .db.selectFrom('command')
        .select(['state', 'reason'])
        .where('id', '=', id)
        .executeTakeFirst(),
    ).toEqual(outcome);
  });
});
