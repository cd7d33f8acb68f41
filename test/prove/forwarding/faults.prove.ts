import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ForwardedEvent } from '@helioport/contract';
import { getDestination } from '../../../packages/server/src/outbound/forwarding/destinations/destinations.ts';
import { openSink } from '../../../packages/server/src/outbound/sinks/open.ts';
import type { OpenDestination } from '../../../packages/server/src/outbound/sinks/sink.ts';
import { effort, proving } from '../../support/effort.ts';
import {
  describeLoad,
  describeSeriesEnginesOn,
  type SeriesOf,
  type TestDatabase,
} from '../../support/engines.ts';
import { SIGNED_WITH, transports, type Peer } from '../../forwarding/peers.ts';
import { useReceiver } from '../../forwarding/receiver.ts';
import { createForwardingScene } from '../../forwarding/scene.ts';
import { hasOpenssl } from '../../forwarding/sinks/certificates.ts';
import { faults } from '../../forwarding/sinks/gate.ts';
import { createClock } from '../../forwarding/sinks/suite.ts';

const SECOND = 1_000;
const HOUR = 3_600_000;
const KINDS = ['telemetry.sample'] as const;

describeLoad('the dispatcher and a peer with faults', (database) =>
  suite(database, ['HTTP', 'MQTT 5', 'RocketMQ']),
);
describeSeriesEnginesOn(
  /Cassandra/,
  'the dispatcher and a peer with faults, the series',
  (database, seriesOf) => suite(database, ['HTTP'], seriesOf),
);

