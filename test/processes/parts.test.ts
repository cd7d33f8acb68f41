import { setImmediate as nextTurn } from 'node:timers/promises';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { createBucketDesk } from '../../packages/server/src/processes/bucket-desk.ts';
import type { Upward } from '../../packages/server/src/processes/messages.ts';
import { createMetricsSum } from '../../packages/server/src/processes/metrics-sum.ts';
import { createBucketClient } from '../../packages/server/src/processes/shared-buckets.ts';
import { settableClock } from '../support/world.ts';

describe('buckets of several processes', () => {
  const clock = settableClock(0);

  /** A desk and clients, with messages that arrive a turn later, as text. */
  function connected(count: number) {
    const desk = createBucketDesk(clock);
    const messages: number[] = [];
    const clients = Array.from({ length: count }, (_, i) => {
      messages.push(0);
      const client = createBucketClient(async (message) => {
        messages[i]! += 1;
        const upward = JSON.parse(JSON.stringify(message)) as Upward;
        await nextTurn();
        if (upward.kind === 'open') return desk.open(upward.name, upward.rate);
        if (upward.kind !== 'ask') return;
        const answers = desk.answer(upward.questions);
        await nextTurn();
        client.take(answers);
      });
      return client;
    });
    return { clients, messages };
  }

  test('grant together exactly what one bucket has, and say what is left in all', async () => {
    const { clients, messages } = connected(3);
    const buckets = clients.map((client) =>
      client.open('key list', { capacity: 40, refillPerSecond: 40 }),
    );
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, i) => buckets[i % 3]!.take('one')),
    );
    const granted = answers.filter((one) => one.granted);
    expect(granted).toHaveLength(40);
    expect(granted.map(({ remaining }) => remaining).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 40 }, (_, i) => i),
    );
    expect(answers.every(({ remaining }) => remaining >= 0)).toBe(true);
    // What is asked in one turn is one message, besides the one that opened the buckets.
    expect(messages).toEqual([2, 2, 2]);
    clock.at += 100;
    const later = await Promise.all(
      [...buckets, ...buckets].map(async (one) => (await one.take('one')).granted),
    );
    expect(later.filter((one) => one)).toHaveLength(4);
  });

  test('owe together what was charged, and tell peekers apart from takers', async () => {
    const { clients } = connected(2);
    const [mine, other] = clients.map((client) =>
      client.open('reports', { capacity: 2, refillPerSecond: 1 }),
    ) as [ReturnType<(typeof clients)[0]['open']>, ReturnType<(typeof clients)[0]['open']>];
    const left = async (answer: ReturnType<typeof mine.take>): Promise<number> =>
      (await answer).remaining;
    const answers = [left(mine.peek('one')), left(mine.take('one'))];
    mine.charge('one');
    mine.charge('one');
    answers.push(left(mine.peek('one')));
    expect(await Promise.all(answers)).toEqual([2, 1, -1]);
    expect(await other.take('one')).toMatchObject({ granted: false, retryAfterSeconds: 2 });
    expect(await other.take('another')).toMatchObject({ granted: true });
  });

  test('stay as they are when a process that was started again opens them', async () => {
    const { clients } = connected(2);
    const rate = { capacity: 1, refillPerSecond: 1 };
    expect(await clients[0]!.open('key list', rate).take('one')).toMatchObject({ granted: true });
    expect(await clients[1]!.open('key list', rate).take('one')).toMatchObject({ granted: false });
  });

  test('answer each turn of the event loop with what was asked in it', async () => {
    const { clients } = connected(1);
    const buckets = clients[0]!.open('key list', { capacity: 3, refillPerSecond: 1 });
    const first = buckets.take('one');
    await nextTurn();
    const second = [buckets.take('one'), buckets.take('one')];
    const answers = await Promise.all([first, ...second]);
    expect(answers.map(({ remaining }) => remaining)).toEqual([2, 1, 0]);
  });
});

describe('metrics of several processes', () => {
  function counting() {
    const registry = new Registry();
    const registers = [registry];
    return {
      registry,
      requests: new Counter({
        name: 'requests_total',
        help: 'h',
        labelNames: ['code', 'door'],
        registers,
      }),
      seconds: new Histogram({
        name: 'seconds',
        help: 'h',
        labelNames: ['listener'],
        buckets: [1],
        registers,
      }),
      memory: new Gauge({ name: 'memory', help: 'h', registers }),
      waiting: new Gauge({ name: 'waiting', help: 'h', registers, aggregator: 'max' }),
    };
  }

  test('are put together, and no counter goes back when a process ends', async () => {
    const sum = createMetricsSum();
    const lines = async (): Promise<string[]> =>
      (await sum.sum().metrics()).split('\n').filter((line) => /^[a-z]/.test(line));
    for (const [pid, times] of [
      [1, 1],
      [2, 2],
      [3, 3],
    ] as const) {
      const { registry, requests, seconds, memory, waiting } = counting();
      // Labels come in the order in which a process got them.
      requests.inc(times === 3 ? { door: 'user', code: '0' } : { code: '0', door: 'user' }, times);
      requests.inc({ code: '1', door: 'user' }, 2 * times);
      seconds.observe({ listener: 'oauth' }, times);
      memory.set(10);
      waiting.set(7);
      sum.take(pid, await registry.getMetricsAsJSON());
    }
    const counted = [
      'requests_total{code="0",door="user"} 6',
      'requests_total{code="1",door="user"} 12',
      'seconds_bucket{le="1",listener="oauth"} 1',
      'seconds_bucket{le="+Inf",listener="oauth"} 3',
      'seconds_sum{listener="oauth"} 6',
      'seconds_count{listener="oauth"} 3',
    ];
    expect(await lines()).toEqual([...counted, 'memory 30', 'waiting 7']);
    sum.ended(2);
    sum.ended(3);
    expect((await lines()).toSorted()).toEqual([...counted, 'memory 10', 'waiting 7'].toSorted());
  });
});
