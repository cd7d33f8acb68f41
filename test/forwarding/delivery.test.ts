import { beforeEach, expect, test } from 'vitest';
import type { ForwardedEvent } from '@helioport/contract';
import { armBehind } from '../../packages/server/src/outbound/forwarding/dispatcher/watch.ts';
import {
  getDestination,
  pauseDestination,
  resumeDestination,
} from '../../packages/server/src/outbound/forwarding/destinations/destinations.ts';
import {
  FORWARD,
  shardOf,
} from '../../packages/server/src/outbound/forwarding/destinations/shards.ts';
import {
  pruneDeadLetters,
  reportGaps,
} from '../../packages/server/src/outbound/forwarding/destinations/reports.ts';
import { pruneLog } from '../../packages/server/src/platform/events/prune.ts';
import { createUseCounts } from '../../packages/server/src/identity/oauth/uses/count-uses.ts';
import { createRunner } from '../../packages/server/src/platform/work/runner.ts';
import { describeEngines } from '../support/engines.ts';
import { useReceiver } from './receiver.ts';
import { createForwardingScene } from './scene.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const SAMPLES = { kinds: ['telemetry.sample'] } as const;

const numbers = (events: readonly ForwardedEvent[], sn?: string): number[] =>
  events
    .filter(({ deviceSn }) => sn === undefined || deviceSn === sn)
    .map(({ sequence }) => sequence);

