import { NotAccepted, openLink, type Clock, type Pause } from '@helioport/collector';
import {
  backfill,
  createSite,
  reportLive,
  type Site,
  type SiteOptions,
} from '@helioport/simulator';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { refusal, startGatewayDouble, type GatewayDouble } from '../collector/gateway-double.ts';
import { berlinHouse } from './berlin-house.ts';

const startAt = Date.parse('2026-06-15T00:00Z');
const HOUR_MS = 3_600_000;

let gateway: GatewayDouble;
let sites: Site[];

beforeEach(async () => {
  gateway = await startGatewayDouble();
  sites = [];
});
afterEach(async () => {
  await Promise.all(sites.map(({ collector }) => collector.close()));
  await gateway.close();
});

function site(token: string, options: Partial<SiteOptions> = {}): Site {
  const made = createSite({
    specification: berlinHouse,
    startAt,
    link: openLink({ url: gateway.url, token }),
    pause: async () => {},
    ...options,
  });
  sites.push(made);
  return made;
}

describe('a backfill', () => {
  test('reports every state from its beginning, all plants by turns', async () => {
    const from = { startAt: startAt - 24 * HOUR_MS };
    const sum = await backfill(
      [site('one', from), site('two', from)],
      startAt,
      startAt + 24 * HOUR_MS,
    );
    expect(sum).toEqual({ accepted: 2 * 4 * 289, duplicate: 0, refused: 0 });
    expect(gateway.reports.slice(0, 4).map(({ authorization }) => authorization)).toEqual([
      'Bearer one',
      'Bearer two',
      'Bearer one',
      'Bearer two',
    ]);
    const times = gateway.reports
      .filter(({ authorization }) => authorization === 'Bearer one')
      .flatMap((report) => report.readings.map(({ at }) => at));
    expect([Math.min(...times), Math.max(...times)]).toEqual([startAt, startAt + 24 * HOUR_MS]);
  });

  test('says with its first report what its devices are', async () => {
    await backfill([site('one')], startAt + HOUR_MS, startAt + 24 * HOUR_MS);
    expect(
      gateway.reports.map(({ devices }) =>
        devices?.map(({ sn, kind, model, displayVersion }) => [sn, kind, model, displayVersion]),
      ),
    ).toEqual([
      [
        ['STORAGE1', 'inverter', 'SIM-8K-ES', '4b00'],
        ['STRING1', 'inverter', 'SIM-3K', undefined],
        ['METER1', 'ammeter', undefined, undefined],
        ['WEATHER1', 'weather', undefined, undefined],
      ],
      undefined,
    ]);
  });

  test('gives up at once when the gateway refuses the report as such', async () => {
    gateway.answers.push(refusal(401, 'unknown token'));
    const failed = await backfill([site('wrong')], startAt, startAt + HOUR_MS).catch(
      (error: unknown) => error,
    );
    expect(failed).toBeInstanceOf(NotAccepted);
    expect((failed as Error).message).toContain('unknown token');
    expect(gateway.reports).toHaveLength(1);
  });

  test('ends with the reason of its signal while it waits', async () => {
    gateway.answers.push({ status: 503 });
    const abort = new AbortController();
    const pause: Pause = async () => abort.abort(new Error('stopped'));
    await expect(
      backfill([site('t', { pause })], startAt, startAt + HOUR_MS, { signal: abort.signal }),
    ).rejects.toThrow('stopped');
  });
});

test('a clock that is off shows in when reports say that they were sent', async () => {
  const clock = { now: () => startAt };
  const scenarios = [
    { kind: 'clock-drift', seconds: 90, fromAt: startAt, untilAt: Infinity },
  ] as const;
  const link = openLink({ url: gateway.url, token: 't', clock });
  for (const made of [site('t', { link, clock }), site('t', { link, clock, scenarios })])
    await backfill([made], startAt, startAt);
  expect(gateway.reports.map(({ sentAt }) => sentAt! - startAt)).toEqual([0, 90_000]);
});

describe('live reporting', () => {
  /** Runs as long as there are jumps of time; resolves to how long it waited for each. */
  async function run(
    made: Site,
    clock: { at: number },
    jumps: number[],
    between = async (): Promise<void> => {},
  ): Promise<number[]> {
    const stop = new AbortController();
    const waits: number[] = [];
    const pause: Pause = async (ms) => {
      waits.push(ms);
      await between();
      const jump = jumps.shift();
      if (jump !== undefined) return void (clock.at += jump);
      stop.abort();
      throw stop.signal.reason;
    };
    await reportLive([made], { clock: { now: () => clock.at }, pause, signal: stop.signal });
    return waits;
  }

  test('reports each step when its time has come and makes up for missed ones, until it is stopped', async () => {
    const clock = { at: startAt };
    const made = site('t');
    const waits = await run(made, clock, [300_000, 120_000, 180_000, 3 * 300_000], () =>
      made.collector.whenDelivered(),
    );
    expect(waits).toEqual([300_000, 300_000, 180_000, 300_000, 300_000]);
    const times = gateway.reports.flatMap((report) =>
      report.readings
        .filter(({ sn }) => sn === 'STRING1')
        .map(({ at }) => (at - startAt) / 300_000),
    );
    expect(times).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('goes on while the way to the server is broken, and reports what was kept as such', async () => {
    const clock = { at: startAt };
    const real: Clock = { now: () => clock.at };
    const scenarios = [
      { kind: 'link-loss', fromAt: startAt + 1, untilAt: startAt + 900_000 },
    ] as const;
    const { promise: isBack, resolve: comeBack } = Promise.withResolvers<void>();
    const made = site('t', { scenarios, clock: real, pause: () => isBack });
    await run(made, clock, [300_000, 300_000, 300_000], async () => {
      if (clock.at < startAt + 900_000) return;
      comeBack();
      await made.collector.whenDelivered();
    });
    const reported = gateway.reports.map(({ urgency, readings }) => [
      urgency,
      readings.filter(({ sn }) => sn === 'STRING1').map(({ at }) => (at - startAt) / 300_000),
    ]);
    expect(reported).toEqual([
      ['live', [0]],
      ['live', [3]],
      ['backlog', [1, 2]],
    ]);
  });
});
