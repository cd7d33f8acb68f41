import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createCollector,
  createMemoryBacklog,
  NotAccepted,
  openBacklog,
  openLink,
  type Backlog,
  type Collector,
  type CollectorOptions,
  type Report,
  type Setback,
} from '@helioport/collector';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { REFUSED, refusal, startGatewayDouble, type GatewayDouble } from './gateway-double.ts';

const NOW = Date.parse('2026-06-15T12:00:00Z');
const reportOf = (at: number): Report => ({
  readings: [{ sn: 'A', at, values: { acPowerW: at } }],
});

let gateway: GatewayDouble;
let clock: { at: number; now(): number };
let setbacks: Setback[];
let pauses: number[];
/** Called when the collector waits; the pause ends when it resolves. */
let onPause: () => Promise<void>;
let made: Collector[];

beforeEach(async () => {
  gateway = await startGatewayDouble();
  clock = { at: NOW, now: () => clock.at };
  [setbacks, pauses, made] = [[], [], []];
  onPause = async () => {};
});
afterEach(async () => {
  await Promise.all(made.map((one) => one.close()));
  await gateway.close();
});

function collector(options: Partial<CollectorOptions> = {}): Collector {
  const pause = async (ms: number): Promise<void> => {
    pauses.push(ms);
    await onPause();
  };
  const link = openLink({ url: gateway.url, token: 'secret-token', clock });
  const one = createCollector({
    link,
    clock,
    pause,
    onSetback: (setback) => setbacks.push(setback),
    ...options,
  });
  made.push(one);
  return one;
}

const received = (): [urgency: string, times: number[]][] =>
  gateway.reports.map(({ urgency, readings }) => [urgency, readings.map(({ at }) => at)]);