describeEngines('delivery', (database) => {
  const scene = createForwardingScene(database);
  const { clock, deliver } = scene;
  const receiver = useReceiver();
  const other = useReceiver();

  beforeEach(async () => {
    // Destinations of other tests are none of this one's business.
    await database().db.updateTable('destination').set({ state: 'paused' }).execute();
  });

  const measure = (to: { sn: string; collectorId: string }, count = 1) =>
    scene.report(
      to as never,
      Array.from({ length: count }, () => ({
        at: (clock.at += SECOND),
        values: { acPowerW: 100 },
      })),
    );

  test('an event arrives as it was documented', async () => {
    const { device } = await scene.connected(receiver.url, SAMPLES);
    await measure(device);
    await deliver();
    expect(receiver.taken).toEqual([
      {
        id: expect.stringMatching(/^\d+-\d+-0$/),
        kind: 'telemetry.sample',
        version: 1,
        sequence: 1,
        occurredAt: clock.at,
        recordedAt: clock.at,
        plantId: device.plantId,
        deviceSn: device.sn,
        data: { at: clock.at, values: { acPowerW: 100 } },
      },
    ]);
  });

  test('the owner is shown how much was sent', async () => {
    const { device, application, ownerId } = await scene.connected(receiver.url, SAMPLES);
    await measure(device, 3);
    const uses = createUseCounts({ db: database().db, clock });
    await deliver({ uses });
    await uses.close();
    const rows = await database()
      .db.selectFrom('applicationUse')
      .selectAll()
      .where('applicationId', '=', application.id)
      .execute();
    expect(rows).toEqual([
      expect.objectContaining({
        accountId: ownerId,
        reads: 0,
        writes: 0,
        forwarded: 3,
        lastAt: null,
      }),
    ]);
  });

  test('goes on where it was, and sends nothing twice unless it has to', async () => {
    const { device, destinationId } = await scene.connected(receiver.url, SAMPLES);
    await measure(device, 3);
    await deliver();
    await measure(device, 2);
    await deliver();
    await deliver();
    expect(numbers(receiver.seen)).toEqual([1, 2, 3, 4, 5]);
    expect(await scene.progress(destinationId)).toMatchObject({
      delivered: 5,
      failures: 0,
      deliveredAt: clock.at,
      failingSince: null,
    });
  });

  test('goes to several destinations, each with what it wants', async () => {
    const { device, application, ownerId } = await scene.connected(receiver.url, SAMPLES);
    const second = await scene.beside(device);
    const elsewhere = await scene.plant(ownerId);
    await scene.destination(application, other.url, {
      kinds: ['telemetry.sample', 'plant.changed'],
      plantIds: [device.plantId],
      deviceSns: [second.sn],
    });
    const third = await scene.destination(application, other.url, {
      ...SAMPLES,
      plantIds: [elsewhere, '999'],
    });
    await measure(device);
    await measure({ ...device, sn: second.sn });
    await deliver();
    expect(new Set(receiver.taken.map(({ deviceSn }) => deviceSn))).toEqual(
      new Set([device.sn, second.sn]),
    );
    expect(other.taken.map(({ deviceSn }) => deviceSn)).toEqual([second.sn]);
    expect((await scene.progress(third)).delivered).toBe(0);
  });

  test('a device whose event is refused waits, and delays no other; it catches up in order', async () => {
    const { device, destinationId } = await scene.connected(receiver.url, SAMPLES);
    const second = await scene.beside(device);
    receiver.react = ({ deviceSn, sequence }) =>
      deviceSn === device.sn && sequence === 2
        ? { status: 500, body: 'no room '.repeat(500) }
        : { status: 200 };
    for (let i = 0; i < 4; i++) {
      await measure(device);
      await measure({ ...device, sn: second.sn });
    }
    await deliver();
    expect([numbers(receiver.taken, device.sn), numbers(receiver.taken, second.sn)]).toEqual([
      [1],
      [1, 2, 3, 4],
    ]);
    const [waiting] = await scene.waiting(destinationId);
    expect(waiting).toMatchObject({
      subject: device.deviceId,
      attempts: 1,
      sequence: 2,
      nextAt: clock.at + SECOND,
    });
    expect(waiting!.reason).toContain('500');
    expect(waiting!.excerpt!.length).toBeLessThanOrEqual(1_024);
    expect((await reportGaps(database().db, destinationId, clock.at)).waiting).toMatchObject([
      { sn: device.sn, attempts: 1 },
    ]);
    // The first pause is short; the second is longer than what is measured meanwhile takes.
    clock.at += SECOND;
    await deliver();
    expect((await scene.waiting(destinationId))[0]).toMatchObject({ attempts: 2 });
    receiver.react = () => ({ status: 200 });
    // Not before its time, whatever else it measures.
    await measure(device);
    await measure({ ...device, sn: second.sn });
    await deliver();
    expect([numbers(receiver.taken, device.sn), numbers(receiver.taken, second.sn)]).toEqual([
      [1],
      [1, 2, 3, 4, 5],
    ]);
    clock.at += 10 * SECOND;
    await deliver();
    expect(numbers(receiver.taken, device.sn)).toEqual([1, 2, 3, 4, 5]);
    expect(await scene.waiting(destinationId)).toEqual([]);
  });

  test('follows the schedule of Standard Webhooks, gives the event up after it, and goes on with the next', async () => {
    const { device, destinationId } = await scene.connected(receiver.url, SAMPLES);
    receiver.react = ({ sequence }) => (sequence === 1 ? { status: 400 } : { status: 200 });
    await measure(device, 2);
    await deliver();
    const pauses: number[] = [];
    for (;;) {
      const [waiting] = await scene.waiting(destinationId);
      if (!waiting) break;
      pauses.push(waiting.nextAt - clock.at);
      clock.at = waiting.nextAt;
      await deliver();
    }
    expect(pauses).toEqual([
      SECOND,
      5 * SECOND,
      30 * SECOND,
      2 * MINUTE,
      5 * MINUTE,
      30 * MINUTE,
      2 * HOUR,
      5 * HOUR,
      10 * HOUR,
      14 * HOUR,
      20 * HOUR,
      24 * HOUR,
    ]);
    expect(receiver.seen.filter(({ sequence }) => sequence === 1)).toHaveLength(13);
    expect(new Set(receiver.seen.map(({ id }) => id)).size).toBe(2);
    expect(numbers(receiver.taken)).toEqual([2]);
    expect(await scene.letters(destinationId)).toMatchObject([
      { sequence: 1, sn: device.sn, at: clock.at },
    ]);
  });

  test('pauses differ by up to a fifth', async () => {
    const { device, destinationId } = await scene.connected(receiver.url, SAMPLES);
    receiver.react = () => ({ status: 500 });
    await measure(device);
    await deliver({ random: () => 0 });
    expect((await scene.waiting(destinationId))[0]!.nextAt).toBe(clock.at + 800);
    clock.at += 800;
    await deliver({ random: () => 1 });
    expect((await scene.waiting(destinationId))[0]!.nextAt).toBe(clock.at + 6 * SECOND);
  });

  test('Retry-After puts everything off, and no longer than a day', async () => {
    const { device, destinationId } = await scene.connected(receiver.url, SAMPLES);
    receiver.react = () => ({ status: 429, headers: { 'Retry-After': '120' } });
    await measure(device, 2);
    await deliver();
    expect((await scene.progress(destinationId)).nextAt).toBe(clock.at + 120 * SECOND);
    receiver.react = () => ({ status: 200 });
    clock.at += 119 * SECOND;
    await deliver();
    expect(receiver.taken).toEqual([]);
    clock.at += SECOND;
    await deliver();
    expect(numbers(receiver.taken)).toEqual([1, 2]);
    receiver.react = () => ({ status: 503, headers: { 'Retry-After': '99999999' } });
    await measure(device);
    await deliver();
    expect((await scene.progress(destinationId)).nextAt).toBe(clock.at + 24 * HOUR);
  });

  test('410 switches a destination off, and its developer learns of it', async () => {
    const { device, destinationId } = await scene.connected(receiver.url, SAMPLES);
    receiver.react = () => ({ status: 410 });
    await measure(device, 2);
    await deliver();
    expect(await getDestination(database().db, destinationId, null)).toMatchObject({
      state: 'disabled',
      reason: expect.stringContaining('410'),
    });
    expect(receiver.seen).toHaveLength(1);
    const events = await database()
      .db.selectFrom('auditEvent')
      .selectAll()
      .where('kind', '=', 'destination.disabled')
      .execute();
    expect(events.filter(({ data }) => data.includes(destinationId))).toHaveLength(1);
    await deliver();
    expect(receiver.seen).toHaveLength(1);
    // Resumed, it goes on where it was.
    receiver.react = () => ({ status: 200 });
    await scene.write(async (trx) =>
      resumeDestination(trx, scene.act(), await getDestination(trx, destinationId, null)),
    );
    await deliver();
    expect(numbers(receiver.taken)).toEqual([1, 2]);
  });

  test('a destination where seven of ten attempts fail is probed alone, ever less often, and gets everything once it is back', async () => {
    const { device, destinationId } = await scene.connected(receiver.url, SAMPLES);
    const devices = [device.sn];
    for (let i = 0; i < 29; i++) devices.push((await scene.beside(device)).sn);
    receiver.react = () => 'close';
    for (const sn of devices) await measure({ ...device, sn }, 2);
    await deliver();
    // Eight devices at a time.
    expect(receiver.seen.length).toBeLessThan(20);
    const before = receiver.seen.length;
    const pauses: number[] = [];
    for (let probe = 0; probe < 8; probe++) {
      const { nextAt } = await scene.progress(destinationId);
      pauses.push(nextAt - clock.at);
      clock.at = nextAt;
      await deliver();
    }
    expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 300, 300].map((seconds) => seconds * SECOND));
    expect(receiver.seen.length).toBe(before + 8);
    receiver.react = () => ({ status: 200 });
    clock.at = (await scene.progress(destinationId)).nextAt;
    await deliver();
    for (const sn of devices) expect(numbers(receiver.taken, sn)).toEqual([1, 2]);
    expect(await scene.progress(destinationId)).toMatchObject({ probes: 0, failingSince: null });
    expect(await scene.letters(destinationId)).toEqual([]);
  });

  test('an event that was taken as a probe is not sent again with those that follow', async () => {
    const { device, destinationId } = await scene.connected(receiver.url, SAMPLES);
    await database()
      .db.updateTable('destinationProgress')
      .set({ probes: 1 })
      .where('destinationId', '=', destinationId)
      .execute();
    await measure(device, 2);
    await measure(device);
    await deliver();
    expect(numbers(receiver.seen)).toEqual([1, 2, 3]);
    await measure(device);
    await deliver();
    expect(numbers(receiver.seen)).toEqual([1, 2, 3, 4]);
  });

  test('one whose secrets cannot be opened is left alone like one that is away, and says so', async () => {
    const { device, application, destinationId } = await scene.connected(receiver.url, SAMPLES);
    await scene.destination(application, other.url, SAMPLES);
    const row = () =>
      database()
        .db.selectFrom('destination')
        .select(['id', 'secrets'])
        .where('id', '=', destinationId)
        .executeTakeFirstOrThrow();
    const setSecrets = (secrets: Uint8Array) =>
      database()
        .db.updateTable('destination')
        .set({ secrets: Buffer.from(secrets) })
        .where('id', '=', destinationId)
        .execute();
    const { secrets } = await row();
    await setSecrets(secrets.map((byte, i) => (i === 40 ? byte ^ 1 : byte)));
    await measure(device);
    const logged: object[] = [];
    const tryAll = () => deliver({ logger: { warn: (fault: object) => void logged.push(fault) } });
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= 3; attempt++) {
      await tryAll();
      // Not before its time.
      await tryAll();
      const { nextAt, probes, failedAt, failure, failingSince } =
        await scene.progress(destinationId);
      expect({ probes, failedAt, failure, failingSince }).toEqual({
        probes: attempt,
        failedAt: clock.at,
        failure: expect.stringContaining('master key'),
        failingSince: null,
      });
      pauses.push(nextAt - clock.at);
      // Another one of the same part may have something to do.
      await database()
        .db.updateTable('destination')
        .set({ state: 'paused' })
        .where('id', '!=', destinationId)
        .execute();
      await database().db.deleteFrom('task').where('kind', '=', FORWARD).execute();
      await armBehind(database().db, clock.at);
      const armed = database()
        .db.selectFrom('task')
        .selectAll()
        .where('kind', '=', FORWARD)
        .where('key', '=', shardOf(destinationId))
        .where('dueAt', '<=', clock.at);
      expect(await armed.execute()).toEqual([]);
      clock.at = nextAt;
    }
    expect(pauses).toEqual([5, 10, 20].map((seconds) => seconds * SECOND));
    expect(logged).toContainEqual(expect.objectContaining({ destination: destinationId }));
    expect(numbers(other.taken)).toEqual([1]);
    await setSecrets(secrets);
    await deliver();
    expect(numbers(receiver.taken)).toEqual([1]);
    expect(await scene.progress(destinationId)).toMatchObject({ probes: 0, nextAt: 0 });
  });

  test('what was given up is forgotten when its events can no longer be sent', async () => {
    const { destinationId: first } = await scene.connected(receiver.url, SAMPLES);
    const { destinationId: second } = await scene.connected(receiver.url, SAMPLES);
    const letter = (destinationId: string, no: number, at: number) => ({
      destinationId,
      eventId: `1-${no}-0`,
      kind: 1,
      subject: '1',
      sn: null,
      sequence: no,
      reason: 'refused',
      excerpt: null,
      at,
    });
    const letters = [
      letter(first, 1, 999),
      letter(first, 2, 1_000),
      letter(second, 1, 998),
      letter(second, 3, 5_000),
    ];
    await database().db.insertInto('deadLetter').values(letters).execute();
    const left = async () =>
      [...(await scene.letters(first)), ...(await scene.letters(second))].map(({ at }) => at);
    expect(await pruneDeadLetters(database().db, 1_000, 1)).toBe(1);
    expect(await left()).toHaveLength(3);
    expect(await pruneDeadLetters(database().db, 1_000, 10)).toBe(1);
    expect(await left()).toEqual([1_000, 5_000]);
    expect(await pruneDeadLetters(database().db, 1_000, 10)).toBe(0);
  });

  test('failures count over runs, no matter which process makes them', async () => {
    const { device, destinationId } = await scene.connected(receiver.url, SAMPLES);
    receiver.react = () => ({ status: 500 });
    const fail = async () => {
      await measure({ ...device, sn: (await scene.beside(device)).sn });
      await deliver();
      return (await scene.progress(destinationId)).probes;
    };
    for (let i = 0; i < 9; i++) expect(await fail()).toBe(0);
    expect(await fail()).toBe(1);
  });

  test('one event that is refused again and again does not open the circuit', async () => {
    const { device, destinationId } = await scene.connected(receiver.url, SAMPLES);
    receiver.react = ({ sequence, deviceSn }) => ({
      status: deviceSn === device.sn && sequence === 1 ? 422 : 200,
    });
    await measure(device);
    for (let attempt = 1; attempt <= 13; attempt++) {
      await deliver();
      expect(await scene.progress(destinationId)).toMatchObject({ failures: attempt, probes: 0 });
      clock.at = (await scene.waiting(destinationId))[0]?.nextAt ?? clock.at;
    }
    expect(await scene.letters(destinationId)).toHaveLength(1);
  });

  test('a destination that takes nothing for five days is switched off', async () => {
    const { device, destinationId } = await scene.connected(receiver.url, SAMPLES);
    receiver.react = () => ({ status: 500 });
    await measure(device);
    const since = clock.at;
    await deliver();
    while ((await getDestination(database().db, destinationId, null)).state === 'active') {
      await measure(device);
      clock.at += 6 * HOUR;
      await deliver();
      expect(clock.at - since).toBeLessThan(6 * 24 * HOUR);
    }
    expect(clock.at - since).toBeGreaterThanOrEqual(5 * 24 * HOUR);
    expect((await getDestination(database().db, destinationId, null)).reason).toContain(
      'five days',
    );
  });

  test('a peer that hangs delays no other destination', async () => {
    const { device, application } = await scene.connected(receiver.url, SAMPLES);
    await scene.destination(application, other.url, SAMPLES);
    receiver.react = () => 'hang';
    await measure(device, 3);
    const dispatcher = await scene.dispatcherWith();
    const runs = scene.serve(dispatcher);
    await expect.poll(() => numbers(other.taken)).toEqual([1, 2, 3]);
    dispatcher.close();
    await runs;
  });

  test('a destination that is paused gets nothing, and afterwards what it has missed', async () => {
    const { device, destinationId } = await scene.connected(receiver.url, SAMPLES);
    await scene.write(async (trx) =>
      pauseDestination(trx, scene.act(), await getDestination(trx, destinationId, null)),
    );
    await measure(device, 2);
    await deliver();
    expect(receiver.seen).toEqual([]);
    await scene.write(async (trx) =>
      resumeDestination(trx, scene.act(), await getDestination(trx, destinationId, null)),
    );
    await deliver();
    expect(numbers(receiver.taken)).toEqual([1, 2]);
  });

  test('what the log has lost before it was delivered is reported', async () => {
    const { device, destinationId } = await scene.connected(receiver.url, SAMPLES);
    await scene.write(async (trx) =>
      pauseDestination(trx, scene.act(), await getDestination(trx, destinationId, null)),
    );
    for (let i = 0; i < 4; i++) await measure(device);
    await pruneLog(database().db, { before: 0, entries: 1 }, 1_000);
    await scene.write(async (trx) =>
      resumeDestination(trx, scene.act(), await getDestination(trx, destinationId, null)),
    );
    await deliver();
    expect(numbers(receiver.taken)).toEqual([4]);
    const { lost } = await reportGaps(database().db, destinationId, clock.at);
    expect(lost).toHaveLength(1);
    expect(lost[0]!.entries).toBeGreaterThanOrEqual(3);
  });

  test('instances share destinations, and one goes on where another was killed', async () => {
    const { device, destinationId } = await scene.connected(receiver.url, SAMPLES);
    const key = shardOf(destinationId);
    const gate = Promise.withResolvers<void>();
    const instance = async () => {
      const dispatcher = await scene.dispatcherWith();
      const logger = { error: () => {}, warn: () => {} };
      const lanes = { [FORWARD]: { runsAtOnce: 4, limitSeconds: 60, run: dispatcher.run } };
      return {
        dispatcher,
        runner: createRunner({ db: database().db, clock, logger, pollMs: 5, lanes }),
      };
    };
    receiver.react = () => ({ status: 200, after: gate.promise });
    await measure(device, 2);
    await armBehind(database().db, clock.at);
    const task = () =>
      database()
        .db.selectFrom('task')
        .selectAll()
        .where('kind', '=', FORWARD)
        .where('key', '=', key)
        .executeTakeFirst();
    expect(await task()).toBeDefined();
    const first = await instance();
    await scene.settled();
    await first.runner.start();
    await expect.poll(() => receiver.seen.length).toBe(1);
    const claimed = (await task())!.claimedBy;
    // Its lease ends while it waits: as if it had been killed.
    await database()
      .db.updateTable('task')
      .set({ claimedUntil: 0, claimedBy: 'nobody' })
      .where('kind', '=', FORWARD)
      .where('key', '=', key)
      .execute();
    const second = await instance();
    await second.runner.start();
    await expect.poll(() => receiver.seen.length).toBe(2);
    expect((await task())!.claimedBy).not.toBe(claimed);
    gate.resolve();
    await expect.poll(async () => [...new Set(numbers(receiver.taken))]).toEqual([1, 2]);
    // Only the one that holds the lease has stored how far it is.
    await expect.poll(async () => (await scene.progress(destinationId)).delivered).toBe(2);
    for (const { dispatcher, runner } of [first, second]) {
      dispatcher.close();
      await runner.stop();
    }
    expect(new Set(receiver.seen.map(({ id }) => id)).size).toBe(2);
  });

  test('nothing is written while there is nothing to deliver', async () => {
    const { device } = await scene.connected(receiver.url, SAMPLES);
    await measure(device);
    await armBehind(database().db, clock.at);
    await deliver();
    await database().db.deleteFrom('task').where('kind', '=', FORWARD).execute();
    await armBehind(database().db, clock.at);
    expect(
      await database().db.selectFrom('task').selectAll().where('kind', '=', FORWARD).execute(),
    ).toEqual([]);
  });
});
