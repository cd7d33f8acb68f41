import { backfill, createCollector, createPlant, reportLive, type Reading } from '@helioport/simulator';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { berlinHouse } from './berlin-house.ts';
import { startGatewayDouble, type GatewayDouble } from './gateway-double.ts';

const startAt = Date.parse('2026-06-15T00:00Z');
const HOUR_MS = 3_600_000;
const readings: Reading[] = Array.from({ length: 7 }, (_, i) => ({ sn: 'A', at: startAt + i, values: { acPowerW: i } }));

let gateway: GatewayDouble;
let pauses: number[];
const pause = async (ms: number): Promise<void> => void pauses.push(ms);

beforeEach(async () => {
  gateway = await startGatewayDouble();
  pauses = [];
});
afterEach(() => gateway.close());

describe('a collector', () => {
  test('reports in batches with its token and adds up what the gateway says, counted from the first reading', async () => {
    gateway.answers.push(
      { status: 200, body: { accepted: 3, duplicate: 0, refused: [] } },
      { status: 200, body: { accepted: 1, duplicate: 1, refused: [{ index: 2, reason: 'unknown' }] } },
    );
    const collector = createCollector({ gatewayUrl: gateway.url, token: 'secret-token', batchSize: 3, pause });
    expect(await collector.report(readings)).toEqual({ accepted: 5, duplicate: 1, refused: [{ index: 5, reason: 'unknown' }] });
    expect(gateway.reports.map((report) => report.readings.length)).toEqual([3, 3, 1]);
    expect(gateway.reports.flatMap((report) => report.readings)).toEqual(readings);
    expect(gateway.reports[0]).toMatchObject({ authorization: 'Bearer secret-token', contentType: 'application/x-ndjson' });
  });

  test('says with its first report what its devices are, beside the readings', async () => {
    const collector = createCollector({ gatewayUrl: gateway.url, token: 't', batchSize: 4, pause });
    const devices = [{ sn: readings[0]!.sn, model: 'SIM-8K', ratedPowerW: 8000 }];
    expect(await collector.report(readings, devices)).toMatchObject({ accepted: 7 });
    expect(gateway.reports.map(({ contentType, devices: sent, readings: { length } }) => [contentType, sent, length])).toEqual([
      ['application/json', devices, 4],
      ['application/x-ndjson', undefined, 3],
    ]);
  });

  test('repeats the same report, with growing pauses, until it is acknowledged', async () => {
    gateway.answers.push({ status: 503 }, 'cut', { status: 500 }, { status: 429, headers: { 'retry-after': '7' } });
    const collector = createCollector({ gatewayUrl: gateway.url, token: 't', pause });
    expect(await collector.report(readings)).toMatchObject({ accepted: 7 });
    expect(gateway.reports).toHaveLength(5);
    for (const report of gateway.reports) expect(report.readings).toEqual(readings);
    expect(pauses).toEqual([500, 1000, 2000, 7000]);
  });

  test('gives up at once when the gateway refuses the report as such', async () => {
    gateway.answers.push({ status: 401, body: { msg: 'unknown token' } });
    const collector = createCollector({ gatewayUrl: gateway.url, token: 'wrong', pause });
    await expect(collector.report(readings)).rejects.toMatchObject({ status: 401, message: expect.stringContaining('unknown token') });
    expect(gateway.reports).toHaveLength(1);
  });

  test('is not made for what is no address', () => {
    expect(() => createCollector({ gatewayUrl: '127.0.0.1', token: 't' })).toThrow('not a URL: 127.0.0.1');
  });

  test('ends with the reason of its signal while it waits', async () => {
    gateway.answers.push({ status: 503 });
    const abort = new AbortController();
    const collector = createCollector({
      gatewayUrl: gateway.url,
      token: 't',
      signal: abort.signal,
      pause: async () => abort.abort(new Error('stopped')),
    });
    await expect(collector.report(readings)).rejects.toThrow('stopped');
  });
});

describe('a backfill', () => {
  test('reports every state from its beginning, all plants by turns', async () => {
    const entry = (token: string, seed: number) => ({
      plant: createPlant({ ...berlinHouse, seed }, startAt - 24 * HOUR_MS),
      collector: createCollector({ gatewayUrl: gateway.url, token, pause }),
    });
    const sum = await backfill([entry('one', 1), entry('two', 2)], startAt, startAt + 24 * HOUR_MS);
    expect(sum).toEqual({ accepted: 2 * 4 * 289, duplicate: 0, refused: 0 });
    expect(gateway.reports.slice(0, 4).map(({ authorization }) => authorization)).toEqual(['Bearer one', 'Bearer two', 'Bearer one', 'Bearer two']);
    const times = gateway.reports.filter(({ authorization }) => authorization === 'Bearer one').flatMap((report) => report.readings.map(({ at }) => at));
    expect([Math.min(...times), Math.max(...times)]).toEqual([startAt, startAt + 24 * HOUR_MS]);
  });
});

describe('live reporting', () => {
  test('reports each step when its time has come and makes up for missed ones, until it is stopped', async () => {
    let now = startAt;
    const stop = new AbortController();
    const waits: number[] = [];
    const jumps = [300_000, 120_000, 180_000, 3 * 300_000];
    await reportLive([{ plant: createPlant(berlinHouse, startAt), collector: createCollector({ gatewayUrl: gateway.url, token: 't', pause }) }], {
      clock: { now: () => now },
      pause: async (ms) => {
        waits.push(ms);
        const jump = jumps.shift();
        if (jump !== undefined) return void (now += jump);
        stop.abort();
        throw stop.signal.reason;
      },
      signal: stop.signal,
    });
    expect(waits).toEqual([300_000, 300_000, 180_000, 300_000, 300_000]);
    const times = gateway.reports.flatMap((report) => report.readings.filter(({ sn }) => sn === 'STRING1').map(({ at }) => (at - startAt) / 300_000));
    expect(times).toEqual([0, 1, 2, 3, 4, 5]);
  });
});
