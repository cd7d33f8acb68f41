import { expect, test } from 'vitest';
import { sweepReads } from '../../packages/server/src/control/commands/history.ts';
import { describeEngines } from '../support/engines.ts';
import { createControlScene } from './scene.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const PERCENT = { type: 'number', unit: '%', scale: 1 };

describeEngines('a command', (database) => {
  const scene = createControlScene(database);
  const { clock, send, show, home } = scene;

  test('is read before, written once, and verified by reading back (C12)', async () => {
    const here = await home();
    const { id, state } = await send(here, '157', '20');
    expect(state).toBe('queued');
    clock.at += SECOND;
    const [check] = await here.box.fetch();
    expect(check).toEqual({
      id: `${id}.1`,
      sn: here.sn,
      action: 'read',
      parameter: '157',
      encoding: PERCENT,
      withinSeconds: 20,
    });
    expect((await show(here, id)).state).toBe('queued');
    expect(await here.box.report(here.box.carryOut(check!))).toEqual({
      accepted: 1,
      duplicate: 0,
      refused: [],
    });
    clock.at += SECOND;
    const [write] = await here.box.fetch();
    expect(write).toEqual({
      id: `${id}.2`,
      sn: here.sn,
      action: 'write',
      parameter: '157',
      encoding: PERCENT,
      value: '20',
      oldValue: '30',
      withinSeconds: 30,
    });
    const sentAt = clock.at;
    expect(await show(here, id)).toMatchObject({
      state: 'sent',
      sentAt,
      oldValue: '30',
      confirmedAt: null,
      endedAt: null,
    });
    clock.at += SECOND;
    await here.box.report(here.box.carryOut(write!));
    expect(await show(here, id)).toMatchObject({
      state: 'confirmed',
      confirmedAt: clock.at,
      endedAt: null,
    });
    clock.at += SECOND;
    expect(await here.box.obey()).toEqual(['read 157']);
    expect(await show(here, id)).toMatchObject({
      sn: here.sn,
      action: 'write',
      state: 'verified',
      reason: null,
      oldValue: '30',
      newValue: '20',
      readValue: '20',
      by: `account:${here.ownerId}`,
      door: 'portal',
      sentAt,
      endedAt: clock.at,
    });
    expect(here.box.writes).toEqual([['157', '20']]);
  });

  test('that asks for what the device has already is answered without writing (C15)', async () => {
    const here = await home();
    const { id } = await send(here, '157', '30');
    expect(await here.box.obey()).toEqual(['read 157']);
    expect(await show(here, id)).toMatchObject({
      state: 'verified',
      sentAt: null,
      oldValue: '30',
      reason: 'the device already had this value',
    });
    expect(here.box.writes).toEqual([]);
  });

  test('waits for the one before it: one at a time for each device, in order (C13)', async () => {
    const here = await home();
    for (const [parameter, value] of [
      ['157', '20'],
      ['158', '12'],
      ['160', '6'],
    ] as const)
      await send(here, parameter, value);
    const [first, ...others] = await here.box.fetch();
    expect([first!.parameter, others]).toEqual(['157', []]);
    expect(await here.box.fetch()).toEqual([]);
    await here.box.report(here.box.carryOut(first!));
    expect(await here.box.obey()).toEqual([
      'write 157 20',
      'read 157',
      'read 158',
      'write 158 12',
      'read 158',
      'read 160',
      'write 160 6',
      'read 160',
    ]);
  });

  test('that was not sent yet is superseded by a later one for the same parameter; one that was sent goes on (C19)', async () => {
    const here = await home();
    const [first, other] = [await send(here, '157', '20'), await send(here, '158', '12')];
    await here.box.fetch();
    const second = await send(here, '157', '25');
    expect(await show(here, first.id)).toMatchObject({
      state: 'superseded',
      reason: 'a later command writes 157',
    });
    expect((await show(here, other.id)).state).toBe('queued');
    expect(await here.box.obey()).toEqual([
      'read 158',
      'write 158 12',
      'read 158',
      'read 157',
      'write 157 25',
      'read 157',
    ]);
    expect((await show(here, second.id)).state).toBe('verified');
    const sent = await send(here, '160', '7');
    await here.box.report(here.box.carryOut((await here.box.fetch())[0]!));
    const [write] = await here.box.fetch();
    await send(here, '160', '8');
    expect((await show(here, sent.id)).state).toBe('sent');
    await here.box.report(here.box.carryOut(write!));
    await here.box.obey();
    expect((await show(here, sent.id)).state).toBe('verified');
    expect(here.box.values['160']).toBe('8');
  });

  test('that nobody fetches expires after five minutes, or when its requester wants, and is never handed over (C17)', async () => {
    const here = await home();
    const [usual, brief] = [
      await send(here, '157', '20'),
      await send(here, '158', '12', { expirySeconds: 60 }),
    ];
    clock.at += MINUTE - 1;
    await scene.runTime();
    expect((await show(here, brief.id)).state).toBe('queued');
    clock.at += 1;
    await scene.runTime();
    expect(await show(here, brief.id)).toMatchObject({
      state: 'expired',
      endedAt: clock.at,
      reason: 'no collector fetched it in time',
    });
    clock.at += 4 * MINUTE - 1;
    await scene.runTime();
    expect((await show(here, usual.id)).state).toBe('queued');
    clock.at += 1;
    // Even if nothing has run since.
    expect(await here.box.fetch()).toEqual([]);
    expect(await show(here, usual.id)).toMatchObject({ state: 'expired', endedAt: clock.at });
  });

  test('of which the collector read the value but fetched the write too late expires unwritten', async () => {
    const here = await home();
    const { id } = await send(here, '157', '20', { expirySeconds: 10 });
    const [check] = await here.box.fetch();
    await here.box.report(here.box.carryOut(check!));
    clock.at += 10 * SECOND;
    expect(await here.box.fetch()).toEqual([]);
    expect((await show(here, id)).state).toBe('expired');
  });

  test('whose write was handed over and never answered is read back, not written again', async () => {
    for (const arrived of [true, false]) {
      const here = await home();
      const { id } = await send(here, '157', '20');
      await here.box.report(here.box.carryOut((await here.box.fetch())[0]!));
      const [write] = await here.box.fetch();
      if (arrived) here.box.carryOut(write!);
      clock.at += 45 * SECOND - 1;
      expect(await here.box.fetch()).toEqual([]);
      clock.at += 1;
      await scene.runTime();
      const obeyed: string[] = [];
      for (let i = 0; i < 5; i++, clock.at += 2 * SECOND) obeyed.push(...(await here.box.obey()));
      expect(obeyed).toEqual(arrived ? ['read 157'] : ['read 157', 'read 157', 'read 157']);
      expect(await show(here, id)).toMatchObject(
        arrived
          ? { state: 'verified' }
          : { state: 'failed', reason: 'the device has not taken the value: it has 30' },
      );
      expect(here.box.writes.length).toBe(arrived ? 1 : 0);
    }
  });

  test('whose write the device answers and does not take fails, with what it has', async () => {
    const here = await home();
    const { id } = await send(here, '157', '20');
    await here.box.report(here.box.carryOut((await here.box.fetch())[0]!));
    const [write] = await here.box.fetch();
    await here.box.report({ id: write!.id, ok: true });
    for (let i = 0; i < 3; i++) {
      expect((await show(here, id)).state).toBe('confirmed');
      expect(await here.box.obey()).toEqual(['read 157']);
      expect(await here.box.fetch()).toEqual([]);
      clock.at += 2 * SECOND;
    }
    expect(await show(here, id)).toMatchObject({
      state: 'failed',
      reason: 'the device has not taken the value: it has 30',
      readValue: '30',
    });
  });

  test('whose write the collector reports as failed is verified if the device has taken it all the same, else fails with its words', async () => {
    for (const taken of [true, false]) {
      const here = await home();
      const { id } = await send(here, '157', '20');
      await here.box.report(here.box.carryOut((await here.box.fetch())[0]!));
      const [write] = await here.box.fetch();
      if (taken) here.box.carryOut(write!);
      await here.box.report({ id: write!.id, ok: false, error: 'no response on the bus' });
      expect(await here.box.obey()).toEqual(['read 157']);
      expect(await show(here, id)).toMatchObject(
        taken ? { state: 'verified' } : { state: 'failed', reason: 'no response on the bus' },
      );
    }
  });

  test('whose device falls silent after the write is asked again, and fails after a quarter of an hour', async () => {
    const here = await home();
    const { id } = await send(here, '157', '20');
    await here.box.report(here.box.carryOut((await here.box.fetch())[0]!));
    const [write] = await here.box.fetch();
    const sentAt = clock.at;
    await here.box.report(here.box.carryOut(write!));
    const [verify] = await here.box.fetch();
    await here.box.report({ id: verify!.id, ok: false, error: 'silent' });
    expect(await here.box.fetch()).toEqual([]);
    clock.at += 5 * SECOND;
    expect((await here.box.fetch()).length).toBe(1);
    clock.at = sentAt + 15 * MINUTE - 1;
    await scene.runTime();
    expect((await show(here, id)).state).toBe('confirmed');
    clock.at += 1;
    await scene.runTime();
    expect(await show(here, id)).toMatchObject({
      state: 'failed',
      reason: 'the device has not answered since it was written',
      endedAt: clock.at,
    });
  });

  test('is not written beyond the budget of its memory in a day, no matter who asks, and says so (C16)', async () => {
    const here = await home();
    for (let i = 0; i < 24; i++) {
      await send(here, '157', String(20 + (i % 2)));
      await here.box.obey();
      clock.at += MINUTE;
    }
    expect(here.box.writes.length).toBe(24);
    await expect(send(here, '157', '50')).rejects.toMatchObject({ code: 'tooManyWrites' });
    expect((await send(here, '158', '12')).state).toBe('queued');
    await here.box.obey();
    clock.at += 24 * 60 * MINUTE - 24 * MINUTE + 1;
    expect((await send(here, '157', '50')).state).toBe('queued');
  });

  test('whose device was read back in vain counts that once, however often it is reported', async () => {
    const here = await home();
    const { id } = await send(here, '157', '20');
    await here.box.report(here.box.carryOut((await here.box.fetch())[0]!));
    const [write] = await here.box.fetch();
    await here.box.report({ id: write!.id, ok: true });
    const [verify] = await here.box.fetch();
    const result = here.box.carryOut(verify!);
    expect(await here.box.report(result, result, result)).toEqual({
      accepted: 1,
      duplicate: 2,
      refused: [],
    });
    expect((await show(here, id)).state).toBe('confirmed');
  });

  test('that was within the budget when it was queued is refused if it is not when it would be sent', async () => {
    const here = await home();
    for (let i = 0; i < 24; i++) {
      await send(here, '157', String(20 + (i % 2)));
      await here.box.obey();
    }
    clock.at += 24 * 60 * MINUTE;
    const { id } = await send(here, '157', '50');
    await database()
      .db.updateTable('command')
      .set({ sentAt: clock.at })
      .where('deviceId', '=', here.deviceId)
      .where('sentAt', 'is not', null)
      .execute();
    expect(await here.box.obey()).toEqual(['read 157']);
    expect(await show(here, id)).toMatchObject({
      state: 'refused',
      reason: expect.stringContaining('at most 24 times a day'),
    });
  });

  test('of a read whose answer is lost is handed over again', async () => {
    const here = await home();
    const answer = fetchRead(here.sn, here.owner);
    await answer.catch(() => {});
    const [read] = await here.box.fetch();
    expect(await here.box.fetch()).toEqual([]);
    clock.at += 20 * SECOND;
    const [again] = await here.box.fetch();
    expect([read!.id.split('.')[1], again!.id.split('.')[1]]).toEqual(['1', '2']);
    expect(await here.box.report(here.box.carryOut(again!), here.box.carryOut(read!))).toEqual({
      accepted: 1,
      duplicate: 1,
      refused: [],
    });
  });

  const fetchRead = (sn: string, owner: Parameters<typeof scene.ask>[1]) =>
    scene.ask('atRead', owner, { inverterSn: sn, cid: '157' });

  test('waits behind at most a hundred for the same device (C21)', async () => {
    const here = await home();
    const outcomes: string[] = [];
    for (let i = 0; i < 110; i++) {
      outcomes.push(
        await fetchRead(here.sn, here.owner).then(
          () => 'queued',
          (error: { code: string }) => error.code,
        ),
      );
    }
    expect(outcomes).toEqual([
      ...Array.from({ length: 100 }, () => 'queued'),
      ...Array.from({ length: 10 }, () => 'tooManyRequests'),
    ]);
    await expect(send(here, '157', '20')).rejects.toMatchObject({
      code: 'tooManyRequests',
      data: { retryAfterSeconds: 10 },
    });
    // Another device is not concerned.
    expect((await send(await home(), '157', '20')).state).toBe('queued');
  });

  test('of reads alone is forgotten a day after its end, writes are kept', async () => {
    const here = await home();
    const { id } = await send(here, '157', '20');
    await fetchRead(here.sn, here.owner);
    await here.box.obey();
    clock.at += 24 * 60 * MINUTE;
    await sweepReads(database().db, clock.at, 1000);
    expect((await scene.ask('command/list', here.owner, { sn: here.sn, reads: 1 })).length).toBe(2);
    clock.at += 1;
    await sweepReads(database().db, clock.at, 1000);
    expect(
      (await scene.ask('command/list', here.owner, { sn: here.sn, reads: 1 })).map((one) => one.id),
    ).toEqual([id]);
  });
});
