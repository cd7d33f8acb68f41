import { expect, test } from 'vitest';
import type { ForwardedEvent } from '@helioport/contract';
import {
  armDestination,
  FORWARD,
} from '../../packages/server/src/outbound/forwarding/destinations/shards.ts';
import { armBehind } from '../../packages/server/src/outbound/forwarding/dispatcher/watch.ts';
import { createRunner } from '../../packages/server/src/platform/work/runner.ts';
import { describeEngines } from '../support/engines.ts';
import { complete, createSnapshotScene, SECOND } from './snapshot-scene.ts';
import { useReceiver } from './receiver.ts';

describeEngines('a snapshot at a peer that refuses or is away', (database) => {
  const scene = createSnapshotScene(database);
  const { clock, deliver, measure, begin, stateOf, row, stored } = scene;
  const receiver = useReceiver();

  test('waits with the stream for a destination that is away at first', async () => {
    const { device, destinationId } = await scene.connected(receiver.url, {
      kinds: ['snapshot.plant', 'snapshot.complete', 'telemetry.sample'],
    });
    receiver.react = () => ({ status: 503 });
    await begin(destinationId);
    await measure(device);
    await deliver();
    expect(receiver.seen).toHaveLength(1);
    await deliver();
    expect(receiver.seen).toHaveLength(1);
    receiver.react = () => ({ status: 200 });
    clock.at += 6 * SECOND;
    await deliver();
    expect(receiver.taken.map(({ kind }) => kind)).toEqual([
      'snapshot.plant',
      'snapshot.complete',
      'telemetry.sample',
    ]);
  });

  test('a part that is refused holds nothing up, is sent again as it is then, and is given up in the end', async () => {
    const { device, destinationId } = await scene.connected(receiver.url, {
      kinds: ['snapshot.device', 'snapshot.complete', 'telemetry.sample'],
    });
    await measure(device, 1);
    await deliver();
    receiver.taken.length = 0;
    const isPart = ({ kind, deviceSn }: ForwardedEvent): boolean =>
      kind === 'snapshot.device' && deviceSn === device.sn;
    receiver.react = (event) => ({ status: isPart(event) ? 422 : 200 });
    await begin(destinationId);
    await measure(device, 2);
    await deliver();
    expect(receiver.taken.map(({ kind }) => kind)).toEqual([
      'snapshot.device',
      'snapshot.complete',
      'telemetry.sample',
    ]);
    expect(complete(receiver.taken)).toEqual({ plants: 0, devices: 2, refused: 1 });
    expect(await stateOf(destinationId)).toBe('repeating');
    await measure(device, 3);
    receiver.react = () => ({ status: 200 });
    clock.at += 10 * SECOND;
    await deliver();
    expect(receiver.taken.filter(isPart)).toMatchObject([
      { id: `snapshot-1-${device.deviceId}`, data: { values: { acPowerW: 3 } } },
    ]);
    expect(await stateOf(destinationId)).toBe('done');

    receiver.react = (event) => ({ status: isPart(event) ? 422 : 200 });
    expect(await begin(destinationId)).toBe(2);
    await deliver();
    const pauses: number[] = [];
    for (;;) {
      const { endedAt, nextAt } = await row(destinationId);
      if (endedAt !== null) break;
      pauses.push(nextAt - clock.at);
      clock.at = nextAt;
      await deliver();
    }
    expect(pauses.slice(0, 4)).toEqual([SECOND, 5 * SECOND, 30 * SECOND, 120 * SECOND]);
    expect(pauses).toHaveLength(12);
    expect(await stateOf(destinationId)).toBe('failed');
    expect((await scene.progress(destinationId)).probes).toBe(0);
  });

  /** A plant with an inverter and eleven further devices: more than it takes to open a circuit. */
  async function twelve(wants: Parameters<typeof scene.connected>[1]) {
    const { device, destinationId } = await scene.connected(receiver.url, wants);
    for (let i = 0; i < 11; i++) await scene.beside(device);
    const { count } = await database()
      .db.selectFrom('device')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('plantId', '=', device.plantId)
      .executeTakeFirstOrThrow();
    return { device, destinationId, count };
  }

  test.each([422, 500, 404])(
    'a peer that answers every device with %i is not away: the stream goes on after the snapshot',
    async (status) => {
      const { device, destinationId, count } = await twelve({
        kinds: ['snapshot.plant', 'snapshot.device', 'snapshot.complete', 'telemetry.sample'],
      });
      receiver.react = ({ kind }) => ({ status: kind === 'snapshot.device' ? status : 200 });
      await begin(destinationId);
      await measure(device);
      await deliver();
      expect(receiver.taken.map(({ kind }) => kind)).toEqual([
        'snapshot.plant',
        'snapshot.complete',
        'telemetry.sample',
      ]);
      expect(complete(receiver.taken)).toEqual({ plants: 1, devices: count, refused: count });
      expect(await row(destinationId)).toMatchObject({
        state: 'repeating',
        reason: expect.stringContaining(`${status}`),
      });
      expect(await scene.progress(destinationId)).toMatchObject({
        probes: 0,
        nextAt: 0,
        failures: count,
        failingSince: null,
        failure: expect.stringContaining(`${status}`),
      });
      // To the end of the schedule.
      for (;;) {
        const { endedAt, nextAt } = await row(destinationId);
        if (endedAt !== null) break;
        clock.at = nextAt;
        await measure(device);
        await deliver();
        expect(receiver.taken.at(-1)).toMatchObject({
          kind: 'telemetry.sample',
          occurredAt: clock.at,
        });
      }
      expect(await stateOf(destinationId)).toBe('failed');
      expect(await scene.progress(destinationId)).toMatchObject({ probes: 0, nextAt: 0 });
    },
  );

  test('nor is one that refuses all of the snapshot, even if it was away before', async () => {
    const { device, destinationId, count } = await twelve({
      kinds: ['snapshot.device', 'snapshot.complete', 'telemetry.sample'],
    });
    receiver.react = () => 'close';
    await begin(destinationId);
    await measure(device);
    await deliver();
    expect(await scene.progress(destinationId)).toMatchObject({ probes: 1 });
    receiver.react = ({ kind }) => ({ status: kind.startsWith('snapshot.') ? 422 : 200 });
    for (let attempt = 0; attempt < 3; attempt++) {
      expect(receiver.taken).toEqual([]);
      clock.at += 10 * 60 * SECOND;
      await deliver();
    }
    expect(new Set(receiver.taken.map(({ kind }) => kind))).toEqual(new Set(['telemetry.sample']));
    expect(await row(destinationId)).toMatchObject({ state: 'repeating', devices: count });
    expect(await scene.progress(destinationId)).toMatchObject({ probes: 0, failingSince: null });
  });

  test('a peer that is away for an hour gets all of its snapshot, and then its stream', async () => {
    const { device, destinationId, count } = await twelve({
      kinds: ['snapshot.device', 'snapshot.complete', 'telemetry.sample'],
    });
    receiver.react = () => 'close';
    const since = clock.at;
    await begin(destinationId);
    await measure(device);
    await deliver();
    const seen = receiver.seen.length;
    let probes = 0;
    for (; clock.at - since < 3_600 * SECOND; probes++) {
      clock.at = (await scene.progress(destinationId)).nextAt;
      await deliver();
    }
    // One of eight lanes, or as many as were under way when the first of them failed.
    expect(receiver.seen.length - seen).toBeLessThanOrEqual(8 * probes);
    expect(await stateOf(destinationId)).toBe('sending');
    receiver.react = () => ({ status: 200 });
    clock.at = (await scene.progress(destinationId)).nextAt;
    await deliver();
    expect(receiver.taken.map(({ kind }) => kind)).toEqual([
      ...Array.from({ length: count }, () => 'snapshot.device'),
      'snapshot.complete',
      'telemetry.sample',
    ]);
    expect(complete(receiver.taken)).toEqual({ plants: 0, devices: count, refused: 0 });
    expect(await stateOf(destinationId)).toBe('done');
  });

  test('is given up before its destination would be switched off, if nothing but the snapshot is in the way', async () => {
    const { device, destinationId } = await twelve({
      kinds: ['snapshot.device', 'telemetry.sample'],
    });
    receiver.react = ({ kind }) => (kind === 'snapshot.device' ? 'close' : { status: 200 });
    const since = clock.at;
    await begin(destinationId);
    await measure(device);
    await deliver();
    while ((await stateOf(destinationId)) === 'sending') {
      expect(receiver.taken).toEqual([]);
      clock.at += 6 * 3_600 * SECOND;
      expect(clock.at - since).toBeLessThan(5 * 86_400 * SECOND);
      await deliver();
    }
    expect(clock.at - since).toBeGreaterThanOrEqual(4 * 86_400 * SECOND);
    expect(await row(destinationId)).toMatchObject({
      state: 'failed',
      endedAt: clock.at,
      reason: expect.stringContaining('connection'),
    });
    clock.at = (await scene.progress(destinationId)).nextAt;
    await deliver();
    expect(new Set(receiver.taken.map(({ kind }) => kind))).toEqual(new Set(['telemetry.sample']));
    expect(await stored(destinationId)).toMatchObject({ state: 'active' });
  });

  test.each(['close', 'refuse'] as const)(
    'costs nothing while it waits for a peer that does %s',
    async (what) => {
      const { device, destinationId } = await twelve({
        kinds: ['snapshot.device', 'telemetry.sample'],
      });
      receiver.react = () => (what === 'close' ? 'close' : { status: 422 });
      await database().db.deleteFrom('task').where('kind', '=', FORWARD).execute();
      await begin(destinationId);
      await measure(device);
      await scene.settled();
      const dispatcher = await scene.dispatcherWith();
      const logger = { error: (fault: unknown) => void scene.faults.push(fault), warn: () => {} };
      let claims = 0;
      const run: typeof dispatcher.run = (given) => {
        claims += 1;
        if (claims > 20) throw new Error('claimed again and again');
        return dispatcher.run(given);
      };
      const runner = createRunner({
        db: database().db,
        clock,
        logger,
        lanes: { [FORWARD]: { runsAtOnce: 4, limitSeconds: 60, run } },
      });
      /** Claims until nothing is due, with the watch looking in between. */
      const pass = async (): Promise<number> => {
        claims = 0;
        for (let look = 0; look < 5; look++) {
          await armBehind(database().db, clock.at);
          await runner.runDue();
        }
        return claims;
      };
      expect(await pass()).toBe(1);
      expect(await pass()).toBe(0);
      const { nextAt } = await row(destinationId);
      expect(nextAt).toBeGreaterThan(clock.at);
      clock.at = nextAt;
      expect(await pass()).toBe(1);
      // Asked for while the destination is left alone: it is looked at, and then left alone as well.
      if (what === 'close') {
        await scene.write((trx) =>
          trx
            .updateTable('snapshot')
            .set({ nextAt: 0 })
            .where('destinationId', '=', destinationId)
            .execute(),
        );
        await scene.write((trx) => armDestination(trx, destinationId, clock.at));
        expect(await pass()).toBe(1);
      }
      dispatcher.close();
      expect(scene.faults).toEqual([]);
    },
  );

  test('another one takes the place of one that still repeats what was refused', async () => {
    const { destinationId } = await scene.connected(receiver.url, {
      kinds: ['snapshot.plant', 'snapshot.complete'],
    });
    receiver.react = ({ kind }) => ({ status: kind === 'snapshot.plant' ? 422 : 200 });
    await begin(destinationId);
    await database()
      .db.updateTable('snapshot')
      .set({ attempts: 2 })
      .where('destinationId', '=', destinationId)
      .execute();
    await deliver();
    expect(await stateOf(destinationId)).toBe('repeating');
    clock.at += 10 * SECOND;
    const begun = Promise.withResolvers<unknown>();
    receiver.react = ({ sequence }) => {
      if (sequence > 1) return { status: 200 };
      begun.resolve(begin(destinationId));
      return { status: 422, after: begun.promise };
    };
    await deliver();
    await deliver();
    expect(await row(destinationId)).toMatchObject({
      number: 2,
      state: 'done',
      refused: '[]',
      reason: null,
    });
  });

  test('a destination that refuses nearly everything does not get the rest, but its stream', async () => {
    const { device, destinationId } = await scene.connected(receiver.url, {
      kinds: ['snapshot.device', 'telemetry.sample'],
    });
    await begin(destinationId);
    await measure(device);
    const refused = JSON.stringify(Array.from({ length: 999 }, (_, i) => `${i}`));
    await database()
      .db.updateTable('snapshot')
      .set({ attempts: 2, refused })
      .where('destinationId', '=', destinationId)
      .execute();
    receiver.react = ({ kind }) => ({ status: kind === 'snapshot.device' ? 422 : 200 });
    await deliver();
    expect(await row(destinationId)).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('422'),
    });
    expect(receiver.taken.map(({ kind }) => kind)).toEqual(['telemetry.sample']);
  });
});
