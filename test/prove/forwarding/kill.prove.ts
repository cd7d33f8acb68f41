import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { randomInt } from 'node:crypto';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ForwardedEvent } from '@helioport/contract';
import { afterEach, expect, test } from 'vitest';
import { transports } from '../../forwarding/peers.ts';
import { startReceiver } from '../../forwarding/receiver.ts';
import { createForwardingScene, type Wants } from '../../forwarding/scene.ts';
import { hasOpenssl } from '../../forwarding/sinks/certificates.ts';
import { effort, proving } from '../../support/effort.ts';
import { describeLoad, type TestDatabase } from '../../support/engines.ts';
import { settableClock } from '../../support/world.ts';

const KILLS = effort(1, 50);
const DEVICES = 6;
const SCRIPT = fileURLToPath(new URL('./instance.ts', import.meta.url));

async function startInstance({ address }: TestDatabase): Promise<ChildProcess> {
  const instance = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', SCRIPT, address],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  await once(instance.stdout, 'data');
  return instance;
}

/** Somebody who receives. `misbehave`: with the faults that a peer may have until the signal, if it has any. */
interface Receiving {
  readonly url: string;
  readonly wants: Wants;
  misbehave(until: AbortSignal): void;
  /** In the order of arrival, repetitions included. */
  taken(): readonly ForwardedEvent[];
  seen(): readonly ForwardedEvent[];
  close(): Promise<void>;
}

async function overPlainHttp(): Promise<Receiving> {
  const receiver = await startReceiver();
  return {
    url: receiver.url,
    wants: {},
    // It refuses an event now and then, closes or is slow. No event twice: the second pause takes minutes.
    misbehave(until) {
      const refused = new Set<string>();
      receiver.react = ({ id }) => {
        const dice = until.aborted || refused.has(id) ? 100 : randomInt(100);
        if (dice < 2) refused.add(id);
        if (dice < 1) return 'close';
        if (dice < 2) return { status: 503 };
        return { status: 200, ...(dice < 20 && { after: pause(randomInt(20)) }) };
      };
    },
    taken: () => receiver.taken,
    seen: () => receiver.seen,
    close: () => receiver.close(),
  };
}

async function over(transport: 'MQTT 5' | 'RocketMQ'): Promise<Receiving> {
  const peer = await transports[transport].open();
  const all = (): ForwardedEvent[] =>
    peer.received().map(({ body }) => JSON.parse(body) as ForwardedEvent);
  // Slower than what is measured, so that there is always something under way.
  const misbehave = (until: AbortSignal): void => {
    peer.gate.slowDown(5);
    until.addEventListener('abort', () => peer.gate.slowDown(0));
  };
  return {
    url: peer.url,
    wants: peer.wants,
    misbehave,
    taken: all,
    seen: all,
    close: () => peer.close(),
  };
}

const receivers = {
  HTTP: { isTried: true, open: overPlainHttp },
  // In npm test, HTTP stands for all.
  'MQTT 5': {
    isTried: proving && hasOpenssl && transports['MQTT 5'].isThere,
    open: () => over('MQTT 5'),
  },
  RocketMQ: { isTried: proving && hasOpenssl, open: () => over('RocketMQ') },
} as const;

describeLoad('kill -9 of the deliverer', (database) => {
  const scene = createForwardingScene(database, settableClock(Date.now()));
  const { clock } = scene;
  let receiver: Receiving | undefined;
  afterEach(async () => {
    await receiver?.close();
    receiver = undefined;
    await database().db.updateTable('destination').set({ state: 'paused' }).execute();
  });

  for (const [transport, { open }] of Object.entries(receivers).filter(
    ([, { isTried }]) => isTried,
  ))
    test(
      `loses no acknowledged reading, keeps the order of each device, and repeats events only with their ids, ${KILLS} times, over ${transport}`,
      async () => {
        const { url, wants, misbehave, taken, seen: arrived } = (receiver = await open());
        const { device } = await scene.connected(url, { ...wants, kinds: ['telemetry.sample'] });
        const devices = [device.sn];
        while (devices.length < DEVICES) devices.push((await scene.beside(device)).sn);
        const isOver = new AbortController();
        misbehave(isOver.signal);
        const acknowledged = new Map<string, number[]>(devices.map((sn) => [sn, []]));
        let at = Date.now() - 3_600_000;
        const measured = (async () => {
          while (!isOver.signal.aborted) {
            clock.at = Date.now();
            at += 1_000;
            for (const sn of devices) {
              const { accepted } = await scene.report({ ...device, sn }, [
                { at, values: { acPowerW: at % 1_000 } },
              ]);
              if (accepted === 1) acknowledged.get(sn)!.push(at);
            }
            await pause(5);
          }
        })();
        for (let kill = 0; kill < KILLS; kill++) {
          const instances = await Promise.all([
            startInstance(database()),
            startInstance(database()),
          ]);
          await pause(randomInt(200, 1_500));
          for (const instance of instances) {
            const ended = once(instance, 'exit');
            instance.kill('SIGKILL');
            await ended;
          }
        }
        isOver.abort();
        await measured;
        const last = await startInstance(database());
        const timesOf = (sn: string): number[] => {
          const seen = new Set<string>();
          return taken().flatMap(({ deviceSn, id, data }) =>
            deviceSn !== sn || seen.has(id) ? [] : (seen.add(id), [data['at'] as number]),
          );
        };
        await expect
          .poll(() => devices.map((sn) => acknowledged.get(sn)!.length - timesOf(sn).length), {
            timeout: effort(45_000, 120_000),
            interval: 200,
          })
          .toEqual(devices.map(() => 0));
        const ended = once(last, 'exit');
        last.kill('SIGKILL');
        await ended;
        for (const sn of devices) expect(timesOf(sn)).toEqual(acknowledged.get(sn));
        const ids = new Map<string, string>();
        for (const { id, resumed: _, ...event } of arrived()) {
          const text = JSON.stringify(event);
          expect(ids.get(id) ?? text).toBe(text);
          ids.set(id, text);
        }
      },
      effort(90_000, 900_000),
    );
});
