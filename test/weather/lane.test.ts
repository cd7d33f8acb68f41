import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { sunPosition } from '../../packages/server/src/fleet/devices/sun.ts';
import { clearSkyWm2 } from '../../packages/server/src/measurements/energy/clear-sky.ts';
import { createFigureCaches } from '../../packages/server/src/measurements/figures/sources.ts';
import { settledReads } from '../../packages/server/src/measurements/ingest/settled-reads.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import { createTelemetry } from '../../packages/server/src/measurements/telemetry/create-telemetry.ts';
import { createWeatherLane } from '../../packages/server/src/measurements/weather/lane.ts';
import { wantWeather } from '../../packages/server/src/measurements/weather/stored-weather.ts';
import { createLossesLane } from '../../packages/server/src/outbound/performance/lane.ts';
import { createEgress } from '../../packages/server/src/platform/egress/egress.ts';
import { createFleet } from '../operations/fleet.ts';
import { describeEngines } from '../support/engines.ts';
import { runOf } from '../support/runs.ts';
import { settableClock, userCaller } from '../support/world.ts';

const BERLIN = { latitude: 52.5163, longitude: 13.3777, timeZone: 'Europe/Berlin' };
const SOUTH = { tiltDegrees: 30, azimuthDegrees: 180, capacityKwp: 10 };
const LICENCE = 'Weather data by the test';
const HOUR = 3_600_000;
type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const lightAt = (at: number): number => 0.8 * clearSkyWm2(sunPosition(BERLIN, at).elevation);

/** All hours of the days that are asked for, also those to come. */
const skyOver: Answer = (request, response) => {
  const asked = new URL(request.url!, 'http://localhost').searchParams;
  const [from, to] = ['from', 'to'].map((name) => Date.parse(asked.get(name)!));
  const time = Array.from({ length: (to! - from!) / HOUR + 24 }, (_, i) => from! + i * HOUR);
  response.setHeader('ETag', '"sky"').end(
    JSON.stringify({
      hourly: {
        time: time.map((at) => at / 1000),
        shortwave_radiation: time.map((at) => lightAt(at - HOUR / 2)),
        temperature_2m: time.map(() => 20),
      },
    }),
  );
};

