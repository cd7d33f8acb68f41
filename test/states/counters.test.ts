import type { ShareLevel } from '@helioport/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  changeAlarms,
  type AlarmChange,
} from '../../packages/server/src/outbound/alarms/alarm-rows.ts';
import { lockAlarm, processAlarm } from '../../packages/server/src/outbound/alarms/processing.ts';
import type { AlarmLevel } from '../../packages/server/src/outbound/alarms/rule.ts';
import { changeStates, markReporting } from '../../packages/server/src/fleet/devices/states.ts';
import { reachOf } from '../../packages/server/src/fleet/plants/access.ts';
import { bindDevice, unbindDevice } from '../../packages/server/src/fleet/plants/bindings.ts';
import type { CountedKind } from '../../packages/server/src/fleet/plants/fleet/counters.ts';
import { foldCounts } from '../../packages/server/src/fleet/plants/fleet/fold-counts.ts';
import { lockPlants } from '../../packages/server/src/fleet/plants/lock.ts';
import { disableOwner, enableOwner } from '../../packages/server/src/fleet/plants/owners.ts';
import { archivePlant, transferPlant } from '../../packages/server/src/fleet/plants/plants.ts';
import { presence } from '../../packages/server/src/fleet/plants/presence.ts';
import { countMiscounts, recount } from '../../packages/server/src/fleet/plants/fleet/recount.ts';
import { sharePlant, unsharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import {
  countStates,
  totalOf,
} from '../../packages/server/src/fleet/plants/fleet/visible-counts.ts';
import type { Flag } from '../../packages/server/src/platform/storage/database.ts';
import { createFleet } from '../operations/fleet.ts';
import { effort } from '../support/effort.ts';
import { describeEngines } from '../support/engines.ts';
import { applicationCaller, settableClock, userCaller } from '../support/world.ts';

const PEOPLE = 3;
const PLANTS = 4;
const DEVICE_KINDS = ['collector', 'inverter', 'inverter', 'epm', 'weather', 'ammeter'] as const;
const DEVICES = DEVICE_KINDS.length;
const KINDS: CountedKind[] = [
  'plant',
  'inverter',
  'collector',
  'epm',
  'weather',
  'ammeter',
  'alarm',
];

const LISTS = [
  ['userStationList', 'stationStatusVo'],
  ['inverterList', 'inverterStatusVo'],
  ['collectorList', 'collectionStatusVo'],
  ['epmList', 'epmStatusVo'],
] as const;

describeEngines('counters of what an account may see', (database) => {
  const clock = settableClock('2026-06-01T00:00:00Z');
  const world = createFleet(database, clock);
  const { act, write } = world;
  const db = () => database().db;

  /** People, plants of the first two of them, and devices that stand nowhere. */
  const populate = async () => {
    const people = await Promise.all(Array.from({ length: PEOPLE }, () => world.person()));
    const plants: string[] = [];
    for (let i = 0; i < PLANTS; i++) plants.push(await world.plant(people[i % 2]!.id));
    const devices: string[] = [];
    for (const kind of DEVICE_KINDS) devices.push((await world.device(null, { kind })).id);
    return { people, plants, devices };
  };
  type Population = Awaited<ReturnType<typeof populate>>;

  const report = (id: string) =>
    write((trx) =>
      markReporting(
        trx,
        [{ id, state: presence.offline, expectedSeconds: 300, reportedAt: null, lastAt: clock.at }],
        clock.at,
      ),
    );
  const silence = (id: string, offlineAbnormal: Flag) =>
    write((trx) =>
      changeStates(trx, [id], clock.at, () => ({
        state: presence.offline,
        offlineAbnormal,
        checkAt: null,
      })),
    );
  const change = (id: string, wanted: AlarmChange) =>
    write((trx) => changeAlarms(trx, { now: clock.at, newId: world.newId }, id, [wanted]));
  const raise = (id: string, code: string, level: AlarmLevel) =>
    change(id, { raise: { code, level, message: code, beginAt: (clock.at += 1) } });
  const end = (id: string, code: string) => change(id, { clear: { code, endAt: (clock.at += 1) } });
  const takeCare = async (deviceId: string, accountId: string) => {
    const pending = await db()
      .selectFrom('alarm')
      .select('id')
      .where('deviceId', '=', deviceId)
      .where('state', '=', 0)
      .executeTakeFirst();
    if (pending)
      await write(async (trx) =>
        processAlarm(trx, act(), await lockAlarm(trx, userCaller(accountId), pending.id)),
      );
  };

  const person = fc.nat(PEOPLE - 1);
  const plant = fc.nat(PLANTS - 1);
  const device = fc.nat(DEVICES - 1);
  const code = fc.constantFrom('A', 'B');
  const weight = fc.constantFrom<AlarmLevel>(1, 2, 3);
  const share = fc.constantFrom<ShareLevel>('read', 'control');
  type Step = (population: Population) => Promise<unknown>;
  const bind =
    ([d, p]: [number, number]): Step =>
    ({ devices, plants }) =>
      write((trx) => bindDevice(trx, act(), devices[d]!, plants[p]!));
  const unbind =
    ([d, p]: [number, number]): Step =>
    ({ devices, plants }) =>
      write((trx) => unbindDevice(trx, act(), devices[d]!, plants[p]!));
  /** Wherever it stands, in one transaction. */
  const move =
    ([d, p]: [number, number]): Step =>
    ({ devices, plants }) =>
      write(async (trx) => {
        const { plantId } = await trx
          .selectFrom('device')
          .select('plantId')
          .where('id', '=', devices[d]!)
          .executeTakeFirstOrThrow();
        // In the order of their ids, as a writer that changes several plants must.
        await lockPlants(
          trx,
          [...new Set([plantId, plants[p]!])].filter((id) => id !== null).toSorted(),
        );
        if (plantId !== null) await unbindDevice(trx, act(), devices[d]!, plantId);
        await bindDevice(trx, act(), devices[d]!, plants[p]!);
      });
  const give =
    ([p, a, level]: [number, number, ShareLevel]): Step =>
    ({ plants, people }) =>
      write((trx) => sharePlant(trx, act(), plants[p]!, people[a]!.email, level));
  const withdraw =
    ([p, a]: [number, number]): Step =>
    ({ plants, people }) =>
      write((trx) => unsharePlant(trx, act(), plants[p]!, people[a]!.email));
  const transfer =
    ([p, a]: [number, number]): Step =>
    ({ plants, people }) =>
      write((trx) => transferPlant(trx, act(), plants[p]!, people[a]!.id));
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.tuple(device, plant).map(bind),
    fc.tuple(device, plant).map(unbind),
    fc.tuple(device, plant).map(move),
    fc.tuple(plant, person, share).map(give),
    fc.tuple(plant, person).map(withdraw),
    fc.tuple(plant, person).map(transfer),
    plant.map<Step>(
      (p) =>
        ({ plants }) =>
          write((trx) => archivePlant(trx, act(), plants[p]!)),
    ),
    person.map<Step>(
      (a) =>
        ({ people }) =>
          write((trx) => disableOwner(trx, act(), people[a]!.id)),
    ),
    person.map<Step>(
      (a) =>
        ({ people }) =>
          write((trx) => enableOwner(trx, act(), people[a]!.id)),
    ),
    device.map<Step>(
      (d) =>
        ({ devices }) =>
          report(devices[d]!),
    ),
    fc.tuple(device, fc.constantFrom<Flag>(0, 1)).map<Step>(
      ([d, abnormal]) =>
        ({ devices }) =>
          silence(devices[d]!, abnormal),
    ),
    fc.tuple(device, code, weight).map<Step>(
      ([d, c, level]) =>
        ({ devices }) =>
          raise(devices[d]!, c, level),
    ),
    fc.tuple(device, code).map<Step>(
      ([d, c]) =>
        ({ devices }) =>
          end(devices[d]!, c),
    ),
    fc.tuple(device, person).map<Step>(
      ([d, a]) =>
        ({ devices, people }) =>
          takeCare(devices[d]!, people[a]!.id),
    ),
    fc.constant<Step>(() => foldCounts(db(), 100)),
  );

  // What the rules forbid is refused and changes nothing; anything else is a fault.
  const take = (taken: Step, population: Population): Promise<unknown> =>
    taken(population).catch((error: Error) => {
      if (error.name !== 'Failure') throw error;
    });

  /** The same numbers by looking at everything the account may see, one by one. */
  const lookedAt = async (
    accountId: string,
    owned: boolean,
    kind: CountedKind,
    plantIds?: readonly string[],
  ): Promise<Map<number, number>> => {
    const [accesses, plants, accounts, devices, alarms] = await Promise.all([
      db().selectFrom('plantAccess').selectAll().where('accountId', '=', accountId).execute(),
      db().selectFrom('plant').selectAll().execute(),
      db().selectFrom('account').selectAll().execute(),
      db().selectFrom('device').selectAll().execute(),
      db().selectFrom('alarm').selectAll().execute(),
    ]);
    const states: number[] = [];
    for (const access of accesses) {
      if (plantIds?.includes(access.plantId) === false) continue;
      const seen = plants.find(({ id }) => id === access.plantId)!;
      if (
        seen.archivedAt !== null ||
        accounts.find(({ id }) => id === seen.ownerId)!.disabledAt !== null ||
        (owned && access.level !== 'owner')
      )
        continue;
      if (kind === 'plant') states.push(seen.state);
      // What an ammeter reports stays with the signed interface.
      else if (kind === 'alarm')
        states.push(
          ...alarms
            .filter((each) => each.plantId === seen.id && !(owned && each.kind === 'ammeter'))
            .map(({ state }) => state),
        );
      else
        states.push(
          ...devices
            .filter((each) => each.plantId === seen.id && each.kind === kind)
            .map(({ state }) => state),
        );
    }
    return new Map(
      Map.groupBy(states, (state) => state)
        .entries()
        .map(([state, all]) => [state, all.length]),
    );
  };

  const compare = async ({ people, plants }: Population): Promise<void> => {
    const plantIds = plants.slice(1, 3);
    for (const { id } of people) {
      for (const kind of KINDS) {
        expect(await countStates(db(), reachOf(userCaller(id), 'read'), kind)).toEqual(
          await lookedAt(id, false, kind),
        );
        expect(await countStates(db(), reachOf(applicationCaller(id), 'read'), kind)).toEqual(
          await lookedAt(id, true, kind),
        );
        expect(
          await countStates(db(), reachOf(userCaller(id, { plantIds }), 'read'), kind),
        ).toEqual(await lookedAt(id, false, kind, plantIds));
      }
    }
  };

  /** What a client sees: the counters of a list are those of its records. */
  const compareLists = async ({ people }: Population): Promise<void> => {
    for (const { id } of people) {
      for (const [list, counts] of LISTS) {
        const answer = await world.wire(list, userCaller(id), { pageSize: 100 });
        const inState = (state: number): number =>
          answer.page.records.filter((record: { state: number }) => record.state === state).length;
        const { all, normal, fault, offline } = answer[counts];
        // Collectors and meters with an alarm are online as far as their records can say.
        const shown =
          list === 'collectorList' || list === 'epmList' ? [normal + fault, 0] : [normal, fault];
        expect([list, all, ...shown, offline]).toEqual([
          list,
          answer.page.total,
          inState(1),
          inState(3),
          inState(2),
        ]);
      }
    }
  };

  test(
    'equal a count from scratch after any history of states, bindings, shares, transfers and disabled owners',
    { timeout: effort(120_000, 1_800_000) },
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (history) => {
          const population = await populate();
          for (const taken of history) await take(taken, population);
          await compare(population);
          await compareLists(population);
        }),
        { numRuns: effort(12, 100) },
      );
      expect(await countMiscounts(db())).toBe(0);
    },
  );

  test(
    'equal a count from scratch after histories that many callers make at once',
    { timeout: effort(120_000, 1_800_000) },
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(step, { minLength: 3, maxLength: 15 }), { minLength: 6, maxLength: 6 }),
          async (histories) => {
            const population = await populate();
            await Promise.all(
              histories.map(async (history) => {
                for (const taken of history) await take(taken, population);
              }),
            );
            await compare(population);
          },
        ),
        { numRuns: effort(6, 200) },
      );
      expect(await countMiscounts(db())).toBe(0);
    },
  );

  test('a list of plants is counted over the list, and control without the right to read everything as well', async () => {
    const { people, plants, devices } = await populate();
    await write((trx) => bindDevice(trx, act(), devices[1]!, plants[0]!));
    await write((trx) => bindDevice(trx, act(), devices[2]!, plants[2]!));
    await report(devices[2]!);
    const caller = userCaller(people[0]!.id, { plantIds: [plants[2]!, plants[1]!] });
    expect(await countStates(db(), reachOf(caller, 'read'), 'inverter')).toEqual(
      new Map([[presence.online, 1]]),
    );
    expect(await countStates(db(), reachOf(caller, 'read'), 'plant')).toEqual(
      new Map([[presence.online, 1]]),
    );
    const control = await countStates(
      db(),
      reachOf(userCaller(people[0]!.id), 'control'),
      'inverter',
    );
    expect(totalOf(control)).toBe(2);
  });

  test('folding keeps every number and leaves one row for each', async () => {
    const { people, plants, devices } = await populate();
    await write((trx) => bindDevice(trx, act(), devices[1]!, plants[0]!));
    for (let i = 0; i < 5; i++) {
      await report(devices[1]!);
      await silence(devices[1]!, 0);
    }
    const rows = () =>
      db()
        .selectFrom('visibleCount')
        .selectAll()
        .where('accountId', '=', people[0]!.id)
        .where('kind', '=', 'inverter')
        .execute();
    const numbers = () => countStates(db(), reachOf(userCaller(people[0]!.id), 'read'), 'inverter');
    const before = await numbers();
    expect((await rows()).length).toBeGreaterThan(5);
    while ((await foldCounts(db(), 100)) > 0);
    expect(await numbers()).toEqual(before);
    expect(await rows()).toHaveLength(1);
  });

  test('a recount mends plants and counters that somebody has bent', async () => {
    const { people, plants, devices } = await populate();
    await write((trx) => bindDevice(trx, act(), devices[1]!, plants[0]!));
    expect(await recount(db())).toBe(0);
    await db()
      .updateTable('plant')
      .set({ state: 3, onlineDevices: 7 })
      .where('id', '=', plants[0]!)
      .execute();
    await db()
      .deleteFrom('visibleCount')
      .where('accountId', '=', people[0]!.id)
      .where('kind', '=', 'inverter')
      .execute();
    expect(await countMiscounts(db())).toBeGreaterThan(0);
    expect(await recount(db())).toBe(2);
    await compare({ people, plants, devices });
  });
});
