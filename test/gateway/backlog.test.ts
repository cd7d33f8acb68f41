import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { presence } from '../../packages/server/src/fleet/plants/presence.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock } from '../support/world.ts';
import { createReportingWorld, type Installation } from '../telemetry/installation.ts';
import { openGateway } from './gateway-fixture.ts';

describeEngines('a backlog at the gateway', (database) => {
  const clock = settableClock('2026-06-15T12:00:00Z');
  const world = createReportingWorld(database, clock);
  let gateway: Awaited<ReturnType<typeof openGateway>>;
  let device: Installation;
  beforeAll(async () => {
    gateway = await openGateway(database().db, world.parts().ingest, clock);
    device = await world.install();
    await database()
      .db.updateTable('device')
      .set({ state: presence.offline })
      .where('sn', '=', device.sn)
      .execute();
  });
  afterAll(() => gateway.server.close());

  async function post(query: string, document: object): Promise<{ status: number; body: unknown }> {
    const headers = { authorization: `Bearer ${device.token}`, 'content-type': 'application/json' };
    const answer = await gateway.server.inject({
      method: 'POST',
      url: `/v1/readings${query}`,
      payload: JSON.stringify(document),
      headers,
    });
    return { status: answer.statusCode, body: answer.json() };
  }
  const report = (minutesAgo: number, id?: unknown): object => ({
    id,
    readings: [{ sn: device.sn, at: clock.now() - minutesAgo * 60_000, values: { acPowerW: 1 } }],
  });
  const state = async (): Promise<number> =>
    (
      await database()
        .db.selectFrom('device')
        .select('state')
        .where('sn', '=', device.sn)
        .executeTakeFirstOrThrow()
    ).state;

  test('is stored and turns no device online; a live report does', async () => {
    expect(await post('?backlog=true', report(1))).toEqual({
      status: 200,
      body: { accepted: 1, duplicate: 0, refused: [] },
    });
    expect(await state()).toBe(presence.offline);
    expect(await post('?backlog=false', report(0))).toMatchObject({
      status: 200,
      body: { accepted: 1 },
    });
    expect(await state()).toBe(presence.online);
  });

  test.each(['?backlog=yes', '?backlog=', '?backlog=true&backlog=false'])(
    'is refused as %s',
    async (query) => {
      expect(await post(query, report(2))).toMatchObject({
        status: 400,
        body: { code: '400', msg: 'backlog must be true or false, once' },
      });
    },
  );

  test('or any report may have an id, which the answer repeats', async () => {
    expect(await post('', report(3, 'r-17'))).toEqual({
      status: 200,
      body: { id: 'r-17', accepted: 1, duplicate: 0, refused: [] },
    });
    for (const id of [17, '', 'x'.repeat(65), 'é', null, {}]) {
      expect(await post('', report(4, id))).toMatchObject({
        status: 400,
        body: { msg: 'id must be text of 1 to 64 printable ASCII characters' },
      });
    }
  });

  test('waits for no bodies that others hold back, which are refused for now', async () => {
    await gateway.server.listen({ port: 0, host: '127.0.0.1' });
    const { port } = gateway.server.server.address() as AddressInfo;
    const idlers = Array.from({ length: 20 }, () => {
      const socket = connect(port, '127.0.0.1');
      let answer = '';
      socket.on('data', (data) => (answer += data.toString()));
      socket.write(
        `POST /v1/readings?backlog=true HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${device.token}\r\n` +
          'Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n{"readings":',
      );
      return { socket, answer: () => answer };
    });
    const others = await world.install();
    const send = async (): Promise<number> => {
      const { status } = await fetch(`http://127.0.0.1:${port}/v1/readings?backlog=true`, {
        method: 'POST',
        headers: { authorization: `Bearer ${others.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          readings: [{ sn: others.sn, at: clock.now() - 600_000, values: { acPowerW: 2 } }],
        }),
      });
      return status;
    };
    expect(await send()).toBe(200);
    await expect.poll(() => idlers.some(({ answer }) => answer() !== '')).toBe(true);
    for (const { answer } of idlers)
      if (answer() !== '') {
        expect(answer()).toMatch(/^HTTP\/1\.1 429 /);
        expect(answer()).toMatch(/retry-after: 5/i);
      }
    for (const { socket } of idlers) socket.destroy();
    // Places are given back.
    expect(await Promise.all(Array.from({ length: 20 }, send))).toEqual(Array(20).fill(200));
  });
});
