import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  getDestination,
  pauseDestination,
  resumeDestination,
} from '../../packages/server/src/outbound/forwarding/destinations/destinations.ts';
import { revokeGrant } from '../../packages/server/src/identity/oauth/grants.ts';
import { effort } from '../support/effort.ts';
import { describeEngines } from '../support/engines.ts';
import { startReceiver, type Receiver } from './receiver.ts';
import { createForwardingScene } from './scene.ts';

const SECOND = 1_000;
const DEVICES = 3;

/** Something that happens to a platform with one destination for an owner's three devices. */
type Step =
  | { readonly do: 'measure'; readonly device: number; readonly count: number }
  | { readonly do: 'deliver'; readonly twice: boolean }
  | { readonly do: 'fail'; readonly of: number }
  | { readonly do: 'revoke' | 'grant' | 'pause' | 'resume' | 'forget' }
  | { readonly do: 'pass'; readonly seconds: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('measure' as const),
      device: fc.nat(DEVICES - 1),
      count: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('deliver' as const), twice: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('fail' as const), of: fc.integer({ min: 0, max: 4 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'revoke' as const,
        'grant' as const,
        'pause' as const,
        'resume' as const,
        'forget' as const,
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      seconds: fc.integer({ min: 1, max: 400 }),
    }),
  },
);

describeEngines('deliveries, whatever happens', (database) => {
  const scene = createForwardingScene(database);
  const { clock } = scene;
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.close());

  test(
    'everybody gets what a naive model says, in order, and nothing else',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
          await database().db.updateTable('destination').set({ state: 'paused' }).execute();
          receiver.taken.length = 0;
          receiver.seen.length = 0;
          receiver.react = () => ({ status: 200 });
          const { device, application, ownerId, destinationId, grantId } = await scene.connected(
            receiver.url,
            { kinds: ['telemetry.sample'] },
          );
          const sns = [device.sn, (await scene.beside(device)).sn, (await scene.beside(device)).sn];
          // The model: what may still be sent, by device, and when the right to it began.
          let granted: string | undefined = grantId;
          let expected: { readonly sn: string; readonly at: number }[] = [];
          let had = 0;
          const gone = new Set<number>();
          let failing = 0;
          let requests = 0;
          receiver.react = () =>
            failing > 0 && requests++ % 5 < failing ? { status: 500 } : { status: 200 };
          const destination = () => getDestination(database().db, destinationId, null);
          const deliver = async (twice: boolean): Promise<void> => {
            // Two instances, which may overlap where a lease was lost.
            const dispatchers = await Promise.all([
              scene.dispatcherWith(),
              ...(twice ? [scene.dispatcherWith()] : []),
            ]);
            await Promise.all(dispatchers.map((one) => scene.serve(one)));
            for (const one of dispatchers) one.close();
          };
          for (const now of steps) {
            if (now.do === 'measure') {
              const readings = Array.from({ length: now.count }, () => ({
                at: (clock.at += SECOND),
                values: { acPowerW: 1 },
              }));
              await scene.report({ ...device, sn: sns[now.device]! }, readings);
              if (granted !== undefined)
                expected.push(...readings.map(({ at }) => ({ sn: sns[now.device]!, at })));
            }
            if (now.do === 'deliver') await deliver(now.twice);
            if (now.do === 'fail') failing = now.of;
            if (now.do === 'pass') clock.at += now.seconds * SECOND;
            if (now.do === 'pause' && (await destination()).state === 'active')
              await scene.write(async (trx) =>
                pauseDestination(trx, scene.act(), await destination()),
              );
            if (now.do === 'resume')
              await scene.write(async (trx) =>
                resumeDestination(trx, scene.act(), await destination()),
              );
            // A kill between two stores of progress: what was delivered since is sent again.
            if (now.do === 'forget') {
              const { no } = await scene.progress(destinationId);
              await database()
                .db.updateTable('destinationProgress')
                .set({ no: Math.max(0, no - 1) })
                .where('destinationId', '=', destinationId)
                .execute();
            }
            if (now.do === 'revoke' && granted !== undefined) {
              await scene.write((trx) => revokeGrant(trx, scene.act(), granted!, ownerId));
              granted = undefined;
              // What has not arrived so far never will.
              const arrived = new Set(receiver.taken.map(({ data }) => data['at'] as number));
              for (const { at } of expected) if (!arrived.has(at)) gone.add(at);
              had = receiver.seen.length;
            }
            if (now.do === 'grant' && granted === undefined) {
              expect(receiver.seen.length).toBe(had);
              clock.at += SECOND;
              granted = await scene.grant(application.id, ownerId);
            }
          }
          if (granted === undefined) expect(receiver.seen.length).toBe(had);
          failing = 0;
          await scene.write(async (trx) =>
            resumeDestination(trx, scene.act(), await destination()),
          );
          await deliver(false);
          expected = expected.filter(({ at }) => !gone.has(at));
          for (const sn of sns) {
            const first = new Set<number>();
            for (const { deviceSn, data } of receiver.taken)
              if (deviceSn === sn) first.add(data['at'] as number);
            const times = expected.filter((one) => one.sn === sn).map(({ at }) => at);
            expect([...first]).toEqual(times);
          }
          expect(scene.faults).toEqual([]);
        }),
        { numRuns: effort(6, 300) },
      );
    },
    effort(60_000, 3_600_000),
  );
});
