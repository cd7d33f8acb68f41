import cluster, { type Worker } from 'node:cluster';
import type { Addresses } from '../edges/listeners/listener.ts';
import { within } from '../kernel/within.ts';
import type { Downward, Upward } from './messages.ts';

/** A process that the primary has started. */
export interface Child {
  readonly pid: number;
  /** Its addresses once it serves; rejects if it ends before. */
  readonly started: Promise<Addresses>;
  /** How it ended: a sentence without subject. */
  readonly ended: Promise<string>;
  /** Whether it serves. */
  readonly isServing: boolean;
  send(message: Downward): void;
  /** What it tells of its health; undefined if it does not answer in time. */
  ask(of: 'isReady' | 'metrics'): Promise<unknown>;
  kill(): void;
}

/** A process that takes longer to answer does not count. */
const ANSWER_LIMIT_MS = 4_000;

/** Starts a process with the command line of this one. `take` gets what it sends, except for what is dealt with here. */
export function startChild(take: (message: Upward) => void): Child {
  const worker: Worker = cluster.fork();
  const endHandedOver = rememberHandedOver(worker);
  const started = Promise.withResolvers<Addresses>();
  const ended = Promise.withResolvers<string>();
  const questions = new Map<number, (value: unknown) => void>();
  const state = { isServing: false, asked: 0, reason: undefined as string | undefined };
  // Whoever does not wait for the start learns of the end.
  started.promise.catch(() => {});

  worker.on('message', (message: Upward) => {
    if (message.kind === 'started') {
      state.isServing = true;
      started.resolve(message.addresses);
    } else if (message.kind === 'failed') state.reason = message.reason;
    else if (message.kind === 'health') questions.get(message.id)?.(message.value);
    else take(message);
  });
  // If it ends while something is being sent to it, 'exit' tells everything.
  worker.on('error', () => {});
  worker.on('exit', (code: number | null, signal: string | null) => {
    const how = state.reason ?? (signal ? `was ended by ${signal}` : `ended with exit code ${code}`);
    state.isServing = false;
    endHandedOver();
    started.reject(new Error(state.reason ?? `a process ${how} before it had started`));
    ended.resolve(how);
    for (const answer of questions.values()) answer(undefined);
  });

  const send = (message: Downward): void => void (worker.isConnected() && worker.send(message, () => {}));
  return {
    pid: worker.process.pid!,
    started: started.promise,
    ended: ended.promise,
    get isServing() {
      return state.isServing;
    },
    send,
    async ask(of) {
      const id = ++state.asked;
      const { promise, resolve } = Promise.withResolvers<unknown>();
      questions.set(id, resolve);
      send({ kind: 'health', id, of });
      return within(ANSWER_LIMIT_MS, promise).finally(() => questions.delete(id));
    },
    kill: () => void worker.process.kill('SIGKILL'),
  };
}

interface NewConnection {
  readonly act?: 'newconn';
  /** Of the port. */
  readonly key: string;
}

/**
 * node:cluster waits for a process to confirm each connection that it hands over, and forgets one that the process did not live to confirm: nobody
 * would ever answer or end it. The returned function, called when the process has ended, ends them, so that their callers connect again. For each port, a
 * process is handed one at a time; until node:cluster notices that its channel is closed too, that may be after its end.
 */
function rememberHandedOver({ process: child }: Worker): () => void {
  const latest = new Map<string, { close(): void }>();
  let hasEnded = false;
  const send = child.send.bind(child) as (...given: unknown[]) => boolean;
  Object.assign(child, {
    send(message: NewConnection, handle?: { close(): void }, ...more: unknown[]) {
      if (handle && message.act === 'newconn') {
        if (hasEnded) return handle.close();
        latest.set(message.key, handle);
      }
      return send(message, handle, ...more);
    },
  });
  return () => {
    hasEnded = true;
    // Of one that was confirmed, the primary's side is closed already, and this does nothing.
    for (const handle of latest.values()) handle.close();
  };
}