/** `brief`: the transports of a brief round. */
function suite(database: () => TestDatabase, brief: readonly string[], seriesOf?: SeriesOf): void {
  const scene = createForwardingScene(database, undefined, seriesOf);
  const { clock, deliver } = scene;
  const other = useReceiver();
  beforeEach(async () => {
    await database().db.updateTable('destination').set({ state: 'paused' }).execute();
  });

  const tested = Object.entries(transports).filter(([name]) => proving || brief.includes(name));

  describe.skipIf(!hasOpenssl).each(tested)(
    'over %s',
    (transport, { isThere: isTried, limitMs, open }) => {
      // The client of RocketMQ takes seconds to see that its peer is away.
      const isBrief = transport === 'RocketMQ' && !proving;
      const tried = isBrief ? (['cut'] as const) : faults;
      const rounds = isBrief ? 1 : effort(2, 20);
      const parts = isBrief ? 2 : 4;
      let peer: Peer;
      beforeAll(async () => {
        if (isTried) peer = await open();
      });
      afterAll(async () => {
        await peer?.close();
      });

      /** Receivers compare the times of webhooks with theirs; everything else follows the clock of the test. */
      const sinksWith = (limit?: number) => ({
        openSink: (destination: OpenDestination) => {
          const { egress, logger } = scene;
          const isHttp = destination.transport === 'http';
          const isOther = destination.url === other.url;
          const limited = limit !== undefined && !isOther && { limitMs: limit };
          return openSink(
            isHttp && !isOther ? { ...destination, secrets: [SIGNED_WITH] } : destination,
            {
              egress,
              logger,
              clock: isHttp ? createClock() : clock,
              ...limited,
            },
          );
        },
      });

      /** A platform with a destination at the peer and one elsewhere, and two devices. */
      async function install() {
        const { device, application, destinationId } = await scene.connected(peer.url, {
          ...peer.wants,
          kinds: KINDS,
        });
        const second = await scene.beside(device);
        await scene.destination(application, other.url, { kinds: KINDS });
        const sns = [device.sn, second.sn];
        const numbersOf = (events: readonly ForwardedEvent[]): number[][] =>
          sns.map((sn) => [
            ...new Set(
              events.filter(({ deviceSn }) => deviceSn === sn).map(({ sequence }) => sequence),
            ),
          ]);
        const arrived = (): ForwardedEvent[] =>
          peer.received().map(({ body }) => JSON.parse(body) as ForwardedEvent);
        return {
          destinationId,
          numbersOf,
          async measure(count: number): Promise<void> {
            for (let i = 0; i < count; i++)
              for (const sn of sns)
                await scene.report({ ...device, sn }, [
                  { at: (clock.at += SECOND), values: { acPowerW: 100 } },
                ]);
          },
          /** By device the numbers that have arrived, in their order, without repetitions. */
          numbers: (): number[][] => numbersOf(arrived()),
          /** That all have, and that repetitions were the same. */
          async expectAll(count: number): Promise<void> {
            const all = Array.from({ length: count }, (_, i) => i + 1);
            await expect.poll(() => numbersOf(arrived()), { timeout: 60_000 }).toEqual([all, all]);
            const bodies = new Map<string, string>();
            for (const { body } of peer.received()) {
              const { id } = JSON.parse(body) as ForwardedEvent;
              expect(bodies.get(id) ?? body).toBe(body);
              bodies.set(id, body);
            }
            expect(await scene.waiting(destinationId)).toEqual([]);
            expect(await scene.letters(destinationId)).toEqual([]);
            expect(await getDestination(database().db, destinationId, null)).toMatchObject({
              state: 'active',
            });
          },
        };
      }

      test.skipIf(!isTried).each(tried)(
        'a peer that fails (%s) for an hour has everything when it is back, each device in its order; others have it meanwhile',
        async (fault) => {
          const { destinationId, measure, numbers, numbersOf, expectAll } = await install();
          await measure(1);
          await deliver(sinksWith());
          await expectAll(1);
          await peer.gate.fail(fault);
          const since = clock.at;
          for (let part = 0; part < parts; part++) {
            await measure(1);
            await deliver(sinksWith(limitMs));
            clock.at += HOUR / parts;
          }
          expect(clock.at - since).toBeGreaterThanOrEqual(HOUR);
          expect(numbers()).toEqual([[1], [1]]);
          const all = Array.from({ length: 1 + parts }, (_, n) => n + 1);
          expect(numbersOf(other.taken)).toEqual([all, all]);
          expect(await scene.progress(destinationId)).toMatchObject({
            failure: expect.stringMatching(/\w{5}/),
            failingSince: expect.any(Number),
          });
          await peer.gate.heal();
          clock.at += HOUR;
          await deliver(sinksWith());
          await expectAll(1 + parts);
          expect(await scene.progress(destinationId)).toMatchObject({
            failingSince: null,
            probes: 0,
          });
        },
        60_000,
      );

      test.skipIf(!isTried)(
        'a peer that is slow gets everything without an attempt in vain, and delays nobody else',
        async () => {
          const { destinationId, measure, numbersOf, expectAll } = await install();
          await measure(3);
          await peer.gate.heal();
          peer.gate.slowDown(100);
          const dispatcher = await scene.dispatcherWith(sinksWith());
          const runs = scene.serve(dispatcher);
          const all = [1, 2, 3];
          await expect.poll(() => numbersOf(other.taken), { interval: 5 }).toEqual([all, all]);
          await runs;
          dispatcher.close();
          await expectAll(3);
          expect((await scene.progress(destinationId)).failures).toBe(0);
          await peer.gate.heal();
        },
      );

      test.skipIf(!isTried)(
        'a network that is cut again and again under way loses nothing and reorders nothing',
        async () => {
          const { measure, expectAll } = await install();
          const dispatcher = await scene.dispatcherWith({ ...sinksWith(), idleMs: 1_500 });
          for (let round = 0; round < rounds; round++) {
            await measure(3);
            const runs = scene.serve(dispatcher);
            for (let cut = 0; cut < 3; cut++) {
              const { accepted } = peer.gate;
              await peer.gate.heal();
              await measure(1);
              clock.at += HOUR / 4;
              if (cut < 2)
                await expect
                  .poll(() => peer.gate.accepted, { timeout: 60_000, interval: 1 })
                  .toBeGreaterThan(accepted);
            }
            await runs;
          }
          dispatcher.close();
          clock.at += 2 * HOUR;
          await deliver(sinksWith());
          clock.at += 2 * HOUR;
          await deliver(sinksWith());
          await expectAll(rounds * (3 + 3));
        },
        effort(60_000, 600_000),
      );
    },
  );
}
