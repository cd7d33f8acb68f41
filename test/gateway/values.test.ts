import { quantities, type QuantityName } from '@helioport/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listCollectorRefusals } from '../../packages/server/src/fleet/collectors/refusals.ts';
import { readingBounds } from '../../packages/server/src/measurements/energy/bounds.ts';
import { describeSeriesEngines } from '../support/engines.ts';
import { createReportingWorld, type Installation } from '../telemetry/installation.ts';
import { openGateway } from './gateway-fixture.ts';

describeSeriesEngines('a value that cannot be', (database, seriesOf) => {
  const world = createReportingWorld(database, undefined, seriesOf);
  const at = Date.parse('2026-06-15T06:00:00Z');
  let gateway: Awaited<ReturnType<typeof openGateway>>;
  let device: Installation;

  beforeAll(async () => {
    gateway = await openGateway(database().db, world.parts().ingest);
    device = await world.install();
  });
  afterAll(() => gateway.server.close());

  const post = async (payload: string, from = device, type = 'application/json') => {
    const answer = await gateway.server.inject({
      method: 'POST',
      url: '/v1/readings',
      payload,
      headers: { authorization: `Bearer ${from.token}`, 'content-type': type },
    });
    return answer.json();
  };
  const report = (values: object[], from = device): string =>
    JSON.stringify({
      readings: values.map((one, i) => ({ sn: from.sn, at: at + i * 1_000, values: one })),
    });
  const stored = async (from: Installation) =>
    (
      await world.parts().telemetry.readingsBetween(database().db, from.series, at, at + 86_400_000)
    ).map(({ values }) => values);

  const notWithin = (quantity: string, from: number, to: number, unit: string) => ({
    quantity,
    reason: `not within ${from} to ${to} ${unit}`,
  });

  test('is dropped alone and named, and the others are stored', async () => {
    const own = await world.install();
    const answer = await post(
      report(
        [
          { batterySocPercent: 6553.5, batterySohPercent: -903, acPowerW: 100 },
          { gridFrequencyHz: 655.35, temperatureC: 6553.5, acPowerW: 200 },
          { acPowerW: null, gridFrequencyHz: 50 },
          { acPowerW: 300 },
          { batterySocPercent: 100.1 },
        ],
        own,
      ),
      own,
    );
    expect(answer).toEqual({
      accepted: 4,
      duplicate: 0,
      refused: [{ index: 4, reason: 'batterySocPercent is not within 0 to 100 %' }],
      dropped: [
        { index: 0, ...notWithin('batterySocPercent', 0, 100, '%') },
        { index: 0, ...notWithin('batterySohPercent', 0, 110, '%') },
        { index: 1, ...notWithin('gridFrequencyHz', 0, 70, 'Hz') },
        { index: 1, ...notWithin('temperatureC', -60, 200, '°C') },
        { index: 2, quantity: 'acPowerW', reason: 'not a finite number' },
      ],
    });
    expect(await stored(own)).toEqual([
      { acPowerW: 100 },
      { acPowerW: 200 },
      { gridFrequencyHz: 50 },
      { acPowerW: 300 },
    ]);
    const again = await post(report([{ batterySocPercent: 6553.5, acPowerW: 100 }], own), own);
    expect(again).toMatchObject({ accepted: 0, duplicate: 1, dropped: [{ index: 0 }] });
  });

  test('is counted where the collector is shown', async () => {
    const own = await world.install();
    for (const batterySocPercent of [6553.5, 255, -1])
      await post(report([{ batterySocPercent, acPowerW: 100 }], own), own);
    expect(await listCollectorRefusals(database().db, own.collectorId, 10)).toMatchObject([
      {
        sn: own.sn,
        reason: 'batterySocPercent was dropped: not within 0 to 100 %',
        count: 3,
      },
    ]);
  });

  test('replaces none that could be', async () => {
    const own = await world.install();
    await post(report([{ batterySocPercent: 50 }], own), own);
    await post(report([{ batterySocPercent: 6553.5, acPowerW: 1 }], own), own);
    expect(await stored(own)).toEqual([{ batterySocPercent: 50, acPowerW: 1 }]);
  });

  test('of a report with ten thousand is named a thousand times, and counted', async () => {
    const own = await world.install();
    const answer = await post(
      report(
        Array.from({ length: 10_000 }, () => ({ acPowerW: 1, batterySocPercent: 6553.5 })),
        own,
      ),
      own,
    );
    expect(answer).toMatchObject({ accepted: 10_000, refused: [], droppedCount: 10_000 });
    expect(answer.dropped.map(({ index }: { index: number }) => index)).toEqual(
      Array.from({ length: 1_000 }, (_, i) => i),
    );
  });

  describe('of any quantity', () => {
    const names = [...quantities.keys()].filter((name) => name !== 'acVoltage1V');
    const boundsOf = (name: string): readonly [number, number] =>
      readingBounds(name as QuantityName, {
        kind: 'inverter',
        ratedPowerW: 10_000,
        capacityKwp: 10,
      });
    const all = (valueOf: (name: string) => unknown): object => ({
      acVoltage1V: 230,
      ...Object.fromEntries(names.map((name) => [name, valueOf(name)])),
    });
    const beyond = (value: number): number =>
      value + Math.sign(value || -1) * (1 + Math.abs(value));

    test.each<[string, (name: string) => unknown]>([
      ['a little below the least', (name) => boundsOf(name)[0] - 4],
      ['far above the most', (name) => beyond(boundsOf(name)[1])],
      ['the largest of all numbers', () => Number.MAX_VALUE],
      ['the smallest of all numbers', () => -Number.MAX_VALUE],
      ['null', () => null],
      ['a text', () => '5'],
      ['a list', () => []],
      ['true', () => true],
    ])('is dropped: %s', async (_, valueOf) => {
      const own = await world.install();
      const answer = await post(report([all(valueOf)], own), own);
      expect(answer).toMatchObject({ accepted: 1, refused: [] });
      expect(
        answer.dropped.map(({ quantity }: { quantity: string }) => quantity).toSorted(),
      ).toEqual(names.toSorted());
      expect(await stored(own)).toEqual([{ acVoltage1V: 230 }]);
    });

    test('is stored at its bounds', async () => {
      const own = await world.install();
      const ends = [0, 1].map((end) => all((name) => boundsOf(name)[end]));
      expect(await post(report(ends, own), own)).toEqual({
        accepted: 2,
        duplicate: 0,
        refused: [],
      });
      expect(await stored(own)).toEqual(ends);
    });
  });

  test('may be written NaN or Infinity, which is no JSON', async () => {
    const one = (value: string, minute: number): string =>
      `{"sn":"${device.sn}","at":${at + minute * 60_000},"values":{"acPowerW":1,"dcPowerW":${value}}}`;
    const written = ['NaN', 'Infinity', '-Infinity', 'nan', '-nan', 'inf', '-inf', '1e999'];
    const dropped = written.map((_, index) => ({
      index,
      quantity: 'dcPowerW',
      reason: 'not a finite number',
    }));
    expect(await post(`{"readings":[${written.map(one).join(', ')}]}`)).toEqual({
      accepted: 8,
      duplicate: 0,
      refused: [],
      dropped,
    });
    expect(await post(written.map(one).join('\n'), device, 'application/x-ndjson')).toEqual({
      accepted: 0,
      duplicate: 8,
      refused: [],
      dropped,
    });
    // In a text, it is a text.
    const alarm = { sn: device.sn, code: 'NaN', at, level: 1, message: 'inf "NaN" \\' };
    const beside = JSON.stringify({ alarms: [alarm] }).slice(1);
    expect(await post(`{"note":NaN,"readings":[${one('NaN', 60)}],${beside}`)).toMatchObject({
      accepted: 1,
      alarms: { accepted: 1 },
    });
  });

  test('beside the lists leaves the readings alone', async () => {
    const minute = 120;
    const own = await world.install();
    const readings = JSON.parse(report([{ acPowerW: minute }], own)).readings;
    const odd = { sentAt: 'yesterday', alarms: null, devices: 5, offline: 0, more: [{}] };
    expect(await post(JSON.stringify({ ...odd, readings }), own)).toEqual({
      accepted: 1,
      duplicate: 0,
      refused: [],
      devices: {
        accepted: 0,
        duplicate: 0,
        refused: [{ index: 0, reason: 'devices must be a list' }],
      },
    });
  });
});
