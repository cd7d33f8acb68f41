import { beforeEach, expect, test } from 'vitest';
import { appendEntries } from '../../packages/server/src/platform/events/append.ts';
import { getDestination } from '../../packages/server/src/outbound/forwarding/destinations/destinations.ts';
import { beginReplays } from '../../packages/server/src/outbound/forwarding/destinations/replays.ts';
import { describeEngines } from '../support/engines.ts';
import { useReceiver } from './receiver.ts';
import { createForwardingScene } from './scene.ts';

const SECOND = 1_000;
const DAY = 86_400 * SECOND;

describeEngines('a receiver that refuses some of the stream', (database) => {
  const scene = createForwardingScene(database);
  const { clock, deliver } = scene;
  const receiver = useReceiver();
  beforeEach(async () => {
    await database().db.updateTable('destination').set({ state: 'paused' }).execute();
  });
  const measure = (to: { sn: string; collectorId: string }) =>
    scene.report(to as never, [{ at: (clock.at += SECOND), values: { acPowerW: 100 } }]);
  const destination = (id: string) => getDestination(database().db, id, null);

  test.each([
    [12, 'apart'],
    [12, 'together'],
    [40, 'together'],
  ] as const)(
    'because of %i devices (%s) gets the others within minutes, and those when it takes them',
    async (count, how) => {
      const { device, application, destinationId } = await scene.connected(receiver.url, {
        kinds: ['telemetry.sample', 'device.state'],
      });
      const unknown = [{ id: device.deviceId, sn: device.sn }];
      while (unknown.length < count) unknown.push(await scene.beside(device));
      const known = await scene.install();
      const ownerId = await scene.ownerOf(known.plantId);
      await scene.grant(application.id, ownerId);
      const account = await scene.ownerOf(device.plantId);
      // Devices of a collector that reports them together have an entry of the log together.
      async function tell(): Promise<void> {
        if (how === 'apart') for (const { sn } of unknown) await measure({ ...device, sn });
        else {
          const events = unknown.map(({ id: subject, sn }) => ({
            subject,
            sn,
            occurredAt: clock.at,
            data: '{}',
          }));
          await scene.write((trx) =>
            appendEntries(
              trx,
              [{ kind: 'device.state', accountId: account, plantId: device.plantId, events }],
              clock.at,
            ),
          );
        }
      }
      receiver.react = ({ plantId }) => ({ status: plantId === device.plantId ? 422 : 200 });
      await tell();
      await measure(known);
      const since = clock.at;
      const taken = () => [
        ...new Set(
          receiver.taken
            .filter(({ deviceSn, kind }) => deviceSn === known.sn && kind === 'telemetry.sample')
            .map(({ sequence }) => sequence),
        ),
      ];
      await deliver();
      while ((await scene.progress(destinationId)).probes > 0 || taken().length === 0) {
        clock.at = Math.max(clock.at, (await scene.progress(destinationId)).nextAt);
        await deliver();
        expect(clock.at - since).toBeLessThan(20 * 60 * SECOND);
      }
      for (let round = 2; round < 5; round++) {
        await tell();
        await measure(known);
        await deliver();
        expect(taken().at(-1)).toBe(round);
      }
      expect(await scene.progress(destinationId)).toMatchObject({ probes: 0, failingSince: null });
      // However often the circuit was open meanwhile.
      expect(
        Math.max(...(await scene.waiting(destinationId)).map(({ attempts }) => attempts)),
      ).toBeLessThanOrEqual(3);
      receiver.react = () => ({ status: 200 });
      clock.at += 3_600 * SECOND;
      await deliver();
      for (const { sn } of unknown) {
        const numbers = receiver.taken.filter(
          ({ deviceSn, kind }) =>
            deviceSn === sn && kind === (how === 'apart' ? 'telemetry.sample' : 'device.state'),
        );
        expect([...new Set(numbers.map(({ sequence }) => sequence))]).toEqual([1, 2, 3, 4]);
      }
    },
  );

  test('long ago is not switched off for one failure now', async () => {
    const { device, destinationId } = await scene.connected(receiver.url, {
      kinds: ['telemetry.sample'],
    });
    receiver.react = ({ sequence }) => ({ status: sequence === 1 ? 422 : 200 });
    await measure(device);
    await deliver();
    while ((await scene.waiting(destinationId)).length > 0) {
      clock.at = (await scene.waiting(destinationId))[0]!.nextAt;
      await deliver();
    }
    expect(await scene.letters(destinationId)).toHaveLength(1);
    clock.at += 6 * DAY;
    receiver.react = () => ({ status: 503 });
    await measure(device);
    await deliver();
    expect(await destination(destinationId)).toMatchObject({ state: 'active' });
    receiver.react = () => ({ status: 200 });
    clock.at += 10 * SECOND;
    await deliver();
    expect(receiver.taken.map(({ sequence }) => sequence)).toEqual([2]);
  });

  test('and refuses it again when it is sent again gets its stream', async () => {
    const { device, destinationId } = await scene.connected(receiver.url, {
      kinds: ['telemetry.sample'],
    });
    for (let i = 0; i < 12; i++) await measure(device);
    await deliver();
    const ids = receiver.taken.map(({ id }) => id);
    receiver.react = ({ id }) => ({ status: ids.includes(id) ? 422 : 200 });
    for (const eventId of ids)
      await scene.write((trx) => beginReplays(trx, scene.act(), destinationId, { eventId }));
    await deliver();
    await measure(device);
    await deliver();
    expect(receiver.taken.map(({ sequence }) => sequence).at(-1)).toBe(13);
    expect(await scene.progress(destinationId)).toMatchObject({ probes: 0, failingSince: null });
  });
});