describeEngines('a weather service', (database) => {
  const clock = settableClock('2026-06-12T18:00:00Z');
  const fleet = createFleet(database, clock);
  const db = () => database().db;
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
    await db().deleteFrom('weatherCell').execute();
    await db().deleteFrom('weatherDay').execute();
  });

  const serve = async (answer: Answer, allow = ['127.0.0.0/8']) => {
    const asked: IncomingMessage[] = [];
    const server = createServer((request, response) => {
      asked.push(request);
      answer(request, response);
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    closing.push(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    });
    const { port } = server.address() as { port: number };
    const said: object[] = [];
    const lane = createWeatherLane({
      db: db(),
      clock,
      egress: createEgress({ allow }),
      logger: { warn: (about: object) => void said.push(about) } as never,
      source: {
        template: `http://127.0.0.1:${port}/v1?lat={latitude}&lon={longitude}&from={from}&to={to}`,
        licence: LICENCE,
      },
    });
    return { asked, said, run: () => lane.run(runOf(db(), '')) };
  };
  const cells = () => db().selectFrom('weatherCell').selectAll().orderBy('latitude').execute();
  const days = () => db().selectFrom('weatherDay').selectAll().orderBy('day').execute();

  test('says what was to be expected where nothing measures the light, less certainly, and comes after stations', async () => {
    const owner = await fleet.person();
    const caller = userCaller(owner.id);
    const plantId = await fleet.plant(owner.id, { capacityKwp: 10, ...BERLIN });
    const inverter = await fleet.device(plantId, { ratedPowerW: 10_000 });
    await fleet.ask('plant/setArrays', caller, {
      plantId,
      arrays: [{ ...SOUTH, sn: inverter.sn }],
    });
    const midnight = Date.parse('2026-06-11T00:00:00+02:00');
    const times = Array.from({ length: 288 }, (_, i) => midnight + i * 300_000);
    await fleet.report(
      inverter.sn,
      times.map((at) => [at, { acPowerW: 8 * lightAt(at) }] as const),
    );
    const ask = async () =>
      (
        await fleet.ask('performance/energy', caller, { plantId, each: 'day', month: '2026-06' })
      ).find(({ day }) => day === 20_260_611)!;
    expect((await ask()).missing).toBe('irradiance');

    const telemetry = createTelemetry(settledReads(db(), createSqlSeries(db())));
    const losses = createLossesLane({
      db: db(),
      clock,
      telemetry,
      caches: createFigureCaches(),
      logger: { error: (about: object) => expect(about).toBeUndefined() } as never,
      isWeatherAsked: true,
    });
    const lossesOf = async () =>
      (
        await fleet.ask('performance/losses', caller, { plantId, each: 'day', month: '2026-06' })
      ).find(({ day }) => day === 20_260_611)!;
    while ((await losses.run(runOf(db(), ''))) !== undefined);
    expect(await cells()).toMatchObject([{ latitude: 525, longitude: 134 }]);
    expect((await lossesOf()).missing).toBe('irradiance');

    const service = await serve(skyOver);
    await service.run();
    expect(service.asked.map(({ url }) => url)).toEqual([
      '/v1?lat=52.5&lon=13.4&from=2026-05-02&to=2026-06-12',
    ]);
    const told = await ask();
    expect(told).toMatchObject({ method: 'service', licence: LICENCE });
    expect(told.expectedKwh).toBeGreaterThan(40);
    expect(told.uncertaintyPercent).toBeGreaterThan(20);
    expect((await lossesOf()).expectedKwh).toBeCloseTo(told.expectedKwh!, 2);

    const station = await fleet.device(plantId, { kind: 'weather' });
    await fleet.report(
      station.sn,
      times.map(
        (at) => [at, { globalIrradianceWm2: lightAt(at), ambientTemperatureC: 20 }] as const,
      ),
    );
    const measured = await ask();
    expect(measured).toMatchObject({ method: 'global' });
    expect(measured.licence).toBeUndefined();
    expect(measured.uncertaintyPercent).toBeLessThan(12);
    // Hours tell nearly what five minutes tell under such a sky.
    expect(told.expectedKwh! / measured.expectedKwh!).toBeCloseTo(1, 1);
  });

  test('is asked once for neighbours, and again only after hours, with the tag of its answer; forecasts are not kept', async () => {
    await wantWeather(db(), BERLIN, clock.now());
    await wantWeather(db(), { latitude: 52.48, longitude: 13.43 }, clock.now());
    const service = await serve((request, response) => {
      if (request.headers['if-none-match'] === '"sky"') response.writeHead(304).end();
      else skyOver(request, response);
    });
    await service.run();
    await service.run();
    expect(service.asked).toHaveLength(1);
    const [kept, last] = [await days(), (await days()).at(-1)!];
    expect(kept).toHaveLength(43);
    const { at } = (JSON.parse(last.samples) as { at: number }[]).at(-1)!;
    expect(at).toBeLessThanOrEqual(clock.now());
    expect(at).toBeGreaterThan(clock.now() - HOUR);
    clock.at += 3 * HOUR;
    await service.run();
    clock.at += 3 * HOUR;
    await wantWeather(db(), BERLIN, clock.now());
    await service.run();
    expect(service.asked.map(({ url }) => url!.slice(url!.indexOf('from')))).toEqual([
      'from=2026-05-02&to=2026-06-12',
      'from=2026-06-10&to=2026-06-12',
      'from=2026-06-11&to=2026-06-13',
    ]);
    clock.at += 3 * HOUR;
    await service.run();
    expect(service.asked.at(-1)!.headers['if-none-match']).toBe('"sky"');
    expect((await cells())[0]!.failures).toBe(0);
    clock.at += 8 * 24 * HOUR;
    await service.run();
    expect(await cells()).toEqual([]);
  });

  test('that refuses is left alone for as long as it says, and by all', async () => {
    for (let i = 0; i < 8; i++)
      await wantWeather(db(), { latitude: 50 + i, longitude: 10 }, clock.now());
    const service = await serve((_, response) =>
      response.writeHead(429, { 'Retry-After': '7200' }).end('later'),
    );
    await service.run();
    await service.run();
    clock.at += 2 * HOUR - 1;
    await service.run();
    expect(service.asked).toHaveLength(1);
    clock.at += 1;
    await service.run();
    expect(service.asked).toHaveLength(2);
    expect((await cells()).every(({ dueAt }) => dueAt >= clock.now() + 2 * HOUR)).toBe(true);
  });

  test('is asked for a few places at a time', async () => {
    for (let i = 0; i < 8; i++)
      await wantWeather(db(), { latitude: 50 + i, longitude: 10 }, clock.now());
    const service = await serve(skyOver);
    await service.run();
    expect(service.asked).toHaveLength(5);
    await service.run();
    expect(service.asked).toHaveLength(8);
  });

  test.each<[string, Answer]>([
    ['nonsense', (_, response) => response.end('<html>')],
    ['an endless answer', (_, response) => void response.write(Buffer.alloc(5 * 1024 * 1024, 32))],
    ['a broken connection', (_, response) => response.destroy()],
    ['a redirection', (_, response) => response.writeHead(302, { Location: '/v2' }).end()],
    [
      'values that cannot be',
      (_, response) => response.end('{"hourly":{"time":[0,3600],"shortwave_radiation":[1,1e9]}}'),
    ],
  ])('that answers with %s changes nothing, and is asked later and later', async (_, answer) => {
    await wantWeather(db(), BERLIN, clock.now());
    const service = await serve(answer);
    await service.run();
    expect(await days()).toEqual([]);
    const [first] = await cells();
    expect(first).toMatchObject({ failures: 1, dueAt: clock.now() + 300_000, address: null });
    await service.run();
    expect(service.asked).toHaveLength(1);
    clock.at += 300_000;
    await service.run();
    expect(service.asked).toHaveLength(2);
    expect((await cells())[0]).toMatchObject({ failures: 2, dueAt: clock.now() + 600_000 });
    expect(service.said).toHaveLength(2);
  });

  test('within the operator’s network is not reached unless that is allowed', async () => {
    await wantWeather(db(), BERLIN, clock.now());
    const service = await serve(skyOver, []);
    await service.run();
    expect(service.asked).toEqual([]);
    expect(await cells()).toMatchObject([{ failures: 1 }]);
  });
});
