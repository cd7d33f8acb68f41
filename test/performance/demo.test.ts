import { createSite, readScenario } from '@helioport/simulator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEMO_DAYS, forgottenLimits } from '../../packages/server/src/interfaces/cli/demo/demo.ts';
import { fleet } from '../../packages/server/src/interfaces/cli/demo/demo-fleet.ts';
import { parametersOf } from '../../packages/server/src/interfaces/cli/demo/simulated-parameters.ts';
import { createFleet } from '../operations/fleet.ts';
import { deafLink } from '../simulator/deaf-link.ts';
import { createSqliteDatabase, type TestDatabase } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';

const DAY_MS = 86_400_000;
const STEP_MS = 900_000;

describe.each(['2026-11-20T12:00:00Z', '2026-05-20T20:00:00Z'])('the demo at %s', (now) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createSqliteDatabase();
  });
  afterAll(() => database.close());

  test('shows three different losses, and which plant to visit first', async () => {
    const startAt = Date.parse(now) - DEMO_DAYS * DAY_MS;
    const world = createFleet(() => database, settableClock(now));
    const owner = await world.person();
    const caller = userCaller(owner.id);
    for (const { name, specification, scenarios = [], pricePerKwh = 0.1 } of fleet) {
      const { place, timeZone, inverters, weatherStationSn } = specification;
      const [first] = inverters[0]!.strings;
      const plantId = await world.plant(owner.id, {
        name,
        pricePerKwh,
        timeZone,
        ...place,
        capacityKwp: inverters
          .flatMap(({ strings }) => strings)
          .reduce((sum, { kwp }) => sum + kwp, 0),
        tiltDegrees: first!.tilt,
        azimuthDegrees: first!.azimuth,
      });
      for (const { sn, ratedPowerW } of inverters) await world.device(plantId, { sn, ratedPowerW });
      await world.device(plantId, { kind: 'weather', sn: weatherStationSn! });
      const site = createSite({
        specification,
        startAt,
        stepMs: STEP_MS,
        link: deafLink,
        scenarios: scenarios.map((text) => readScenario(text, startAt)),
        settings: forgottenLimits(startAt),
        parametersOf,
      });
      const bySn = new Map<string, [number, object][]>();
      for (const { readings } of site.reports(Date.parse(now)))
        for (const { sn, at, values } of readings)
          bySn.set(sn, [...(bySn.get(sn) ?? []), [at, values]]);
      void site.collector.close();
      for (const sn of [weatherStationSn!, ...inverters.map((each) => each.sn)])
        await world.report(sn, bySn.get(sn)!);
      for (const month of [
        now.slice(0, 7),
        new Date(startAt).toISOString().slice(0, 7),
      ].toReversed())
        await world.ask('performance/losses', caller, { plantId, each: 'day', month });
    }
    const visits = await world.ask('performance/visits', caller);
    const found = visits.map(({ plantName, cause, sn }) => `${plantName}: ${cause} ${sn}`);
    expect(new Set(found)).toEqual(
      new Set([
        'Farm in Colorado: limit HI260100002',
        'House in Sydney: standstill HI260100005',
        'Tea house in Kathmandu: string HI260100004',
      ]),
    );
    expect(found).toHaveLength(3);
    for (const { kwhPerYear, amountPerYear } of visits)
      expect([kwhPerYear > 100, amountPerYear! > 0]).toEqual([true, true]);
    expect(visits.find(({ cause }) => cause === 'limit')).toMatchObject({ limitW: 3000 });
    expect(visits.find(({ cause }) => cause === 'string')).toMatchObject({ input: 2 });
  });
});
