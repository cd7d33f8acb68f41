import { setTimeout as pause } from 'node:timers/promises';
import { keyOf, type Scene } from './scene.ts';
import { timesOf, wallNow, type Receiver, type Times } from './receiver.ts';

/** Reports at a steady pace, each time of the next devices. */
export interface Load {
  /** How many devices report together; ten are a plant. */
  readonly devices: number;
  readonly everyMs: number;
  readonly seconds: number;
  /** Called when a report was acknowledged. */
  readonly onStored?: (keys: readonly string[]) => void;
}

/** At the beginning, connections are made and code is compiled. */
const WARM_MS = 2_000;
const PATIENCE_MS = 30_000;

/** The times from reports to their arrival at a receiver, of the destinations below `below`. */
export async function timesUnderLoad(
  scene: Scene,
  receiver: Receiver,
  { devices, everyMs, seconds, onStored }: Load,
  below = Infinity,
): Promise<Times> {
  const sentAt = new Map<string, number>();
  const underWay = new Set<Promise<void>>();
  const begun = performance.now();
  for (let n = 0; n * everyMs < WARM_MS + seconds * 1000; n++) {
    await pause(Math.max(0, begun + n * everyMs - performance.now()));
    const from = (n * devices) % scene.sns.length;
    const at = wallNow();
    const isCounted = n * everyMs >= WARM_MS;
    const stored = scene.report(scene.sns.slice(from, from + devices)).then((keys) => {
      if (isCounted) for (const key of keys) sentAt.set(key, at);
      onStored?.(keys);
      underWay.delete(stored);
    });
    underWay.add(stored);
  }
  await Promise.all(underWay);
  const times: number[] = [];
  const missing = new Set(sentAt.keys());
  for (
    const until = performance.now() + PATIENCE_MS;
    missing.size > 0 && performance.now() < until;
    await pause(200)
  ) {
    for (const [to, sn, occurredAt, at] of await receiver.take()) {
      const key = keyOf(sn, occurredAt);
      const sent = sentAt.get(key);
      if (sent === undefined || to >= below) continue;
      times.push(at - sent);
      missing.delete(key);
    }
  }
  if (missing.size > 0) throw new Error(`${missing.size} events did not arrive`);
  // What comes later belongs to nobody's figures.
  await pause(1_000);
  await receiver.take();
  return timesOf(times);
}
