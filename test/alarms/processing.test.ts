import { expect, test } from 'vitest';
import { changeAlarms } from '../../packages/server/src/outbound/alarms/alarm-rows.ts';
import { sharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import { createFleet } from '../operations/fleet.ts';
import { createScene, SCENE_NOW } from '../operations/scene.ts';
import { describeEngines } from '../support/engines.ts';
import { applicationCaller, settableClock, userCaller } from '../support/world.ts';

describeEngines('an alarm that somebody has dealt with', (database) => {
  const clock = settableClock(SCENE_NOW);
  const fleet = createFleet(database, clock);

  const setUp = async () => {
    const scene = await createScene(fleet);
    const caller = userCaller(scene.owner);
    const list = async () =>
      (await fleet.ask('alarmList', caller, { stationId: scene.plantId })).records;
    const pending = async () => (await fleet.ask('plant/ranking', caller)).records[0]!.alarmCount;
    const { id } = (await list())[0]!;
    return { ...scene, caller, id, list, pending };
  };

  test('is open again once that is taken back, is counted, and can be dealt with anew', async () => {
    const { owner, plantId, caller, id, list, pending } = await setUp();
    for (let i = 0; i < 2; i++) {
      await fleet.ask('alarm/process', caller, { id });
      expect([await list(), await pending()]).toMatchObject([
        [{ id, state: 'processed', processedAt: clock.at, processedBy: `account:${owner}` }],
        0,
      ]);
      const forApplications = await fleet.ask('alarmList', applicationCaller(owner), {
        stationId: plantId,
      });
      expect(forApplications.records).toMatchObject([{ id, processedAt: clock.at }]);
      expect(forApplications.records[0]!.processedBy).toBeUndefined();
      expect((await fleet.ask('plant/ranking', caller)).records[0]).toMatchObject({
        alarmCount: 0,
        alarmCode: 'TEST1',
      });
      await fleet.ask('alarm/reopen', caller, { id });
      expect([await list(), await pending()]).toMatchObject([[{ id, state: 'pending' }], 1]);
    }
    const stored = await database()
      .db.selectFrom('alarm')
      .select('processedAt')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(stored.processedAt).toBeNull();
    const trail = await database()
      .db.selectFrom('auditEvent')
      .select('data')
      .where('accountId', '=', owner)
      .where('kind', '=', 'alarm.reopened')
      .execute();
    expect(trail.map(({ data }) => JSON.parse(data) as unknown)).toEqual([
      { plantId, alarmId: id },
      { plantId, alarmId: id },
    ]);
  });

  test('is left alone by who may only look, if it was not marked, and once it has ended', async () => {
    const { other, otherEmail, plantId, devices, caller, id, list, pending } = await setUp();
    const notMarked = {
      code: 'noPermission',
      message: 'the alarm is not marked as processed, or has ended',
    };
    await expect(fleet.ask('alarm/reopen', caller, { id })).rejects.toMatchObject(notMarked);
    await fleet.ask('alarm/process', caller, { id });
    await expect(fleet.ask('alarm/reopen', userCaller(other), { id })).rejects.toMatchObject({
      code: 'noPermission',
    });
    await fleet.write((trx) => sharePlant(trx, fleet.act(), plantId, otherEmail, 'read'));
    await expect(fleet.ask('alarm/reopen', userCaller(other), { id })).rejects.toMatchObject({
      code: 'noPermission',
    });
    expect(await list()).toMatchObject([{ state: 'processed' }]);
    const end = { clear: { code: 'TEST1', endAt: clock.now() } };
    await fleet.write((trx) =>
      changeAlarms(trx, { now: clock.now(), newId: fleet.newId }, devices.inverter.id, [end]),
    );
    await expect(fleet.ask('alarm/reopen', caller, { id })).rejects.toMatchObject(notMarked);
    expect([await list(), await pending()]).toMatchObject([[{ state: 'restored' }], 0]);
  });

  test('says what who took it on says of it, to everybody who sees it, until it is open again', async () => {
    const { owner, other, otherEmail, plantId, devices, caller, id, list } = await setUp();
    const notTheirs = {
      code: 'noPermission',
      message: 'only who took the alarm on may say something of it',
    };
    const note = 'Fuse ordered. <b>I come</b> on Friday \u202e';
    await expect(fleet.ask('alarm/note', caller, { id, note })).rejects.toMatchObject(notTheirs);
    await fleet.ask('alarm/process', caller, { id });
    await expect(fleet.ask('alarm/note', userCaller(other), { id, note })).rejects.toMatchObject({
      code: 'noPermission',
    });
    await fleet.write((trx) => sharePlant(trx, fleet.act(), plantId, otherEmail, 'control'));
    await expect(fleet.ask('alarm/note', userCaller(other), { id, note })).rejects.toMatchObject(
      notTheirs,
    );
    await fleet.ask('alarm/note', caller, { id, note: `  ${note} ` });
    const seen = await fleet.ask('alarmList', userCaller(other), { stationId: plantId });
    expect([await list(), seen.records]).toMatchObject([
      [{ note, notedAt: clock.at }],
      [{ note, notedAt: clock.at }],
    ]);
    const [shown] = (await fleet.ask('alarmList', applicationCaller(owner), { stationId: plantId }))
      .records;
    expect([shown!.note, shown!.notedAt]).toEqual([undefined, undefined]);

    await fleet.ask('alarm/note', caller, { id, note: '' });
    expect(await list()).toMatchObject([{ note: null, notedAt: null, state: 'processed' }]);
    await fleet.ask('alarm/note', caller, { id, note: 'a'.repeat(500) });
    expect(() => fleet.ask('alarm/note', caller, { id, note: 'a'.repeat(501) })).toThrow(
      'at most 500 characters',
    );
    await fleet.ask('alarm/reopen', userCaller(other), { id });
    expect(await list()).toMatchObject([{ note: null, notedAt: null, state: 'pending' }]);

    await fleet.ask('alarm/process', caller, { id });
    await fleet.ask('alarm/note', caller, { id, note });
    const end = { clear: { code: 'TEST1', endAt: clock.now() } };
    await fleet.write((trx) =>
      changeAlarms(trx, { now: clock.now(), newId: fleet.newId }, devices.inverter.id, [end]),
    );
    expect(await list()).toMatchObject([{ state: 'restored', note }]);
    const trail = await database()
      .db.selectFrom('auditEvent')
      .select('data')
      .where('accountId', '=', owner)
      .where('kind', '=', 'alarm.noted')
      .execute();
    expect(trail.map(({ data }) => JSON.parse(data) as unknown)).toEqual(
      Array.from({ length: 4 }, () => ({ plantId, alarmId: id })),
    );
  });
});
