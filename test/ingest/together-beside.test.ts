import { expect, test } from 'vitest';
import { createIngest } from '../../packages/server/src/measurements/ingest/ingest.ts';
import { isStorageAway } from '../../packages/server/src/platform/storage/away.ts';
import type { Mark, Series } from '../../packages/server/src/measurements/series/port.ts';
import { createForwardingScene } from '../forwarding/scene.ts';
import { describeSeriesEnginesOn } from '../support/engines.ts';
import { Failed, failingBefore, stepwiseSeries } from '../support/step-by-step.ts';
import { settableClock } from '../support/world.ts';
import type { Installation } from '../telemetry/installation.ts';

const AT = Date.parse('2026-06-15T10:00:00Z');
const MINUTE = 60_000;
const NOWHERE = 'https://receiver.example/events';

/** An engine that notes what it is asked, and does something before the first rows of each attempt. */
function watched(inner: Series, beforePut: () => Promise<void> = async () => {}) {
  const asked: string[] = [];
  const over = (engine: Series): Series =>
    new Proxy(engine, {
      get(target, name: keyof Series) {
        const value = target[name];
        if (name === 'withRevisions')
          return (next: () => number) => over(target.withRevisions(next));
        if (!['marks', 'newestDays', 'mark', 'put', 'unmark'].includes(name)) return value;
        return async (...given: never[]) => {
          asked.push(name);
          if (name === 'put') await beforePut();
          return (value as (...all: never[]) => unknown)(...given);
        };
      },
    });
  return { series: over(inner), asked };
}

