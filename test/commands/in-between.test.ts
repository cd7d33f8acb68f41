import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { authenticateCollector } from '../../packages/server/src/fleet/collectors/authenticate.ts';
import { insertCollector } from '../../packages/server/src/fleet/collectors/collectors.ts';
import { queueCommands } from '../../packages/server/src/control/commands/queue.ts';
import { releaseControl, stopControl } from '../../packages/server/src/control/commands/stop.ts';
import { assignCollector } from '../../packages/server/src/fleet/devices/devices.ts';
import { createIdSource } from '../../packages/server/src/platform/kernel/ids.ts';
import { bindDevice, unbindDevice } from '../../packages/server/src/fleet/plants/bindings.ts';
import { lockDeviceRows } from '../../packages/server/src/fleet/plants/lock.ts';
import { describeEngines } from '../support/engines.ts';
import { createControlScene, MODEL, type Home } from './scene.ts';

const SECOND = 1_000;

describeEngines('what happens while a command is under way', (database) => {
  const scene = createControlScene(database);
  const { clock, home, send, show, write, act } = scene;

  /** Does the next instruction and reports it. */
  const step = async ({ box }: Home): Promise<void> =>
    void (await box.report(...(await box.fetch()).map(box.carryOut)));
  const setModel = (here: Home, model: string) =>
    database().db.updateTable('device').set({ model }).where('id', '=', here.deviceId).execute();

  test('another command whose id is older, from an instance whose clock is behind, waits all the same', async () => {
    const here = await home();
    const first = await send(here, '157', '20');
    await step(here);
    const behind = createIdSource({ now: () => clock.at - 60 * SECOND });
    const { owner: caller, deviceId, plantId } = here;
    const wanted = {
      deviceId,
      plantId,
      parameter: '158',
      value: '12',
      expiresAt: clock.at + 300 * SECOND,
    };
    const [second] = await write((trx) =>
      queueCommands(trx, act({ newId: behind }), caller, [wanted]),
    );
    expect(second! < first.id).toBe(true);
    expect(await here.box.obey()).toEqual([
      'write 157 20',
      'read 157',
      'read 158',
      'write 158 12',
      'read 158',
    ]);
  });

  test('two instances that ask at once hand one instruction over', async () => {
    for (let round = 0; round < 10; round++) {
      const here = await home();
      await send(here, '157', '20');
      await send(here, '158', '12');
      for (let left = 6; left > 0; left--) {
        const handed = (
          await Promise.all([here.box.fetch(), here.box.fetch(), here.box.fetch()])
        ).flat();
        expect(handed.length).toBe(1);
        await here.box.report(...handed.map(here.box.carryOut));
      }
      expect(here.box.writes.length).toBe(2);
    }
  });

  test('a late answer to a read from before the write is not taken for what the device has now', async () => {
    const here = await home();
    const { id } = await send(here, '157', '20');
    const [early] = await here.box.fetch();
    clock.at += 20 * SECOND;
    const [again] = await here.box.fetch();
    await here.box.report({ id: early!.id, ok: true, value: '30' });
    const late = () => here.box.report({ id: again!.id, ok: true, value: '20' });
    expect(await late()).toEqual({ accepted: 0, duplicate: 1, refused: [] });
    const [written] = await here.box.fetch();
    expect(await late()).toEqual({ accepted: 0, duplicate: 1, refused: [] });
    expect((await show(here, id)).state).toBe('sent');
    await here.box.report(here.box.carryOut(written!));
    expect(await late()).toEqual({ accepted: 0, duplicate: 1, refused: [] });
    expect((await show(here, id)).state).toBe('confirmed');
    expect(await here.box.obey()).toEqual(['read 157']);
  });

  test('a late answer to the write confirms it, and it is not read back anew', async () => {
    const here = await home();
    const { id } = await send(here, '157', '20');
    await step(here);
    const [written] = await here.box.fetch();
    clock.at += 45 * SECOND;
    const [verify] = await here.box.fetch();
    expect(verify!.action).toBe('read');
    await here.box.report(here.box.carryOut(written!));
    expect(await show(here, id)).toMatchObject({ state: 'confirmed', confirmedAt: clock.at });
    expect(await here.box.report(here.box.carryOut(verify!))).toMatchObject({ accepted: 1 });
    expect(await show(here, id)).toMatchObject({ state: 'verified', readValue: '20' });
    expect(await here.box.fetch()).toEqual([]);
  });

  test('a read that is handed over again was sent when it was handed over first', async () => {
    const here = await home();
    await scene.ask('atRead', here.owner, { inverterSn: here.sn, cid: '157' }).catch(() => {});
    const sentAt = clock.at;
    await here.box.fetch();
    clock.at += 20 * SECOND;
    await step(here);
    const [read] = await scene.ask('command/list', here.owner, { sn: here.sn, reads: 1 });
    expect(read).toMatchObject({ state: 'verified', sentAt, endedAt: clock.at });
  });

  test('a device that does not answer in time lets a command expire with another reason than one that nobody fetched, be it to read or to write', async () => {
    const here = await home();
    for (const value of ['20', undefined]) {
      const { id } = await scene.queueFor(here.owner, here, '157', value);
      await here.box.fetch();
      clock.at += 300 * SECOND;
      await scene.runTime();
      expect(await show(here, id)).toMatchObject({
        state: 'expired',
        reason: 'the device did not answer in time',
        endedAt: clock.at,
      });
    }
  });

  test('a write supersedes no read of the same parameter', async () => {
    const here = await home();
    const { id } = await scene.queueFor(here.owner, here, '157', undefined);
    await send(here, '157', '20');
    expect(await here.box.obey()).toEqual(['read 157', 'read 157', 'write 157 20', 'read 157']);
    expect(await show(here, id)).toMatchObject({ state: 'verified', readValue: '30' });
  });

  test('a read is cancelled even after it was handed over', async () => {
    const here = await home();
    const { id } = await scene.queueFor(here.owner, here, '157', undefined);
    const [read] = await here.box.fetch();
    await scene.ask('command/cancel', here.owner, { id });
    expect(await here.box.report(here.box.carryOut(read!))).toEqual({
      accepted: 0,
      duplicate: 1,
      refused: [],
    });
    expect(await show(here, id)).toMatchObject({ state: 'cancelled', readValue: null });
  });

  test('the devices of other collectors, however many have something to do, keep no collector from its own', async () => {
    const there = await home();
    for (let i = 0; i < 51; i++) {
      const { id: deviceId } = await scene.device(there.plantId, { model: MODEL });
      await write((trx) => assignCollector(trx, deviceId, there.collectorId));
      await scene.queueFor(there.owner, { ...there, deviceId }, '157', '20');
    }
    const here = await home();
    await send(here, '157', '20');
    expect((await here.box.fetch()).length).toBe(1);
    // Those left over are next.
    expect([(await there.box.fetch()).length, (await there.box.fetch()).length]).toEqual([50, 1]);
  });

  test.each([
    ['before anything was sent', 0],
    ['after it was read', 1],
  ])('a device that turns out to be another model %s is not written', async (_, steps) => {
    const here = await home();
    const { id } = await send(here, '157', '20');
    for (let i = 0; i < steps; i++) await step(here);
    await setModel(here, 'SIM-8K');
    expect(await here.box.obey()).toEqual([]);
    expect(await show(here, id)).toMatchObject({
      state: 'refused',
      reason: 'the device does not have this parameter',
    });
  });

  test('a device that turns out to be another model after it was written is read back, and its text decides', async () => {
    for (const [read, state] of [
      ['20', 'verified'],
      ['20.0', 'failed'],
    ] as const) {
      const here = await home();
      const { id } = await send(here, '157', '20');
      await step(here);
      await step(here);
      await setModel(here, 'SIM-8K');
      for (let i = 0; i < 3; i++, clock.at += 2 * SECOND)
        for (const { id: instruction, encoding } of await here.box.fetch()) {
          expect(encoding).toBeUndefined();
          await here.box.report({ id: instruction, ok: true, value: read });
        }
      expect(await show(here, id)).toMatchObject({ state, readValue: read });
    }
  });

  test.each(['leaves its plant', 'goes to another plant'])(
    'a device that %s after it was written is not read back for it',
    async (how) => {
      const here = await home();
      const { id } = await send(here, '157', '20');
      await step(here);
      await step(here);
      const other = await scene.plant(here.ownerId);
      await write(async (trx) => {
        await unbindDevice(trx, act(), here.deviceId, here.plantId);
        if (how === 'goes to another plant') await bindDevice(trx, act(), here.deviceId, other);
      });
      expect(await here.box.fetch()).toEqual([]);
      expect(
        await database()
          .db.selectFrom('command')
          .select(['state', 'reason'])
          .where('id', '=', id)
          .executeTakeFirst(),
      ).toEqual({
        state: 'failed',
        reason: 'the device left the plant before it was read back',
      });
    },
  );

  test('a device that has gone to another collector is handed to that one alone', async () => {
    const here = await home();
    await send(here, '157', '20');
    const moved = await write((trx) => insertCollector(trx, act(), { sn: scene.uniqueSn('COL') }));
    await write((trx) => bindDevice(trx, act(), moved.id, here.plantId));
    if (database().engine === 'postgres') {
      // The change commits while the hand-over waits for it.
      const fetching: Promise<readonly object[]>[] = [];
      await write(async (trx) => {
        await lockDeviceRows(trx, [here.deviceId]);
        await assignCollector(trx, here.deviceId, moved.id);
        fetching.push(here.box.fetch());
        await expect.poll(async () => (await waitingForLocks()) > 0).toBe(true);
      });
      expect(await fetching[0]).toEqual([]);
    } else await write((trx) => assignCollector(trx, here.deviceId, moved.id));
    expect(await here.box.fetch()).toEqual([]);
  });

  const waitingForLocks = async (): Promise<number> => {
    const { rows } = await sql<{
      amount: number;
    }>`select count(*) as amount from pg_locks where not granted`.execute(database().db);
    return rows[0]!.amount;
  };

  test('a command for a device that was moved since its requester was let in is refused', async () => {
    const here = await home();
    const other = await scene.plant(here.ownerId);
    const wanted = {
      deviceId: here.deviceId,
      plantId: other,
      parameter: '157',
      value: '20',
      expiresAt: clock.at + SECOND,
    };
    await expect(
      write((trx) => queueCommands(trx, act(), here.owner, [wanted])),
    ).rejects.toMatchObject({ code: 'deviceUnknown' });
  });

  test('a change whose undoing failed can still be undone', async () => {
    const here = await home();
    await send(here, '157', '20');
    await here.box.obey();
    const undo = () => scene.ask('command/undo', here.owner, { sn: here.sn });
    const failed = await undo();
    await step(here);
    const [written] = await here.box.fetch();
    await here.box.report({ id: written!.id, ok: false, error: 'the bus is silent' });
    await here.box.obey();
    expect((await show(here, failed.id)).state).toBe('failed');
    const again = await undo();
    expect(again).toMatchObject({ parameter: '157', newValue: '30', undoes: failed.undoes });
    await here.box.obey();
    await expect(undo()).rejects.toMatchObject({ code: 'noPermission' });
  });

  test('a write that failed is not undone, but the last one that succeeded', async () => {
    const here = await home();
    await send(here, '157', '20');
    await here.box.obey();
    const failed = await send(here, '158', '12');
    await step(here);
    const [written] = await here.box.fetch();
    await here.box.report({ id: written!.id, ok: false, error: 'the bus is silent' });
    await here.box.obey();
    expect((await show(here, failed.id)).state).toBe('failed');
    expect(await scene.ask('command/undo', here.owner, { sn: here.sn })).toMatchObject({
      parameter: '157',
      newValue: '30',
    });
  });

  test('what is stopped or released already is not so again, and the operator writes all the same', async () => {
    const here = await home();
    const twice = async (change: typeof stopControl) => [
      await write((trx) => change(trx, act(), here.plantId)),
      await write((trx) => change(trx, act(), here.plantId)),
    ];
    expect(await twice(stopControl)).toEqual([true, false]);
    const byOperator = await send(
      here,
      '157',
      '20',
      {},
      { kind: 'operator', accountId: null, plantIds: null },
    );
    await here.box.obey();
    expect((await show(here, byOperator.id)).state).toBe('verified');
    expect(await twice(releaseControl)).toEqual([true, false]);
  });

  const wait = async (here: Home) => {
    const collector = await authenticateCollector(database().db, here.token, clock.now());
    return scene.exchange().instructions(collector, 20 * SECOND, new AbortController().signal);
  };

  /** All that wait are looked for together, so a call that is woken for nothing has stopped waiting when this is over. */
  const othersAreCalled = async (): Promise<void> => {
    for (let i = 0; i < 3; i++) {
      const there = await home();
      const called = wait(there);
      await send(there, '157', '20');
      expect((await called).length).toBe(1);
    }
  };

  test('a command from an instance whose clock is ahead waits for its time, and holds nothing else up', async () => {
    const here = await home();
    const { owner: caller, deviceId, plantId } = here;
    const at = clock.at + 10 * SECOND;
    await write((trx) =>
      queueCommands(trx, act({ at, newId: createIdSource({ now: () => at }) }), caller, [
        { deviceId, plantId, parameter: '158', value: '12', expiresAt: at + 300 * SECOND },
      ]),
    );
    let ended = false;
    const waiting = wait(here).finally(() => (ended = true));
    await othersAreCalled();
    expect(ended).toBe(false);
    await send(here, '157', '20');
    expect(await waiting).toMatchObject([{ action: 'read', parameter: '157' }]);
    clock.at += 30 * SECOND;
    expect(await here.box.obey()).toEqual([
      'read 157',
      'write 157 20',
      'read 157',
      'read 158',
      'write 158 12',
      'read 158',
    ]);
  });

  test('a collector that waits is not called for what has ended or is not due, and gets the next step when the result of the last one arrives', async () => {
    const here = await home();
    await send(here, '160', '9');
    await here.box.obey();
    clock.at += 60 * SECOND;
    let ended = false;
    const idle = wait(here).finally(() => (ended = true));
    await othersAreCalled();
    expect(ended).toBe(false);
    await send(here, '157', '20');
    const [read] = await idle;
    await send(here, '158', '12');
    ended = false;
    const waiting = wait(here).finally(() => (ended = true));
    await othersAreCalled();
    expect(ended).toBe(false);
    await here.box.report(here.box.carryOut(read!));
    expect(await waiting).toMatchObject([{ action: 'write', parameter: '157' }]);
  });
});
