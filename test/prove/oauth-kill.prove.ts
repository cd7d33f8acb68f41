import { once } from 'node:events';
import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { systemClock } from '../../packages/server/src/platform/kernel/clock.ts';
import { addClient, createRunning, type TestClient } from '../oauth/fixture.ts';
import { startInstance, type Instance } from '../oauth/instances.ts';
import { effort } from '../support/effort.ts';
import { describeEngines } from '../support/engines.ts';
import { createWorld } from '../support/world.ts';

const KILLS = effort(3, 50);

describeEngines('kill -9 during refresh', (database) => {
  const clock = { at: 0, now: systemClock.now };
  const world = createWorld(database, clock);
  const running = createRunning({ clock, world, database, oauth: () => ({ url: '' }) as never });

  const isActive = async (
    instance: Instance,
    client: TestClient,
    token: string,
  ): Promise<boolean> => (await instance.post('/oauth/introspect', client, { token })).body.active;

  test('never leaves two living pairs, and never loses one that was acknowledged', async () => {
    const client = await addClient(world);
    const survivor = await startInstance(database().address);
    for (let kill = 0; kill < KILLS; kill++) {
      const victim = await startInstance(database().address);
      const code = await running.code(client);
      const first = await victim.post('/oauth/token', client, {
        grant_type: 'authorization_code',
        code,
        redirect_uri: client.application.redirectUri,
      });
      const acknowledged = [first.body];
      const killed = once(victim.process, 'exit');
      const after = randomInt(2, 40);
      const killing = setTimeout(() => victim.process.kill('SIGKILL'), after);
      let key = '';
      for (;;) {
        key = `kill-${kill}-${acknowledged.length}-0123456789`;
        const answer = await victim
          .post(
            '/oauth/token',
            client,
            { grant_type: 'refresh_token', refresh_token: acknowledged.at(-1).refresh_token },
            { 'Idempotency-Key': key },
          )
          .catch(() => undefined);
        if (!answer || answer.status !== 200) break;
        acknowledged.push(answer.body);
      }
      await killed;
      clearTimeout(killing);

      // What was issued before the last acknowledged pair is dead.
      for (const { access_token, refresh_token } of acknowledged.slice(0, -1).slice(-5)) {
        expect(await isActive(survivor, client, access_token)).toBe(false);
        expect(await isActive(survivor, client, refresh_token)).toBe(false);
      }
      // The last one lives, or the refresh that was cut replaced it: then the same request gets that answer.
      const last = acknowledged.at(-1);
      const lived = await isActive(survivor, client, last.refresh_token);
      expect(await isActive(survivor, client, last.access_token)).toBe(lived);
      const again = await survivor.post(
        '/oauth/token',
        client,
        { grant_type: 'refresh_token', refresh_token: last.refresh_token },
        { 'Idempotency-Key': key },
      );
      expect(again.status).toBe(200);
      expect(await isActive(survivor, client, again.body.access_token)).toBe(true);
      expect(await isActive(survivor, client, last.access_token)).toBe(false);
      await victim.stop();
    }
    await survivor.stop();
  });
});