describeSeriesEnginesOn(
  /memory|Cassandra/,
  'reports that arrive together beside the database',
  (database, seriesOf) => {
    const clock = settableClock('2026-08-01T00:00:00Z');
    const scene = createForwardingScene(database, clock, seriesOf);
    const fleet = async (): Promise<Installation[]> => {
      const devices: Installation[] = [];
      for (let i = 0; i < 3; i++)
        devices.push((await scene.connected(NOWHERE, { kinds: ['telemetry.sample'] })).device);
      return devices;
    };
    const over = (series: Series) => {
      const ingest = createIngest({ db: database().db, clock, series });
      return ({ collectorId, tokenId, sn }: Installation, minute: number) =>
        ingest({ collectorId, tokenId }, [
          { sn, at: AT + minute * MINUTE, values: { acPowerW: minute } },
        ]);
    };
    const powers = async ({ series }: Installation): Promise<(number | undefined)[]> =>
      (await seriesOf(database().db).range(database().db, series, 0, Infinity)).map(
        ({ values }) => values[0],
      );
    const sequences = async ({ deviceId }: Installation): Promise<unknown[]> =>
      (await scene.logged('telemetry.sample'))
        .filter(({ subject }) => subject === deviceId)
        .map(({ data }) => (data['values'] as { acPowerW: number }).acPowerW);
    const accepted = { accepted: 1, duplicate: 0, refused: [] };

    test('ask the engine as often as one of them alone', async () => {
      const devices = await fleet();
      const { series, asked } = watched(seriesOf(database().db));
      const report = over(series);
      await Promise.all(devices.map((device) => report(device, 1)));
      asked.length = 0;
      expect(await Promise.all(devices.map((device) => report(device, 2)))).toEqual([
        accepted,
        accepted,
        accepted,
      ]);
      expect(asked).toEqual(['marks', 'newestDays', 'mark', 'put', 'unmark']);
      expect(await seriesOf(database().db).marks(devices.map(({ binding }) => binding))).toEqual(
        [],
      );
      for (const device of devices) expect([await powers(device), await sequences(device)]).toEqual([[1, 2], [1, 2]]); // prettier-ignore
    });

    test('do not wait for a device that somebody else is writing to', async () => {
      const devices = await fleet();
      const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const slow = watched(seriesOf(database().db), async () => {
        reached.resolve();
        await released.promise;
      });
      const first = over(slow.series)(devices[0]!, 1);
      await reached.promise;
      const report = over(seriesOf(database().db));
      const ended: number[] = [];
      const all = devices.map((device, i) => report(device, 2).then(() => ended.push(i)));
      await Promise.all([all[1], all[2]]);
      expect(ended.toSorted((a, b) => a - b)).toEqual([1, 2]);
      released.resolve();
      await Promise.all([first, ...all]);
      expect(await powers(devices[0]!)).toEqual([1, 2]);
    });

    test('are refused where the token was revoked while they were written, and no event of them is logged', async () => {
      const devices = await fleet();
      let isRevoked = false;
      const { series } = watched(seriesOf(database().db), async () => {
        if (!isRevoked)
          await database()
            .db.deleteFrom('collectorToken')
            .where('id', '=', devices[1]!.tokenId)
            .execute();
        isRevoked = true;
      });
      const report = over(series);
      const outcomes = await Promise.allSettled(devices.map((device) => report(device, 1)));
      expect(
        outcomes.map((outcome) =>
          outcome.status === 'fulfilled'
            ? outcome.value
            : (outcome.reason as { code?: string }).code,
        ),
      ).toEqual([accepted, 'notAuthenticated', accepted]);
      expect(await Promise.all(devices.map(sequences))).toEqual([[1], [], [1]]);
    });

    test('of which one could not be written are stored one by one', async () => {
      const devices = await fleet();
      const { step } = failingBefore('day');
      const report = over(stepwiseSeries(seriesOf(database().db), step));
      expect(await Promise.all(devices.map((device) => report(device, 1)))).toEqual([
        accepted,
        accepted,
        accepted,
      ]);
      for (const device of devices) {
        expect([await powers(device), await sequences(device)]).toEqual([[1], [1]]);
        expect(await scene.rollups(device.binding)).toEqual(
          await scene.recalculated(device.binding),
        );
      }
    });

    test('are all to be sent again if another attempt has taken over a device, and nothing half-written is left', async () => {
      const devices = await fleet();
      let left = 1;
      const { series, asked } = watched(seriesOf(database().db), async () => {
        if (left-- > 0)
          await database()
            .db.updateTable('seriesClaim')
            .set({ attempt: 'other', until: 0 })
            .where('series', '=', devices[2]!.series)
            .execute();
      });
      const report = over(series);
      const outcomes = await Promise.allSettled(devices.map((device) => report(device, 1)));
      expect(
        outcomes.map((outcome) => outcome.status === 'rejected' && isStorageAway(outcome.reason)),
      ).toEqual([true, true, true]);
      expect(asked.filter((name) => name === 'put')).toHaveLength(1);
      expect((await Promise.all(devices.map(sequences))).flat()).toEqual([]);
      for (const device of devices) {
        await report(device, 2);
        expect(await sequences(device)).toEqual([2]);
        expect(await scene.rollups(device.binding)).toEqual(
          await scene.recalculated(device.binding),
        );
      }
    });

    test('mark each device once, for all that they bring, and do not take their own mark for one that was left', async () => {
      const [device] = await fleet();
      const engine = seriesOf(database().db);
      const made: Mark[] = [];
      let sealed = 0;
      const marked = Promise.withResolvers<void>();
      const waiting = (inner: Series): Series => ({
        ...inner,
        withRevisions: (next) => waiting(inner.withRevisions(next)),
        async mark(marks) {
          made.push(...marks);
          await inner.mark(marks);
          marked.resolve();
        },
        async marks(bindings) {
          await marked.promise;
          return inner.marks(bindings);
        },
        async seal(...given) {
          sealed += 1;
          await inner.seal(...given);
        },
      });
      const report = over(waiting(engine));
      expect(await Promise.all([report(device!, 5), report(device!, 1)])).toEqual([
        accepted,
        accepted,
      ]);
      expect(made[0]).toMatchObject({
        binding: device!.binding,
        samples: { fromAt: AT + MINUTE, toAt: AT + 5 * MINUTE + 1 },
      });
      // The second one, which comes before the first, is then stored alone.
      expect([made.length, sealed, await powers(device!)]).toEqual([2, 0, [1, 5]]);
    });

    test('that change nothing leave nothing to recalculate, also if they fail', async () => {
      const [device] = await fleet();
      const engine = seriesOf(database().db);
      const unread = new Proxy(engine, {
        get(target, name: keyof Series) {
          if (name === 'withRevisions')
            return () =>
              new Proxy(target.withRevisions(Date.now), {
                get: (own, other: keyof Series) =>
                  other === 'newestDays'
                    ? async () => Promise.reject(new Failed('unread'))
                    : own[other],
              });
          return target[name];
        },
      });
      await expect(over(unread)(device!, 1)).rejects.toThrow(Failed);
      expect(await engine.marks([device!.binding])).toEqual([]);
    });
  },
);
