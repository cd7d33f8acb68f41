import { beforeEach, expect, test } from 'vitest';
import { pruneLog } from '../../packages/server/src/platform/events/prune.ts';
import {
  beginReplays,
  type WantedReplay,
} from '../../packages/server/src/outbound/forwarding/destinations/replays.ts';
import { revokeGrant } from '../../packages/server/src/identity/oauth/grants.ts';
import { describeEngines } from '../support/engines.ts';
import { useReceiver } from './receiver.ts';
import { createForwardingScene } from './scene.ts';

const SAMPLES = { kinds: ['telemetry.sample'] } as const;

describeEngines('a replay', (database) => {
  const scene = createForwardingScene(database);
  const { clock, deliver } = scene;
  const receiver = useReceiver();
  beforeEach(async () => {
    await database().db.updateTable('destination').set({ state: 'paused' }).execute();
  });
  const measure = (to: { sn: string; collectorId: string }) =>
    scene.report(to as never, [{ at: (clock.at += 1_000), values: { acPowerW: 100 } }]);
  const replay = (destinationId: string, wanted: WantedReplay) =>
    scene.write((trx) => beginReplays(trx, scene.act(), destinationId, wanted));
  const numbers = () => receiver.seen.map(({ deviceSn, sequence }) => `${deviceSn} ${sequence}`);
  const state = (id: string) =>
    database().db.selectFrom('replay').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

  /** A platform that has got five events of each of two devices. */
  async function delivered() {
    const made = await scene.connected(receiver.url, SAMPLES);
    const second = { ...made.device, sn: (await scene.beside(made.device)).sn };
    const times: number[] = [];
    for (let i = 0; i < 5; i++) {
      await measure(made.device);
      times.push(clock.at);
      await measure(second);
    }
    await deliver();
    const first = receiver.seen.map(({ id }) => id);
    receiver.seen.length = 0;
    receiver.taken.length = 0;
    return { ...made, second, times, first };
  }

  test('of a time sends the same events once more, in their order, with the same ids', async () => {
    const { device, second, destinationId, times, first } = await delivered();
    const [id] = await replay(destinationId, { from: times[1]!, until: times[3]! });
    await deliver();
    expect(numbers()).toEqual([
      `${device.sn} 2`,
      `${second.sn} 2`,
      `${device.sn} 3`,
      `${second.sn} 3`,
    ]);
    expect(receiver.seen.every(({ id: event }) => first.includes(event))).toBe(true);
    expect(await state(id!)).toMatchObject({ state: 'done', delivered: 4, endedAt: clock.at });
  });

  test('of a device, and of one event', async () => {
    const { second, destinationId, first } = await delivered();
    await replay(destinationId, { sn: second.sn });
    await deliver();
    expect(numbers()).toEqual([1, 2, 3, 4, 5].map((n) => `${second.sn} ${n}`));
    receiver.seen.length = 0;
    await replay(destinationId, { eventId: first[4]! });
    await deliver();
    expect(receiver.seen.map(({ id }) => id)).toEqual([first[4]]);
  });

  test('runs beside the live stream, and does not move it', async () => {
    const { device, destinationId, times } = await delivered();
    const before = await scene.progress(destinationId);
    await replay(destinationId, { from: times[0]! });
    receiver.react = ({ sequence }) => (sequence <= 5 ? { status: 503 } : { status: 200 });
    await measure(device);
    await deliver();
    expect(receiver.taken.map(({ sequence }) => sequence)).toEqual([6]);
    const after = await scene.progress(destinationId);
    expect(after.no).toBeGreaterThan(before.no);
    receiver.react = () => ({ status: 200 });
    clock.at += 60_000;
    await deliver();
    expect(receiver.taken).toHaveLength(1 + 10);
    expect((await scene.waiting(destinationId)).length).toBe(0);
  });

  test('sends nothing that the application may not have any more', async () => {
    const { destinationId, grantId, ownerId, times } = await delivered();
    await scene.write((trx) => revokeGrant(trx, scene.act(), grantId, ownerId));
    const [id] = await replay(destinationId, { from: times[0]! });
    await deliver();
    expect(receiver.seen).toEqual([]);
    expect((await state(id!)).state).toBe('done');
  });

  test('of what was given up takes it off the list', async () => {
    const { device, destinationId } = await delivered();
    receiver.react = () => ({ status: 400 });
    await measure(device);
    await deliver();
    while ((await scene.letters(destinationId)).length === 0) {
      clock.at = (await scene.waiting(destinationId))[0]!.nextAt;
      await deliver();
    }
    receiver.react = () => ({ status: 200 });
    receiver.seen.length = 0;
    expect(await replay(destinationId, { deadLetters: true })).toHaveLength(1);
    await deliver();
    expect(numbers()).toEqual([`${device.sn} 6`]);
    expect(await scene.letters(destinationId)).toEqual([]);
  });

  test('of what was given up passes over what the log has lost, and ends what may not be sent any more', async () => {
    const { device, destinationId, grantId, ownerId, first } = await delivered();
    const { sn, deviceId: subject } = device;
    const letter = (eventId: string, at: number) => ({
      destinationId,
      eventId,
      kind: 1,
      subject,
      sn,
      sequence: 1,
      reason: 'refused',
      excerpt: null,
      at,
    });
    await measure(device);
    await pruneLog(database().db, { before: 0, entries: 5 }, 1_000);
    const lost = Array.from({ length: 50 }, (_, i) => letter(first[0]!.replace(/\d+$/, `${i}`), i));
    await database()
      .db.insertInto('deadLetter')
      .values([...lost, letter(first.at(-1)!, 100)])
      .execute();
    await scene.write((trx) => revokeGrant(trx, scene.act(), grantId, ownerId));
    const ids = await replay(destinationId, { deadLetters: true });
    expect(ids).toHaveLength(1);
    await deliver();
    expect(numbers()).toEqual([]);
    expect(await state(ids[0]!)).toMatchObject({ state: 'done', delivered: 0 });
    expect(await scene.letters(destinationId)).toHaveLength(50);
  });

  test('that fails again and again ends with the reason', async () => {
    const { destinationId, first } = await delivered();
    receiver.react = () => ({ status: 404 });
    const [id] = await replay(destinationId, { eventId: first[0]! });
    for (let attempt = 0; attempt < 20 && (await state(id!)).state === 'running'; attempt++) {
      await deliver();
      clock.at = Math.max(
        clock.at,
        (await state(id!)).nextAt,
        (await scene.progress(destinationId)).nextAt,
      );
    }
    expect(await state(id!)).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('404'),
    });
  });

  test('is refused for an event that is none, and for a time that the log has lost', async () => {
    const { device, destinationId, times, first } = await delivered();
    await expect(replay(destinationId, { eventId: '1-1-1' })).rejects.toMatchObject({
      code: 'invalidValue',
    });
    await expect(
      replay(destinationId, { from: times[2]!, until: times[2]! }),
    ).rejects.toMatchObject({ code: 'invalidValue' });
    expect(await replay(destinationId, { from: clock.at + 1 })).toEqual([]);
    await measure(device);
    await pruneLog(database().db, { before: clock.at, entries: 1_000 }, 10_000);
    await expect(replay(destinationId, { eventId: first[0]! })).rejects.toMatchObject({
      code: 'invalidValue',
    });
    await expect(replay(destinationId, { from: times[0]! })).rejects.toMatchObject({
      code: 'invalidValue',
    });
  });
});
