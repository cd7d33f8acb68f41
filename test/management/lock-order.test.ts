import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createWatch } from '../../packages/server/src/outbound/alarms/watch.ts';
import { assignCollector } from '../../packages/server/src/fleet/devices/devices.ts';
import {
  moveDevices,
  placeCollectors,
  placeDevices,
  removeCollectors,
  removeDevices,
} from '../../packages/server/src/fleet/devices/placement.ts';
import { changeStates } from '../../packages/server/src/fleet/devices/states.ts';
import { Failure } from '../../packages/server/src/platform/kernel/failure.ts';
import { reachOf } from '../../packages/server/src/fleet/plants/access.ts';
import { lockDeviceRows, lockPlant } from '../../packages/server/src/fleet/plants/lock.ts';
import { archivePlant, transferPlant } from '../../packages/server/src/fleet/plants/plants.ts';
import { countMiscounts } from '../../packages/server/src/fleet/plants/fleet/recount.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import { Overtaken } from '../../packages/server/src/platform/storage/away.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import { createTelemetry } from '../../packages/server/src/measurements/telemetry/create-telemetry.ts';
import { settledReads } from '../../packages/server/src/measurements/ingest/settled-reads.ts';
import { describeEngines } from '../support/engines.ts';
import { createChance } from '../prove/hostile/chance.ts';
import { effort } from '../support/effort.ts';
import { createWorld, settableClock, userCaller } from '../support/world.ts';
import { linksAcrossOwners } from './links.ts';
import { lookAtFleet } from '../support/runs.ts';

