import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeEngines } from '../support/engines.ts';
import { settableClock } from '../support/world.ts';
import { createReportingWorld, type Installation } from '../telemetry/installation.ts';
import { bombs, type Bomb } from './bombs.ts';
import { openGateway } from './gateway-fixture.ts';

const PER_SECOND = 12;

describeEngines('reports that cost more to read than to send', (database) => {
  const clock = settableClock('2026-06-15T12:00:00Z');
  const world = createReportingWorld(database, clock);
  let gateway: Awaited<ReturnType<typeof openGateway>>;
  let [hostile, honest]: Installation[] = [];

  beforeAll(async () => {
    gateway = await openGateway(database().db, world.parts().ingest, clock, PER_SECOND);
    [hostile, honest] = [await world.install(), await world.install()];
  });
  afterAll(() => gateway.server.close());

  const post = (
    token: string,
    payload: Buffer | string,
    headers: Readonly<Record<string, string>>,
  ) =>
    gateway.server.inject({
      method: 'POST',
      url: '/v1/readings',
      payload,
      headers: { ...headers, authorization: `Bearer ${token}` },
    });
  const send = ({ body, headers }: Bomb) => post(hostile!.token, body, headers);
  let minute = 0;
  const sendHonest = () => {
    const reading = {
      sn: honest!.sn,
      at: clock.at - 3_600_000 + ++minute * 1000,
      values: { acPowerW: 1 },
    };
    return post(honest!.token, JSON.stringify({ readings: [reading] }), {
      'content-type': 'application/json',
    });
  };

  test('are each answered, and an honest report is never kept waiting by more than a piece of them', async () => {
    for (const bomb of bombs(hostile!.sn, clock.at)) {
      clock.at += 1000;
      let turns = 0;
      const under = { way: true };
      const count = (): void => {
        turns += 1;
        if (under.way) setImmediate(count);
      };
      count();
      const answer = await send(bomb);
      under.way = false;
      expect([bomb.name, answer.statusCode]).toEqual([bomb.name, bomb.status]);
      if (bomb.status === 200 && !bomb.name.includes('strangers'))
        expect([bomb.name, turns]).toEqual([bomb.name, expect.toSatisfy((n: number) => n > 20)]);
    }
    expect((await sendHonest()).json()).toMatchObject({ accepted: 1 });
  });

  test('of one collector are taken four at once and no more often than the limit says, while others report', async () => {
    clock.at += 10_000;
    const spaces = bombs(hostile!.sn, clock.at).find(({ name }) => name === 'nothing but spaces');
    const atOnce = await Promise.all([
      ...Array.from({ length: 12 }, () => send(spaces!)),
      sendHonest(),
    ]);
    expect(atOnce.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array(4).fill(400),
      ...Array(8).fill(429),
    ]);
    // Each refusal has waited, so that a client that repeats at once is slowed down.
    expect(gateway.pauses).toEqual(Array(8).fill(500));
    // Four times eight MiB were read: as much as 32 more reports.
    expect(await Promise.all([send(spaces!), sendHonest()])).toMatchObject([
      { statusCode: 429, headers: { 'retry-after': '3' } },
      { statusCode: 200 },
    ]);
    const refused = (await send(spaces!)).json();
    expect(refused).toMatchObject({
      success: false,
      code: '429',
      msg: expect.stringContaining('12 a second'),
      data: { retryAfterSeconds: 3 },
    });
    clock.at += 3000;
    expect([(await send(spaces!)).statusCode, (await send(spaces!)).statusCode]).toEqual([
      400, 429,
    ]);
  });
});