describe('a collector', () => {
  test('delivers each report as it comes, with its token, and says what became of it', async () => {
    const outcomes: unknown[] = [];
    const sent = { sentAt: NOW, urgency: 'live', authorization: 'Bearer secret-token' };
    gateway.answers.push({
      status: 200,
      body: { accepted: 0, duplicate: 0, refused: [{ index: 0, reason: 'unknown' }] },
    });
    const one = collector({
      onDelivered: (outcome, report, urgency) => outcomes.push([outcome, report, urgency]),
    });
    one.report(reportOf(1));
    await one.whenDelivered();
    one.report({ devices: [{ sn: 'A', model: 'M' }], alarms: [{ sn: 'A', code: '7', at: 2 }] });
    await one.whenDelivered();
    expect(gateway.reports).toEqual([
      { ...reportOf(1), ...sent },
      {
        readings: [],
        devices: [{ sn: 'A', model: 'M' }],
        alarms: [{ sn: 'A', code: '7', at: 2 }],
        ...sent,
      },
    ]);
    expect(outcomes).toMatchObject([
      [{ refused: [{ index: 0, reason: 'unknown' }] }, reportOf(1), 'live'],
      [{ accepted: 0 }, { alarms: [{ code: '7' }] }, 'live'],
    ]);
  });

  test('keeps reports while the gateway is away; then those of the last minute go first, and the backlog follows, oldest first, in one message', async () => {
    await gateway.goAway();
    const one = collector();
    for (const minute of [0, 1, 2, 3]) {
      clock.at = NOW + minute * 60_000;
      one.report(reportOf(minute));
    }
    const { promise: isBack, resolve: back } = Promise.withResolvers<void>();
    onPause = () => isBack;
    await expect.poll(() => setbacks.length).toBeGreaterThan(0);
    await gateway.comeBack();
    back();
    await one.whenDelivered();
    expect(received()).toEqual([
      ['live', [3]],
      ['backlog', [0, 1, 2]],
    ]);
  });

  test('puts what is reported meanwhile between the messages of a backlog', async () => {
    let isFirst = true;
    const one: Collector = collector({
      backlog: backlogOf(12_000),
      onDelivered() {
        if (isFirst) one.report(reportOf(99_999));
        isFirst = false;
      },
    });
    await one.whenDelivered();
    expect(received().map(([urgency, times]) => [urgency, times.length])).toEqual([
      ['backlog', 5000],
      ['live', 1],
      ['backlog', 5000],
      ['backlog', 2000],
    ]);
    const times = received().flatMap(([urgency, those]) => (urgency === 'backlog' ? those : []));
    expect(times).toEqual(Array.from({ length: 12_000 }, (_, i) => i));
  });

  test('waits as long as it is asked to, otherwise longer after each failure, at most a minute', async () => {
    gateway.answers.push(
      { status: 503 },
      'cut',
      { status: 500 },
      { status: 429, headers: { 'retry-after': '7' } },
      { status: 503, headers: { 'retry-after': '900' } },
    );
    const one = collector();
    one.report(reportOf(1));
    await one.whenDelivered();
    expect(received()).toHaveLength(6);
    const [first, second, third, ...asked] = pauses;
    for (const [pause, usual] of [
      [first, 500],
      [second, 1000],
      [third, 2000],
    ] as const) {
      expect(pause).toBeGreaterThanOrEqual(usual / 2);
      expect(pause).toBeLessThanOrEqual(usual * 1.5);
    }
    expect(asked).toEqual([7000, 60_000]);
    expect(setbacks.map(({ cause }) => cause)).toEqual(Array(5).fill('away'));
  });

  test.each([401, 403])('keeps what is refused with %i until it is let in', async (status) => {
    gateway.answers.push(refusal(status, 'not now'));
    const one = collector();
    one.report(reportOf(1));
    await one.whenDelivered();
    expect(setbacks).toEqual([{ cause: 'barred', reason: expect.stringContaining('not now') }]);
    expect(received()).toEqual([
      ['live', [1]],
      ['live', [1]],
    ]);
  });

  test('gives up a report that the gateway will never take, and that one alone', async () => {
    await gateway.goAway();
    const { promise: isBack, resolve: back } = Promise.withResolvers<void>();
    onPause = () => isBack;
    const one = collector();
    for (const at of [1, 2, 3]) one.report(reportOf(at));
    await expect.poll(() => setbacks.length).toBe(1);
    clock.at += 60_000;
    // The three together, then the first, then the second.
    gateway.answers.push(
      REFUSED,
      { status: 200, body: { accepted: 1, duplicate: 0, refused: [] } },
      REFUSED,
      REFUSED,
    );
    await gateway.comeBack();
    back();
    await one.whenDelivered();
    expect(received()).toEqual([
      ['backlog', [1, 2, 3]],
      ['backlog', [1]],
      ['backlog', [2, 3]],
      ['backlog', [2]],
      ['backlog', [3]],
    ]);
  });

  test.each([
    ['404 of a proxy', { status: 404, body: '<h1>Not Found</h1>' }],
    ['404 of a gateway', { status: 404, body: { success: false, code: 'E0002' } }],
    ['405', { status: 405 }],
    ['407', { status: 407 }],
    ['421', { status: 421 }],
    ['400 that is no gateway’s', { status: 400, body: { error: 'bad request' } }],
    ['400 without JSON', { status: 400, body: undefined }],
    ...[{}, null, [], 5, 'ok', { commands: [] }, { accepted: 1 }].map((body) => [
      `200 with ${JSON.stringify(body)}`,
      { status: 200, body },
    ]),
  ] as [string, Exclude<GatewayDouble['answers'][number], 'cut'>][])(
    'keeps what something else answers with %s, and pauses',
    async (_, answer) => {
      gateway.answers.push(answer, answer);
      const one = collector();
      one.report(reportOf(1));
      await one.whenDelivered();
      expect(received()).toEqual(Array.from({ length: 3 }, () => ['live', [1]]));
      expect(setbacks.map(({ cause }) => cause)).toEqual(['away', 'away']);
      expect(pauses).toHaveLength(2);
    },
  );

  test('pauses longer each time, also if it is asked not to', async () => {
    const now = { status: 503, headers: { 'retry-after': '0' } };
    gateway.answers.push(now, now, now, now);
    const one = collector();
    one.report(reportOf(1));
    await one.whenDelivered();
    for (const [i, pause] of pauses.entries()) expect(pause).toBeGreaterThanOrEqual(125 * 2 ** i);
    expect(pauses).toHaveLength(4);
  });

  test('finds out how much something on the way takes, and forgets nothing', async () => {
    await gateway.goAway();
    const { promise: isBack, resolve: back } = Promise.withResolvers<void>();
    onPause = () => isBack;
    const backlog = createMemoryBacklog();
    const one = collector({ backlog });
    for (let at = 1; at <= 16; at++) one.report(reportOf(at));
    await expect.poll(() => setbacks.length).toBe(1);
    clock.at += 60_000;
    gateway.takesAtMost = 400;
    await gateway.comeBack();
    back();
    await one.whenDelivered();
    expect(received().flatMap(([, times]) => times)).toEqual(
      Array.from({ length: 16 }, (_, i) => i + 1),
    );
    expect(received().length).toBeLessThan(16);
    expect(setbacks.length).toBeLessThan(6);
  });

  test('goes on after a fault of its own parts, and says so', async () => {
    const kept = createMemoryBacklog();
    let faults = 3;
    const one = collector({
      backlog: {
        ...kept,
        get waiting() {
          return kept.waiting;
        },
        oldest(bytes) {
          if (faults-- > 0) throw new Error('EIO: i/o error');
          return kept.oldest(bytes);
        },
      },
      onDelivered() {
        throw new Error('the caller has a fault');
      },
      onSetback(setback) {
        setbacks.push(setback);
        throw new Error('and another one');
      },
    });
    one.report(reportOf(1), 'backlog');
    await one.whenDelivered();
    expect(received()).toEqual([['backlog', [1]]]);
    expect(setbacks.map(({ cause, reason }) => [cause, reason.replace(/.*: /, '')])).toEqual([
      ...Array.from({ length: 3 }, () => ['away', 'i/o error']),
      ['away', 'the caller has a fault'],
    ]);
    expect(pauses).toHaveLength(3);
  });

  test('delivers past the backlog until it is taken, and says so when it never will be', async () => {
    gateway.answers.push({ status: 503 });
    const one = collector();
    expect(await one.deliver(reportOf(1), { urgency: 'backlog' })).toEqual({
      accepted: 1,
      duplicate: 0,
      refused: [],
    });
    expect(received()).toEqual([
      ['backlog', [1]],
      ['backlog', [1]],
    ]);
    gateway.answers.push(refusal(403, 'not in a plant'));
    const refused = await one.deliver(reportOf(2)).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(NotAccepted);
    expect(refused).toMatchObject({
      setback: { cause: 'barred' },
      message: expect.stringContaining('not in a plant'),
    });
  });

  test('that is closed leaves what waits in its backlog', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'helioport-collector-'));
    const file = join(folder, 'backlog.jsonl');
    await gateway.goAway();
    const one = collector({ backlog: openBacklog(file) });
    one.report(reportOf(1));
    await one.close();
    await gateway.comeBack();
    const next = collector({ backlog: openBacklog(file) });
    await next.whenDelivered();
    expect(received()).toEqual([['backlog', [1]]]);
    await next.close();
    made.length = 0;
    rmSync(folder, { recursive: true });
  });

  test.each([
    ['an address that is none', { url: '127.0.0.1' }, 'not an address: 127.0.0.1'],
    ['another protocol', { url: 'ftp://127.0.0.1' }, 'begins with http, https, mqtt or mqtts'],
    ['MQTT without ids', { url: 'mqtt://127.0.0.1' }, 'MQTT needs collectorId and tokenId'],
  ])('has no link to %s', (_, options, message) => {
    expect(() => openLink({ token: 't', ...options })).toThrow(message);
  });
});

/** A backlog that holds so many reports of one reading each, with times from 0. */
function backlogOf(count: number): Backlog {
  const reports = new Map(Array.from({ length: count }, (_, at) => [at + 1, reportOf(at)]));
  let last = count;
  return {
    get waiting() {
      return reports.size;
    },
    dropped: 0,
    add(report: Report) {
      reports.set(++last, report);
      return last;
    },
    oldest: () => [...reports].slice(0, 6000).map(([key, report]) => ({ key, report })),
    remove(keys: readonly number[]) {
      for (const key of keys) reports.delete(key);
    },
    close: () => {},
  };
}
