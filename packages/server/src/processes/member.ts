import cluster from 'node:cluster';
import process from 'node:process';
import type { Addresses } from '../interfaces/edges/listeners/listener.ts';
import type { HealthQuestions, Siblings } from '../platform/kernel/siblings.ts';
import { createBucketClient } from './shared-buckets.ts';
import type { Downward, Upward } from './messages.ts';

/** The primary, as one of its processes sees it. If it ends, the process ends at once. */
export interface Primary extends Siblings {
  /** Tells that this process serves. */
  started(addresses: Addresses): void;
  /** Tells why this process could not start. */
  failed(reason: string): void;
  /** Resolves when the primary wants this process to stop. */
  readonly stopping: Promise<void>;
  /** Has something done each time that the primary hears that certificates may have been renewed. */
  onReload(take: () => void): void;
  /** What the primary has announced to every process. */
  readonly announced: Promise<unknown>;
  /** Lets this process end once nothing else keeps it alive. */
  leave(): void;
}

/** Whether a primary has started this process. */
export const hasPrimary = (): boolean => cluster.isWorker;

/** The primary that has started this process. */
export function joinPrimary(): Primary {
  // What cannot be sent any more is not wanted any more either.
  const send = (message: Upward): void =>
    void process.send!(message, undefined, undefined, () => {});
  const buckets = createBucketClient(send);
  const listeners = new Map<string, (text: string) => void>();
  const stopping = Promise.withResolvers<void>();
  const announced = Promise.withResolvers<unknown>();
  let health: HealthQuestions | undefined;
  let reload: (() => void) | undefined;

  async function tellHealth(id: number, of: keyof HealthQuestions): Promise<void> {
    send({ kind: 'health', id, value: await health?.[of]().catch(() => undefined) });
  }

  process.on('message', (message: Downward) => {
    switch (message.kind) {
      case 'allowances':
        return buckets.take(message.allowances);
      case 'tell':
        return listeners.get(message.topic)?.(message.text);
      case 'health':
        return void tellHealth(message.id, message.of);
      case 'announced':
        return announced.resolve(message.value);
      case 'reload':
        return reload?.();
      case 'stop':
        return stopping.resolve();
    }
  });
  return {
    openBuckets: buckets.open,
    tell: (topic, text) => send({ kind: 'tell', topic, text }),
    hear: (topic, take) => void listeners.set(topic, take),
    answer: (questions) => void (health = questions),
    started: (addresses) => send({ kind: 'started', addresses }),
    failed: (reason) => send({ kind: 'failed', reason }),
    stopping: stopping.promise,
    onReload: (take) => void (reload = take),
    announced: announced.promise,
    leave: () => void cluster.worker!.disconnect(),
  };
}
