import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeEngines } from '../support/engines.ts';
import { settableClock } from '../support/world.ts';
import { createReportingWorld } from '../telemetry/installation.ts';
import { openGateway } from './gateway-fixture.ts';

describeEngines('a token that no collector has', (database) => {
  const clock = settableClock('2026-06-15T12:00:00Z');
  const world = createReportingWorld(database, clock);
  let gateway: Awaited<ReturnType<typeof openGateway>>;
  beforeAll(async () => {
    gateway = await openGateway(database().db, world.parts().ingest, clock, null, undefined, 10);
  });
  afterAll(() => gateway.server.close());

  const ask = async (
    authorization: string | undefined,
    remoteAddress: string,
    url = '/v1/readings',
  ): Promise<{ status: number; retryAfter: unknown }> => {
    const { statusCode, headers } = await gateway.server.inject({
      method: url === '/v1/commands' ? 'GET' : 'POST',
      url,
      ...(url === '/v1/commands' ? {} : { payload: '{"readings":[],"results":[]}' }),
      headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
      remoteAddress,
    });
    return { status: statusCode, retryAfter: headers['retry-after'] };
  };
  const statuses = async (asked: readonly Promise<{ status: number }>[]): Promise<number[]> =>
    (await Promise.all(asked)).map(({ status }) => status);

  test('is limited by network, late, while valid ones beside it are served', async () => {
    const { token } = await world.install();
    const paths = ['/v1/readings', '/v1/commands', '/v1/results'];
    const all = await statuses(
      Array.from({ length: 30 }, (_, i) => ask(`Bearer guess-${i}`, '203.0.113.5', paths[i % 3])),
    );
    expect(all.filter((status) => status === 401)).toHaveLength(10);
    expect(all.filter((status) => status === 429)).toHaveLength(20);
    expect(gateway.pauses).toHaveLength(20);
    expect((await ask('Bearer guess', '203.0.113.5')).retryAfter).toMatch(/^[1-9]\d*$/);
    // The same network, with a token that somebody has.
    expect(
      await statuses(Array.from({ length: 20 }, () => ask(`Bearer ${token}`, '203.0.113.5'))),
    ).toEqual(Array(20).fill(200));
    // Another network, and this one later.
    expect((await ask('Bearer guess', '203.0.113.6')).status).toBe(401);
    clock.at += 60_000;
    expect((await ask('Bearer guess', '203.0.113.5')).status).toBe(401);
  });

  test('counts with a missing one, and an IPv6 network as a whole', async () => {
    const all = await statuses(
      Array.from({ length: 12 }, (_, i) => ask(i % 2 ? undefined : 'Basic x', `2001:db8::${i}`)),
    );
    expect(all.filter((status) => status === 429)).toHaveLength(2);
  });
});
