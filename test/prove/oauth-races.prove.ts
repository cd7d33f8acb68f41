import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../packages/server/src/platform/kernel/clock.ts';
import { addClient, createRunning, type RunningOauth, type TestClient } from '../oauth/fixture.ts';
import { startInstances, type Instance, type Reply } from '../oauth/instances.ts';
import { effort } from '../support/effort.ts';
import { describeEngines } from '../support/engines.ts';
import { createWorld } from '../support/world.ts';

const ROUNDS = effort(4, 500);

/** What became of all rounds of a cell. */
interface Tally {
  rounds: number;
  otherThanOneWinner: number;
  deadWinners: number;
  serverErrors: number;
  strangeLosers: number;
}

describeEngines('racing for one code and one refresh token', (database) => {
  const clock = { at: 0, now: systemClock.now };
  const world = createWorld(database, clock);
  let instances: Instance[];
  let client: TestClient;
  let running: RunningOauth;

  beforeAll(async () => {
    instances = await startInstances(database().address, 3);
    client = await addClient(world);
    running = createRunning({
      clock,
      world,
      database,
      oauth: () => ({ url: instances[0]!.url }) as never,
    });
  });
  afterAll(() => Promise.all(instances.map((instance) => instance.stop())));

  describe.each([1, 2, 3])('on %i instances', (count) => {
    test.each([2, 8, 32])('%i racers: one wins, and its tokens live (O41, O54)', async (racers) => {
      const owner = await world.person();
      const tally: Tally = {
        rounds: 0,
        otherThanOneWinner: 0,
        deadWinners: 0,
        serverErrors: 0,
        strangeLosers: 0,
      };
      const race = async (fields: Record<string, string>): Promise<Reply | undefined> => {
        const asked = Array.from({ length: racers }, (_, racer) =>
          instances[racer % count]!.post('/oauth/token', client, fields),
        );
        return judge(await Promise.all(asked), tally);
      };
      const isActive = async (token: string, instance: Instance): Promise<boolean> =>
        (await instance.post('/oauth/introspect', client, { token })).body.active;

      for (let round = 0; round < ROUNDS; round++) {
        const code = await running.code(client, { owner });
        const exchanged = await race({
          grant_type: 'authorization_code',
          code,
          redirect_uri: client.application.redirectUri,
        });
        const refreshed =
          exchanged &&
          (await race({
            grant_type: 'refresh_token',
            refresh_token: exchanged.body.refresh_token,
          }));
        const elsewhere = instances[(round + 1) % count]!;
        if (
          !refreshed ||
          !(await isActive(refreshed.body.access_token, elsewhere)) ||
          !(await isActive(refreshed.body.refresh_token, elsewhere))
        )
          tally.deadWinners++;
        if (exchanged && (await isActive(exchanged.body.access_token, elsewhere)))
          tally.otherThanOneWinner++;
      }
      expect(tally).toEqual({
        rounds: ROUNDS * 2,
        otherThanOneWinner: 0,
        deadWinners: 0,
        serverErrors: 0,
        strangeLosers: 0,
      });
    });
  });
});

function judge(answers: Reply[], tally: Tally): Reply | undefined {
  const winners = answers.filter(({ status }) => status === 200);
  tally.rounds++;
  if (winners.length !== 1) tally.otherThanOneWinner++;
  tally.serverErrors += answers.filter(({ status }) => status >= 500).length;
  tally.strangeLosers += answers.filter(
    ({ status, body }) => status !== 200 && !(status === 400 && body?.error === 'invalid_grant'),
  ).length;
  return winners[0];
}
