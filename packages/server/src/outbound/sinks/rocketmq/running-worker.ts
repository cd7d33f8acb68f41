import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Egress } from '../../../platform/egress/egress.ts';
import { capped } from '../send-in-time.ts';
import type { OutgoingEvent } from '../sink.ts';
import type { Attempted, Order, Word, WorkerSettings } from './messages.ts';

/** A thread with a client of RocketMQ. */
export interface RunningWorker {
  /** Rejects if the thread ends before. */
  send(events: readonly OutgoingEvent[]): Promise<Attempted>;
  /** Why the thread has ended. */
  readonly ended: Promise<Error>;
  /** The client cannot be stopped in another way: without a broker, its shutdown fails and leaves timers behind. */
  end(): Promise<void>;
}

/** A client needs about a third of it. */
const HEAP_MB = 96;

export function startWorker(settings: WorkerSettings, egress: Egress): RunningWorker {
  const compiled = getCompileCacheDir();
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    name: 'rocketmq',
    workerData: settings,
    // The client and gRPC read proxies, certificates and log levels there. Most of a start is compiling them.
    env: compiled === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compiled) },
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    stdout: true,
    stderr: true,
  });
  // What libraries print is read by nobody, and must not pile up.
  worker.stdout.resume();
  worker.stderr.resume();

  const waiting = new Map<number, PromiseWithResolvers<Attempted>>();
  const ended = Promise.withResolvers<Error>();
  let orders = 0;

  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows; a thread's port has no origin
  const order = (what: Order): void => worker.postMessage(what);

  worker.on('message', (word: Word) => {
    if (word.kind === 'sent') {
      waiting.get(word.number)?.resolve(word);
      waiting.delete(word.number);
      return;
    }
    const { number, host } = word;
    egress.resolve(host, settings.encrypted).then(
      (addresses) => order({ kind: 'resolved', number, addresses }),
      () => order({ kind: 'resolved', number }),
    );
  });
  worker.on('error', (error) =>
    ended.resolve(new Error(`the RocketMQ client failed: ${capped(error.message)}`)),
  );
  worker.on('exit', () => ended.resolve(new Error('the RocketMQ client ended')));
  void ended.promise.then((reason) => {
    for (const { reject } of waiting.values()) reject(reason);
    waiting.clear();
  });

  return {
    send(events) {
      const answer = Promise.withResolvers<Attempted>();
      waiting.set(++orders, answer);
      order({ kind: 'send', number: orders, events });
      return answer.promise;
    },
    ended: ended.promise,
    async end() {
      await worker.terminate();
    },
  };
}
