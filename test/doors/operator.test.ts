import { expect, test } from 'vitest';
import { createOperatorDoor } from '../../packages/server/src/interfaces/operations/operator-door.ts';
import { disableOwner } from '../../packages/server/src/fleet/plants/owners.ts';
import { createFleet } from '../operations/fleet.ts';
import { createScene, SCENE_NOW } from '../operations/scene.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock } from '../support/world.ts';
import { operationSources } from '../support/operations.ts';

describeEngines('the door of the operator', (database) => {
  const clock = settableClock(SCENE_NOW);
  const fleet = createFleet(database, clock);
  const operator = () => {
    const { db } = database();
    return createOperatorDoor(operationSources(db, clock, fleet.newId));
  };

  test('reads requests by the contract, as every door does', async () => {
    await expect(operator().call('alarm/list', { pageSize: 101 })).rejects.toMatchObject({
      code: 'invalidValue',
      data: { field: 'pageSize' },
    });
    await expect(operator().call('alarm/process', {} as never)).rejects.toMatchObject({
      code: 'missingParameter',
      data: { field: 'id' },
    });
  });

  test('reaches everybody’s plants, those of a disabled owner included; for a user as far as that user does', async () => {
    const scene = await createScene(fleet);
    const everybodys = await operator().call('alarm/list', { plantId: scene.plantId });
    expect(everybodys.records).toMatchObject([{ plant: { id: scene.plantId }, code: 'TEST1' }]);
    expect(everybodys.total).toBe(1);
    const { email } = await database()
      .db.selectFrom('account')
      .select('email')
      .where('id', '=', scene.owner)
      .executeTakeFirstOrThrow();
    const [forOwner, forOther] = [
      await operator().forUser(email),
      await operator().forUser(scene.otherEmail),
    ];
    expect(await forOwner.call('alarm/list', { plantId: scene.plantId })).toEqual(everybodys);
    await expect(forOther.call('alarm/list', { plantId: scene.plantId })).rejects.toMatchObject({
      code: 'noPermission',
    });
    expect((await forOther.call('alarm/list', {})).total).toBe(0);
    const { id } = everybodys.records[0]!;
    await expect(forOther.call('alarm/process', { id })).rejects.toMatchObject({
      code: 'noPermission',
    });
    await fleet.write((trx) => disableOwner(trx, fleet.act(), scene.owner));
    await expect(forOwner.call('alarm/list', { plantId: scene.plantId })).rejects.toMatchObject({
      code: 'noPermission',
    });
    expect((await operator().call('alarm/list', { plantId: scene.plantId })).records).toEqual(
      everybodys.records,
    );
    await operator().call('alarm/process', { id });
    const trail = await database()
      .db.selectFrom('auditEvent')
      .select(['kind', 'actor'])
      .where('accountId', '=', scene.owner)
      .where('kind', 'like', 'alarm.%')
      .execute();
    expect(trail).toEqual([{ kind: 'alarm.processed', actor: 'operator' }]);
  });

  test('carries out several operations as a whole or not at all', async () => {
    const scene = await createScene(fleet);
    const { id } = (await operator().call('alarm/list', { plantId: scene.plantId })).records[0]!;
    const both = operator().together(async (door) => {
      await door.call('alarm/process', { id });
      await door.call('alarm/process', { id });
    });
    await expect(both).rejects.toMatchObject({ code: 'noPermission' });
    expect((await operator().call('alarm/list', { plantId: scene.plantId })).records).toMatchObject(
      [{ id, state: 'pending' }],
    );
    await operator().together((door) => door.call('alarm/process', { id }));
    expect((await operator().call('alarm/list', { plantId: scene.plantId })).records).toMatchObject(
      [{ id, state: 'processed' }],
    );
  });

  test('knows no user who is not there', async () => {
    await expect(operator().forUser('nobody@example.com')).rejects.toMatchObject({
      code: 'accountUnknown',
    });
  });
});