// Below the operations, which would begin a transaction anew that the engine had to end.
describeEngines('transactions that move the same devices', (database) => {
  const clock = settableClock('2026-06-01T12:00:00Z');
  const world = createWorld(database, clock);
  const { act, write } = world;
  const everywhere = reachOf({ kind: 'operator', accountId: null, plantIds: null }, 'manage');
  /** What came of a move: whether it was carried out. Anything but a refusal or a race lost in good order fails the test. */
  const outcome = async (move: (trx: Db) => Promise<unknown>): Promise<boolean> => {
    try {
      await write(move);
      return true;
    } catch (error) {
      if (error instanceof Failure || error instanceof Overtaken) return false;
      throw error;
    }
  };

  test('two collectors change owners while each reports for what stands with the other', async () => {
    for (let round = 0; round < effort(10, 200); round++) {
      const [ada, ben] = [await world.person(), await world.person()];
      const homes = [
        { id: await world.plant(ada.id), ownerId: ada.id },
        { id: await world.plant(ben.id), ownerId: ben.id },
      ];
      const boxes = [
        await world.device(null, { kind: 'collector' }),
        await world.device(null, { kind: 'collector' }),
      ];
      for (const [i, { id: plantId }] of homes.entries()) {
        // Several, so that their rows do not lie in the order of the ids.
        for (let n = 0; n < 3; n++) {
          const { id } = await world.device(plantId);
          await write((trx) => assignCollector(trx, id, boxes[1 - i]!.id));
        }
      }
      const done = await Promise.all(
        homes.map((home, i) => outcome((trx) => placeCollectors(trx, act(), home, [boxes[i]!.sn]))),
      );
      expect(done).toContain(true);
    }
  });

  test(
    'never wait for one another in a circle, and what is left fits together',
    { timeout: effort(60_000, 600_000) },
    async () => {
      const { below: pick } = createChance(20_261_121);
      const owners = [await world.person(), await world.person(), await world.person()];
      const homes: { id: string; ownerId: string }[] = [];
      for (const { id: ownerId } of owners)
        for (let i = 0; i < 2; i++) homes.push({ id: await world.plant(ownerId), ownerId });
      const boxes = [
        await world.device(null, { kind: 'collector' }),
        await world.device(null, { kind: 'collector' }),
      ];
      const inverters: { id: string; sn: string }[] = [];
      for (let i = 0; i < 8; i++) {
        inverters.push(await world.device(null));
        await write((trx) => assignCollector(trx, inverters[i]!.id, boxes[i % 2]!.id));
      }
      const all = [...boxes, ...inverters];
      const some = (of: readonly { sn: string }[]): string[] => {
        const chosen = of.filter(() => pick(2) === 0).map(({ sn }) => sn);
        if (chosen.length === 0) chosen.push(of[pick(of.length)]!.sn);
        return pick(2) === 0 ? chosen : chosen.toReversed();
      };
      const reach = () => reachOf(userCaller(owners[pick(owners.length)]!.id), 'manage');
      const into = (trx: Db): ReturnType<typeof lockPlant> =>
        lockPlant(trx, homes[pick(homes.length)]!.id);
      const moves: ((trx: Db) => Promise<unknown>)[] = [
        async (trx) => placeDevices(trx, act(), await into(trx), some(all)),
        async (trx) => placeCollectors(trx, act(), await into(trx), some(boxes)),
        (trx) => removeCollectors(trx, act(), reach(), some(boxes), pick(2) === 0),
        (trx) => removeDevices(trx, act(), reach(), some(all)),
        (trx) =>
          moveDevices(
            trx,
            act(),
            everywhere,
            all[pick(all.length)]!.sn,
            homes[pick(homes.length)]!.id,
            pick(2) === 0,
          ),
        (trx) =>
          transferPlant(trx, act(), homes[pick(homes.length)]!.id, owners[pick(owners.length)]!.id),
        (trx) =>
          changeStates(
            trx,
            all.map(({ id }) => id),
            clock.at,
            ({ state }) => ({ state: state === 1 ? 2 : 1, offlineAbnormal: 0, checkAt: clock.at }),
          ),
      ];
      const watch = createWatch({
        db: database().db,
        clock,
        newId: world.newId,
        telemetry: createTelemetry(settledReads(database().db, createSqlSeries(database().db))),
        logger: {
          error: (fault: unknown) => {
            throw fault;
          },
        } as never,
      });
      let carriedOut = 0;
      for (let round = 0; round < effort(120, 1500); round++) {
        clock.at += 1000;
        const done = await Promise.all([
          ...Array.from({ length: 7 }, () => outcome(moves[pick(moves.length)]!)),
          lookAtFleet(watch, database().db).then(() => false),
        ]);
        carriedOut += done.filter((each) => each).length;
        if (round % 10 === 9) {
          // An end of a plant, and another in its place.
          const [ended] = homes.splice(pick(homes.length), 1);
          await outcome((trx) => archivePlant(trx, act(), ended!.id));
          homes.push({ id: await world.plant(ended!.ownerId), ownerId: ended!.ownerId });
        }
      }
      expect(carriedOut).toBeGreaterThan(effort(120, 1500));
      expect(await linksAcrossOwners(database().db)).toEqual([]);
      expect(await countMiscounts(database().db)).toBe(0);
    },
  );

  /** Begins a move while `first` holds its locks, lets `first` go on once the move waits, and returns what came of the move. */
  const overtake = async (
    first: (trx: Db, isAwaited: () => Promise<void>) => Promise<unknown>,
    move: (trx: Db) => Promise<unknown>,
  ): Promise<unknown> => {
    const { db } = database();
    const held = Promise.withResolvers<void>();
    const isAwaited = async (): Promise<void> => {
      held.resolve();
      await expect
        .poll(
          async () => (await sql`select 1 from pg_locks where not granted`.execute(db)).rows.length,
        )
        .toBeGreaterThan(0);
    };
    const ended = write((trx) => first(trx, isAwaited));
    await held.promise;
    const came = write(move).catch((error: unknown) => error);
    await ended;
    return came;
  };
  /** Two plants of one owner with a collector in the first, and a device behind it that was registered before. */
  const household = async () => {
    const { id: ownerId } = await world.person();
    const [home, annex] = [await world.plant(ownerId), await world.plant(ownerId)];
    const device = await world.device(home);
    const box = await world.device(home, { kind: 'collector' });
    await write((trx) => assignCollector(trx, device.id, box.id));
    return { reach: reachOf(userCaller(ownerId), 'manage'), ownerId, home, annex, device, box };
  };

  test.each([
    [
      'itself',
      (trx: Db, { reach, device }: Awaited<ReturnType<typeof household>>) =>
        removeDevices(trx, act(), reach, [device.sn]),
    ],
    [
      'behind its collector',
      (trx: Db, { reach, box }: Awaited<ReturnType<typeof household>>) =>
        removeCollectors(trx, act(), reach, [box.sn], true),
    ],
  ])(
    'a device that is removed %s, and is found in another plant by then, is looked for anew',
    async (_, remove) => {
      if (database().engine === 'sqlite') return;
      const house = await household();
      const came = await overtake(
        async (trx, isAwaited) => {
          await moveDevices(trx, act(), house.reach, house.device.sn, house.annex, false);
          await isAwaited();
        },
        (trx) => remove(trx, house),
      );
      expect(came).toBeInstanceOf(Overtaken);
      await write((trx) => remove(trx, house));
      const { plantId } = await database()
        .db.selectFrom('device')
        .select('plantId')
        .where('id', '=', house.device.id)
        .executeTakeFirstOrThrow();
      expect(plantId).toBeNull();
    },
  );

  test('a collector is moved once what reports through it, in any plant, is locked with it', async () => {
    if (database().engine === 'sqlite') return;
    const { device, box } = await household();
    const { id: strangerId } = await world.person();
    const abroad = await world.plant(strangerId);
    const came = await overtake(
      async (trx, isAwaited) => {
        await lockDeviceRows(trx, [device.id]);
        await isAwaited();
        // A writer that moves it has not locked it while waiting for the device.
        await lockDeviceRows(trx, [box.id]);
      },
      (trx) => moveDevices(trx, act(), everywhere, box.sn, abroad, false).then(() => 'moved'),
    );
    expect(came).toBe('moved');
  });

  test('a plant whose collector got another device to report for, while it is transferred, is transferred anew', async () => {
    if (database().engine === 'sqlite') return;
    const { home, annex, device, box } = await household();
    const late = await world.device(annex);
    const { id: buyerId } = await world.person();
    const transfer = (trx: Db): Promise<void> => transferPlant(trx, act(), home, buyerId);
    const came = await overtake(async (trx, isAwaited) => {
      await lockDeviceRows(trx, [device.id, box.id]);
      await isAwaited();
      await assignCollector(trx, late.id, box.id);
    }, transfer);
    expect(came).toBeInstanceOf(Overtaken);
    await write(transfer);
    expect(await linksAcrossOwners(database().db)).toEqual([]);
  });
});
