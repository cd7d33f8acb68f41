import { expect, test } from 'vitest';
import { learnOf } from '../../packages/server/src/outbound/performance/learn-of.ts';
import { getPlant } from '../../packages/server/src/fleet/plants/access.ts';
import { zonesOf } from '../../packages/server/src/fleet/plants/zones.ts';
import { createFleet } from '../operations/fleet.ts';
import { operationSources } from '../support/operations.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';
import { chanceOf } from './simulated-plant.ts';
import { DAY_MS, drawInverter, fleetDays } from '../expected/learned-fleet.ts';

const NOW = '2026-06-12T18:00:00Z';
const PLACE = { latitude: 48, longitude: 0 };
const STEP_MS = 900_000;
const DAYS = 40;
const TODAY = Date.parse('2026-06-12T00:00:00Z');
const YESTERDAY = 20_260_611;

describeEngines('what is expected without irradiance', (database) => {
  const fleet = createFleet(database, settableClock(NOW));
  const sources = () => operationSources(database().db, fleet.clock, fleet.newId);
  const chance = chanceOf(11);
  const inverters = Array.from({ length: 4 }, () => drawInverter(chance, PLACE));
  const days = fleetDays(11, TODAY - DAYS * DAY_MS, DAYS, inverters);

  type Person = Awaited<ReturnType<typeof fleet.person>>;
  /** A plant whose inverters report some of the last days; `factor`: what they deliver of what they could on the last one. */
  const furnish = async (
    owner: Person,
    which: readonly (readonly [inverter: number, factor: number])[],
    { known = DAYS, latitude = PLACE.latitude }: { known?: number; latitude?: number } = {},
  ) => {
    const plantId = await fleet.plant(owner.id, {
      ...PLACE,
      latitude,
      timeZone: 'UTC',
      capacityKwp: 0,
    });
    const devices = [];
    for (const [i, factor] of which) {
      const { sn } = await fleet.device(plantId, { ratedPowerW: inverters[i]!.ratedW });
      for (const [d, day] of days.slice(-known).entries()) {
        const { startAt, powersW } = day[i]!;
        const share = d === known - 1 ? factor : 1;
        // A mean over a step, by trapezoids.
        await fleet.report(
          sn,
          powersW.flatMap((powerW, step) => [
            [startAt + step * STEP_MS, { acPowerW: share * powerW! }] as const,
            [startAt + (step + 1) * STEP_MS - 1000, { acPowerW: share * powerW! }] as const,
          ]),
        );
      }
      devices.push(sn);
    }
    return { plantId, devices, caller: userCaller(owner.id) };
  };
  type Home = Awaited<ReturnType<typeof furnish>>;
  const learnAll = async (homes: readonly Home[]) => {
    for (const { caller, plantId } of homes) {
      const plant = await getPlant(database().db, caller, plantId, 'read');
      const zones = (await zonesOf(database().db, [{ ...plant, plantId }])).get(plantId)!;
      await learnOf(sources(), plant, zones, { fromDay: 20_260_401, toDay: YESTERDAY });
    }
  };
  const rowOf = async ({ caller, plantId }: Home) =>
    (
      await fleet.ask('performance/energy', caller, { plantId, each: 'day', month: '2026-06' })
    ).find(({ day }) => day === YESTERDAY)!;
  const lossesOf = async ({ caller, plantId }: Home) =>
    (
      await fleet.ask('performance/losses', caller, { plantId, each: 'day', month: '2026-06' })
    ).find(({ day }) => day === YESTERDAY)!;

  test('follows from clear days and siblings, names what is lost, and needs no arrays', async () => {
    const home = await furnish(await fleet.person(), [
      [0, 1],
      [1, 1],
      [2, 0],
    ]);
    expect((await rowOf(home)).missing).toBe('clearDays');
    await learnAll([home]);
    const row = await rowOf(home);
    expect(row).toMatchObject({ method: 'learned', stationKm: 0, verdict: 'low' });
    expect(row.uncertaintyPercent).toBeGreaterThan(10);
    expect(row.uncertaintyPercent).toBeLessThan(25);
    expect(row.referenceYieldHours).toBeUndefined();
    expect(row.performanceRatioPercent).toBeUndefined();
    const could = days
      .at(-1)!
      .slice(0, 3)
      .flatMap(({ powersW }) => powersW);
    const couldKwh = could.reduce<number>((sum, powerW) => sum + powerW!, 0) / 4000;
    expect(Math.abs(row.expectedKwh! / couldKwh - 1)).toBeLessThan(0.15);
    const { losses } = await lossesOf(home);
    const lost = days.at(-1)![2]!.powersW.reduce<number>((sum, powerW) => sum + powerW!, 0) / 4000;
    const dead = losses.find(({ cause }) => cause !== 'unexplained');
    expect(dead).toMatchObject({ cause: 'standstill', sn: home.devices[2] });
    expect(Math.abs(dead!.kwh / lost - 1)).toBeLessThan(0.15);
    const day = await fleet.ask('performance/day', home.caller, {
      plantId: home.plantId,
      day: '2026-06-11',
    });
    expect(day.figures.method).toBe('learned');
    expect(day.devices.map(({ sn }) => sn)).toEqual(home.devices);
  });

  test('follows from plants of the same owner or company, and never from a stranger’s', async () => {
    const owner = await fleet.person();
    const home = await furnish(owner, [[0, 0.5]]);
    const strangers = await furnish(await fleet.person(), [[1, 1]]);
    await learnAll([home, strangers]);
    expect((await rowOf(home)).missing).toBe('arrays');
    await fleet.ask('plant/setArrays', home.caller, {
      plantId: home.plantId,
      arrays: [{ tiltDegrees: 30, azimuthDegrees: 180, capacityKwp: 5 }],
    });
    expect((await rowOf(home)).missing).toBe('irradiance');
    const far = await furnish(owner, [[2, 1]], { latitude: PLACE.latitude + 0.3 });
    await learnAll([far]);
    expect((await rowOf(home)).missing).toBe('irradiance');
    const near = await furnish(owner, [[1, 1]], { latitude: PLACE.latitude + 0.1 });
    await learnAll([near]);
    const row = await rowOf(home);
    expect(row).toMatchObject({ method: 'learned', stationKm: 11.1, verdict: 'low' });
    expect(Math.abs(row.sharePercent! - 50)).toBeLessThan(10);
    const losses = await lossesOf(home);
    // More strangers, whatever they do, change nothing.
    const more = await furnish(await fleet.person(), [
      [2, 0.2],
      [3, 0.2],
    ]);
    await learnAll([more, home]);
    expect(await rowOf(home)).toEqual(row);
    expect(await lossesOf(home)).toEqual(losses);
    // Those of a member of the owner's company do.
    const companyId = fleet.newId();
    const { db } = database();
    await db.insertInto('company').values({ id: companyId, name: 'Sun', createdAt: 0 }).execute();
    const memberOf = async (accountId: string) =>
      db
        .insertInto('companyMember')
        .values({ accountId, companyId, role: 'member', createdAt: 0 } as never)
        .execute();
    await memberOf(owner.id);
    expect(await rowOf(home)).toEqual(row);
    const colleague = await db
      .selectFrom('plant')
      .select('ownerId')
      .where('id', '=', strangers.plantId)
      .executeTakeFirstOrThrow();
    await memberOf(colleague.ownerId);
    expect(await rowOf(home)).not.toEqual(row);
  });

  test('says how the modules are mounted, until somebody confirms it, and after it is withdrawn', async () => {
    const home = await furnish(await fleet.person(), [
      [0, 1],
      [1, 1],
    ]);
    const { caller, plantId } = home;
    expect(await fleet.ask('plant/arrays', caller, { plantId })).toEqual({
      source: 'plant',
      arrays: [],
      estimated: [],
    });
    await learnAll([home]);
    const { arrays, estimated } = await fleet.ask('plant/arrays', caller, { plantId });
    expect(arrays).toEqual([]);
    expect(new Set(estimated.map(({ sn }) => sn))).toEqual(new Set(home.devices));
    for (const [i, sn] of home.devices.entries()) {
      const sum = (all: readonly number[]): number => all.reduce((one, other) => one + other, 0);
      const kwp = sum(estimated.flatMap((each) => (each.sn === sn ? each.capacityKwp : [])));
      const trueKwp = sum(inverters[i]!.arrays.map(({ capacityW }) => capacityW)) / 1000;
      expect(Math.abs(kwp / trueKwp - 1)).toBeLessThan(0.16);
    }
    // Nothing but a person makes them count.
    expect((await rowOf(home)).capacityKwp).toBe(0);
    await fleet.ask('plant/setArrays', caller, { plantId, arrays: estimated });
    expect(await fleet.ask('plant/arrays', caller, { plantId })).toEqual({
      source: 'entered',
      arrays: estimated,
      estimated,
    });
    expect((await rowOf(home)).capacityKwp).toBeGreaterThan(0);
    await fleet.ask('plant/setArrays', caller, { plantId, arrays: [] });
    expect(await fleet.ask('plant/arrays', caller, { plantId })).toMatchObject({
      source: 'plant',
      arrays: [],
      estimated,
    });
  });

  test('is nothing with fewer than 30 days, which is said', async () => {
    const home = await furnish(
      await fleet.person(),
      [
        [0, 1],
        [1, 1],
      ],
      { known: 25 },
    );
    await learnAll([home]);
    const { caller, plantId } = home;
    const arrays = [{ tiltDegrees: 30, azimuthDegrees: 180, capacityKwp: 5 }];
    await fleet.ask('plant/setArrays', caller, { plantId, arrays });
    expect((await rowOf(home)).missing).toBe('clearDays');
    const all = await fleet.ask('performance/day', caller, { plantId, day: '2026-06-11' });
    expect(all.expectedW).toEqual([]);
  });
});
