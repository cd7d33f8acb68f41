import {
  createClient,
  HelioportError,
  systemClock,
  type Client,
  type ClientOptions,
} from '@helioport/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeEngines } from '../support/engines.ts';
import { startServer, type RunningServer } from './running-server.ts';

describeEngines('the client of the SDK', (database) => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer(database());
  });
  afterAll(() => server.stop());

  const client = (change: Partial<ClientOptions> = {}): Client =>
    createClient({ baseUrl: server.baseUrl, ...server.demo, ...change });
  const serialNumber = (): string => server.demo.plants[0]!.specification.inverters[0]!.sn;

  test('reads what the plants have reported', async () => {
    const inverter = await client().call('inverterDetail', { sn: serialNumber() });
    expect(inverter).toMatchObject({
      sn: serialNumber(),
      stationName: 'House in Berlin',
      pacStr: 'kW',
      collectorsn: 'HC260100001',
    });
    const today = await client().call('inverterDay', { sn: serialNumber() });
    expect(today.length).toBeGreaterThan(0);
  });

  test('goes through the pages of a list', async () => {
    const names: (string | undefined)[] = [];
    for await (const plant of client().all('userStationList', { pageSize: 1 }))
      names.push(plant.stationName);
    expect(names).toEqual([
      'House in Berlin',
      'Farm in Colorado',
      'Tea house in Kathmandu',
      'House in Sydney',
    ]);
  });

  test.each([-3_600_000, 3_600_000])(
    'works on a machine whose clock is %i ms off',
    async (offset) => {
      let sent = 0;
      const counting: typeof fetch = (...request) => {
        sent += 1;
        return fetch(...request);
      };
      const skewed = client({ clock: { now: () => systemClock.now() + offset }, fetch: counting });
      await skewed.call('userStationList');
      await skewed.call('userStationList');
      expect(sent).toBe(3);
    },
  );

  test('keeps to the rate of the server by itself', async () => {
    const shared = client();
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => shared.call('stationDetail', { nmiCode: '41030000000' })),
    );
    expect(answers.every(({ stationName }) => stationName === 'House in Sydney')).toBe(true);
  });

  test('says what to do about a refusal', async () => {
    const failure = async (
      change: Partial<ClientOptions>,
      sn = serialNumber(),
    ): Promise<HelioportError> => {
      const error: unknown = await client(change)
        .call('inverterDetail', { sn })
        .catch((reason: unknown) => reason);
      return error instanceof HelioportError
        ? error
        : expect.unreachable('the call should be refused');
    };
    expect(await failure({ keySecret: 'wrong' })).toMatchObject({
      status: 403,
      hint: expect.stringContaining('KeyID or the KeySecret is wrong'),
    });
    expect(await failure({}, 'nobody’s')).toMatchObject({
      status: 200,
      code: 'R0000',
      hint: expect.stringContaining('Check the id'),
    });
    expect((await failure({ baseUrl: server.gatewayUrl })).status).toBe(404);
  });
});
