import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { randomInt } from 'node:crypto';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startReceiver, type Receiver } from '../forwarding/receiver.ts';
import { createForwardingScene } from '../forwarding/scene.ts';
import { effort } from '../support/effort.ts';
import { describeEngines, type TestDatabase } from '../support/engines.ts';
import { settableClock } from '../support/world.ts';

const KILLS = effort(1, 50);
const DEVICES = 6;
const SCRIPT = fileURLToPath(new URL('./forwarding-instance.ts', import.meta.url));

async function startInstance({ address }: TestDatabase): Promise<ChildProcess> {
  const instance = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', SCRIPT, address], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(instance.stdout, 'data');
  return instance;
}

describeEngines('kill -9 of whoever delivers', (database) => {
  const scene = createForwardingScene(database, settableClock(Date.now()));
  const { clock } = scene;
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.close());

  test(
    `loses no acknowledged reading, keeps the order of each device, and repeats events only with their ids, ${KILLS} times`,
    async () => {
      const { device } = await scene.connected(receiver.url, { kinds: ['telemetry.sample'] });
      const devices = [device.sn];
      while (devices.length < DEVICES) devices.push((await scene.beside(device)).sn);
      const over = new AbortController();
      // The peer refuses an event now and then, closes or is slow. No event twice: the second pause takes minutes.
      const refused = new Set<string>();
      receiver.react = ({ id }) => {
        const dice = over.signal.aborted || refused.has(id) ? 100 : randomInt(100);
        if (dice < 2) refused.add(id);
        if (dice < 1) return 'close';
        if (dice < 2) return { status: 503 };
        return { status: 200, ...(dice < 20 && { after: pause(randomInt(20)) }) };
      };
      const acknowledged = new Map<string, number[]>(devices.map((sn) => [sn, []]));
      let at = Date.now() - 3_600_000;
      const measured = (async () => {
        while (!over.signal.aborted) {
          clock.at = Date.now();
          at += 1_000;
          for (const sn of devices) {
            const { accepted } = await scene.report({ ...device, sn }, [{ at, values: { acPowerW: at % 1_000 } }]);
            if (accepted === 1) acknowledged.get(sn)!.push(at);
          }
          await pause(5);
        }
      })();
      for (let kill = 0; kill < KILLS; kill++) {
        const instances = await Promise.all([startInstance(database()), startInstance(database())]);
        await pause(randomInt(200, 1_500));
        for (const instance of instances) {
          const ended = once(instance, 'exit');
          instance.kill('SIGKILL');
          await ended;
        }
      }
      over.abort();
      await measured;
      const last = await startInstance(database());
      const timesOf = (sn: string): number[] => {
        const seen = new Set<string>();
        return receiver.taken.flatMap(({ deviceSn, id, data }) => (deviceSn !== sn || seen.has(id) ? [] : (seen.add(id), [data['at'] as number])));
      };
      await expect
        .poll(() => devices.map((sn) => acknowledged.get(sn)!.length - timesOf(sn).length), { timeout: 45_000, interval: 200 })
        .toEqual(devices.map(() => 0));
      const ended = once(last, 'exit');
      last.kill('SIGKILL');
      await ended;
      for (const sn of devices) expect(timesOf(sn)).toEqual(acknowledged.get(sn));
      const ids = new Map<string, string>();
      for (const { id, resumed: _, ...event } of receiver.seen) {
        const text = JSON.stringify(event);
        expect(ids.get(id) ?? text).toBe(text);
        ids.set(id, text);
      }
    },
    effort(90_000, 600_000),
  );
});
