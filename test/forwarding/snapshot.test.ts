import { expect, test } from 'vitest';
import type { ForwardedEvent } from '@helioport/contract';
import { changeAlarms } from '../../packages/server/src/outbound/alarms/alarm-rows.ts';
import {
  pauseDestination,
  resumeDestination,
} from '../../packages/server/src/outbound/forwarding/destinations/destinations.ts';
import { revokeGrant } from '../../packages/server/src/identity/oauth/grants.ts';
import { describeEngines } from '../support/engines.ts';
import { runOf } from '../support/runs.ts';
import { complete, createSnapshotScene, SECOND } from './snapshot-scene.ts';
import { useReceiver } from './receiver.ts';

describeEngines('a snapshot', (database) => {
  const scene = createSnapshotScene(database);
  const { clock, deliver, measure, begin, stateOf, row, stored } = scene;
  const receiver = useReceiver();
  const other = useReceiver();
  const resume = (id: string) =>
    scene.write(async (trx) => resumeDestination(trx, scene.act(), await stored(id)));
  const parts = (events: readonly ForwardedEvent[]) =>
    events.map(({ kind, plantId, deviceSn }) =>
      [kind.replace('snapshot.', ''), deviceSn ?? plantId]
        .filter((part) => part !== null)
        .join(' '),
    );

  test('tells plants, devices and newest values, and to which numbers they belong, before the stream goes on', async () => {
    const { device, application, ownerId, grantId, destinationId } = await scene.connected(
      receiver.url,
    );
    const collector = await database()
      .db.selectFrom('device')
      .select('sn')
      .where('id', '=', device.collectorId)
      .executeTakeFirstOrThrow();
    await measure(device, 90);
    await measure(device, 110);
    const raise = { code: 'H900', level: 2 as const, message: 'too hot', beginAt: clock.at };
    await scene.write((trx) =>
      changeAlarms(trx, { now: clock.at, newId: scene.newId }, device.deviceId, [{ raise }]),
    );
    await deliver();
    receiver.seen.length = 0;
    expect(await begin(destinationId)).toBe(1);
    const measuredAt = clock.at;
    await measure(device, 120);
    expect(await stateOf(destinationId)).toBe('sending');
    await deliver();
    expect(parts(receiver.taken.slice(-5)).toSorted()).toEqual(
      [
        `plant ${device.plantId}`,
        `device ${collector.sn}`,
        `device ${device.sn}`,
        'complete',
        `telemetry.sample ${device.sn}`,
      ].toSorted(),
    );
    // First the whole snapshot, then the stream.
    expect(parts(receiver.seen).slice(-2)).toEqual(['complete', `telemetry.sample ${device.sn}`]);
    const find = (wanted: string) =>
      receiver.seen.find(({ kind, deviceSn }) => `${kind} ${deviceSn}` === wanted)!;
    expect(find('snapshot.plant null')).toMatchObject({
      id: `snapshot-1-${device.plantId}`,
      version: 1,
      sequence: 1,
      recordedAt: clock.at,
      plantId: device.plantId,
      data: { authorizationId: grantId, account: ownerId, timeZone: 'UTC', sequences: {} },
    });
    expect(find(`snapshot.device ${device.sn}`)).toEqual({
      id: `snapshot-1-${device.deviceId}`,
      kind: 'snapshot.device',
      version: 1,
      sequence: 1,
      occurredAt: clock.at,
      recordedAt: clock.at,
      plantId: device.plantId,
      deviceSn: device.sn,
      data: {
        deviceKind: 'inverter',
        state: 'alarm',
        stateSince: expect.any(Number),
        // Of the report that the stream is still to bring, with its number.
        at: measuredAt + SECOND,
        values: { acPowerW: 120 },
        alarms: [{ alarmId: expect.any(String), ...raise }],
        sequences: { 'telemetry.sample': 3, 'device.state': expect.any(Number), 'alarm.raised': 1 },
      },
    });
    expect(complete(receiver.seen)).toEqual({ plants: 1, devices: 2, refused: 0 });
    expect(await stateOf(destinationId)).toBe('done');
    // The log, its numbers and ids know nothing of it.
    expect((await scene.logged()).some(({ kind }) => kind.startsWith('snapshot.'))).toBe(false);
    expect(receiver.seen.at(-1)).toMatchObject({ sequence: 3 });
    // Those of the application's other destinations are counted along; that a receiver misses their numbers is no gap.
    expect(
      await begin(await scene.destination(application, other.url, { kinds: ['snapshot.plant'] })),
    ).toBe(2);
    receiver.seen.length = 0;
    expect(await begin(destinationId)).toBe(3);
    await deliver();
    expect(parts(other.seen)).toEqual([`plant ${device.plantId}`]);
    expect([
      ...new Set(receiver.seen.map(({ sequence, resumed }) => `${sequence} ${resumed}`)),
    ]).toEqual(['3 true']);
  });

  test('has only what the destination takes and may see', async () => {
    const { device, application, ownerId, destinationId } = await scene.connected(receiver.url, {
      kinds: ['snapshot.device'],
    });
    const second = await scene.plant(ownerId);
    const there = await scene.device(second, { ratedPowerW: 1_000 });
    const foreign = await scene.install();
    const ammeter = await scene.device(second, { kind: 'ammeter' } as never);
    const limited = await scene.destination(application, other.url, {
      kinds: ['snapshot.device', 'snapshot.plant'],
      plantIds: [second, foreign.plantId],
    });
    const one = await scene.destination(application, other.url, {
      kinds: ['snapshot.device', 'snapshot.plant'],
      deviceSns: [there.sn],
    });
    const [none, samples] = [
      await scene.destination(application, other.url, { plantIds: [foreign.plantId] }),
      await scene.destination(application, other.url, {
        kinds: ['telemetry.sample', 'snapshot.complete'],
      }),
    ];
    // Recorded for the last one alone; and an alarm of the plant where the device was before.
    await measure(device);
    const raise = { code: 'H901', level: 1 as const, message: 'somewhere else', beginAt: clock.at };
    await scene.write((trx) =>
      changeAlarms(trx, { now: clock.at, newId: scene.newId }, device.deviceId, [{ raise }]),
    );
    await database()
      .db.updateTable('alarm')
      .set({ plantId: foreign.plantId })
      .where('code', '=', raise.code)
      .execute();
    await begin(destinationId);
    await deliver();
    expect([...new Set(receiver.seen.map(({ kind }) => kind))]).toEqual(['snapshot.device']);
    const { values, alarms, sequences } = receiver.seen.find(
      ({ deviceSn }) => deviceSn === device.sn,
    )!.data;
    expect({ values, alarms, sequences }).toEqual({
      values: { acPowerW: 100 },
      alarms: [],
      sequences: {},
    });
    expect(receiver.seen.map(({ deviceSn }) => deviceSn)).toEqual(
      expect.arrayContaining([device.sn, there.sn]),
    );
    expect(JSON.stringify(receiver.seen)).not.toMatch(new RegExp(`${foreign.sn}|${ammeter.sn}`));
    other.seen.length = 0;
    await begin(limited);
    await deliver();
    expect(new Set(parts(other.seen))).toEqual(new Set([`plant ${second}`, `device ${there.sn}`]));
    other.seen.length = 0;
    await begin(one);
    await deliver();
    expect(parts(other.seen)).toEqual([`device ${there.sn}`]);
    other.seen.length = 0;
    await begin(none);
    await deliver();
    expect(other.seen.map(({ data }) => data)).toEqual([{ plants: 0, devices: 0, refused: 0 }]);
    await expect(begin(samples)).rejects.toMatchObject({ code: 'invalidValue' });
    expect(await stateOf(samples)).toBeNull();
  });

  test('goes through many plants of many owners, piece by piece, each part once', async () => {
    const { device, application, ownerId, destinationId } = await scene.connected(receiver.url, {
      kinds: ['snapshot.plant', 'snapshot.complete'],
    });
    const ids = [device.plantId];
    for (let i = 0; i < 25; i++) ids.push(await scene.plant(ownerId));
    for (let i = 0; i < 3; i++) {
      const { plantId } = await scene.install();
      await scene.grant(application.id, await scene.ownerOf(plantId));
      ids.push(plantId);
    }
    await begin(destinationId);
    await deliver();
    expect(new Set(receiver.seen.slice(0, -1).map(({ plantId }) => plantId))).toEqual(new Set(ids));
    expect(receiver.seen).toHaveLength(ids.length + 1);
    expect(complete(receiver.seen)).toEqual({ plants: 29, devices: 0, refused: 0 });
  });

  test('ends at once where the owner revokes; nothing of the plants follows', async () => {
    const { device, grantId, ownerId, destinationId } = await scene.connected(receiver.url, {
      kinds: ['snapshot.plant', 'snapshot.complete'],
    });
    for (let i = 0; i < 30; i++) await scene.plant(ownerId);
    const begun = Promise.withResolvers<void>();
    const revoked = begun.promise.then(() =>
      scene.write((trx) => revokeGrant(trx, scene.act(), grantId, ownerId)),
    );
    receiver.react = () => {
      begun.resolve();
      return { status: 200, after: revoked };
    };
    await begin(destinationId);
    await deliver();
    // Those that were under way.
    const plants = receiver.seen.filter(({ plantId }) => plantId !== null);
    expect(plants.length).toBeLessThanOrEqual(8);
    expect(plants.length).toBeGreaterThan(0);
    expect(receiver.seen.at(-1)).toMatchObject({ kind: 'snapshot.complete', plantId: null });
    expect(JSON.stringify(receiver.seen.at(-1))).not.toContain(device.plantId);
  });

  test('goes on in another instance where the first was killed, after what had been noted, and ahead of the stream', async () => {
    const { device, destinationId, ownerId } = await scene.connected(receiver.url, {
      kinds: ['snapshot.plant', 'snapshot.complete', 'telemetry.sample'],
    });
    for (let i = 0; i < 30; i++) await scene.plant(ownerId);
    await begin(destinationId);
    await measure(device);
    const killed = Promise.withResolvers<void>();
    receiver.react = () =>
      receiver.taken.length < 23 ? { status: 200 } : (killed.resolve(), 'hang');
    const first = await scene.dispatcherWith();
    await scene.settled();
    const lost = runOf(database().db, String(BigInt(destinationId) % 4n));
    const run = first.run({
      ...lost,
      transaction: async (body) =>
        receiver.taken.length < 23 ? lost.transaction(body) : Promise.reject(new Error('lost')),
    });
    await killed.promise;
    first.close();
    await run.catch(() => {});
    scene.faults.length = 0;
    expect(await stateOf(destinationId)).toBe('sending');
    receiver.react = () => ({ status: 200 });
    const before = receiver.taken.length;
    await deliver();
    const ids = receiver.taken.map(({ id }) => id);
    expect(new Set(ids).size).toBe(31 + 1 + 1);
    // The first piece had been noted, the second was begun again.
    expect(ids.length - before).toBeLessThanOrEqual(31 - 20 + 1 + 1);
    expect(receiver.taken.at(-1)!.kind).toBe('telemetry.sample');
    expect(complete(receiver.taken)).toEqual({ plants: 31, devices: 0, refused: 0 });
  });

  test('keeps its place where the destination asks to wait', async () => {
    const { ownerId, destinationId } = await scene.connected(receiver.url, {
      kinds: ['snapshot.plant', 'snapshot.complete'],
    });
    for (let i = 0; i < 30; i++) await scene.plant(ownerId);
    await begin(destinationId);
    let round = 0;
    for (; (await stateOf(destinationId)) === 'sending'; round++) {
      const until = receiver.taken.length + 10;
      receiver.react = () =>
        receiver.taken.length < until
          ? { status: 200 }
          : { status: 429, headers: { 'Retry-After': '60' } };
      await deliver();
      clock.at += 61 * SECOND;
      expect(round).toBeLessThan(5);
    }
    expect(receiver.taken).toHaveLength(32);
    expect(new Set(receiver.taken.map(({ id }) => id)).size).toBe(32);
  });

  test('counts what was sent, and not what the destination may not have any more', async () => {
    const { device, application, ownerId, destinationId } = await scene.connected(receiver.url, {
      kinds: ['snapshot.plant', 'snapshot.complete'],
    });
    for (let i = 0; i < 30; i++) await scene.plant(ownerId);
    const begun = Promise.withResolvers<void>();
    const narrowed = begun.promise.then(() =>
      scene.grant(application.id, ownerId, [device.plantId]),
    );
    receiver.react = () => {
      begun.resolve();
      return { status: 200, after: narrowed };
    };
    await begin(destinationId);
    await deliver();
    const sent = new Set(receiver.taken.flatMap(({ plantId }) => plantId ?? [])).size;
    expect(sent).toBeLessThanOrEqual(9);
    expect(complete(receiver.taken)).toEqual({ plants: sent, devices: 0, refused: 0 });
  });

  test('only one is under way; a paused destination gets its own when it is resumed', async () => {
    const { destinationId } = await scene.connected(receiver.url, {
      kinds: ['snapshot.plant', 'snapshot.complete'],
    });
    const pause = () =>
      scene.write(async (trx) => pauseDestination(trx, scene.act(), await stored(destinationId)));
    await pause();
    await begin(destinationId);
    await expect(begin(destinationId)).rejects.toMatchObject({ code: 'tooManyRequests' });
    await deliver();
    expect(receiver.seen).toEqual([]);
    await resume(destinationId);
    await deliver();
    expect(receiver.seen.map(({ kind }) => kind)).toEqual(['snapshot.plant', 'snapshot.complete']);
    // The one that was refused has used no number up. To resume is to try at once, whatever the destination has asked for.
    expect(await begin(destinationId)).toBe(2);
    receiver.react = ({ kind }) =>
      kind === 'snapshot.complete'
        ? { status: 429, headers: { 'Retry-After': '600' } }
        : { status: 200 };
    await deliver();
    expect(await stateOf(destinationId)).toBe('sending');
    expect(await row(destinationId)).toMatchObject({ nextAt: clock.at + 600 * SECOND, plants: 1 });
    await pause();
    await resume(destinationId);
    receiver.react = () => ({ status: 200 });
    receiver.seen.length = 0;
    await deliver();
    expect(receiver.seen.map(({ kind }) => kind)).toEqual(['snapshot.complete']);
    expect(await stateOf(destinationId)).toBe('done');
  });
});
