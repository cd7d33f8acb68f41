import cluster, { type Worker } from 'node:cluster';
import type { Addresses } from '../interfaces/edges/listeners/listener.ts';
import { withTimeout } from '../platform/kernel/within.ts';
import type { HealthQuestions } from '../platform/kernel/siblings.ts';
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
  ask(of: keyof HealthQuestions): Promise<unknown>;
  kill(): void;
}

/** A process that takes longer to answer does not count. */
const ANSWER_LIMIT_MS = 4_000;

/** Starts a process with the command line of this one. `take` gets what it sends, except for what is dealt with here. */
export function startChild(take: (message: Upward) => void): Child {
  const worker: Worker = cluster.fork();
  const handedOver = rememberHandedOver(worker);
  const started = Promise.withResolvers<Addresses>();
  const ended = Promise.withResolvers<string>();
  const questions = new Map<number, (value: unknown) => void>();
  const state = { isServing: false, asked: 0, reason: undefined as string | undefined };
  // A caller that does not wait for the start learns of the end.
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
    const how =
      state.reason ?? (signal ? `was ended by ${signal}` : `ended with exit code ${code}`);
    state.isServing = false;
    handedOver.ended();
    started.reject(new Error(state.reason ?? `a process ${how} before it had started`));
    ended.resolve(how);
    for (const answer of questions.values()) answer(undefined);
  });

  const send = (message: Downward): void => {
    if (message.kind === 'stop') handedOver.stopping();
    if (worker.isConnected()) worker.send(message, () => {});
  };
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
      return withTimeout(ANSWER_LIMIT_MS, promise).finally(() => questions.delete(id));
    },
    kill: () => void worker.process.kill('SIGKILL'),
  };
}

interface NewConnection {
  readonly act?: 'newconn';
  /** Of the port. */
  readonly key: string;
  readonly seq: number;
}

/** What a process answers to a message. */
interface Reply {
  /** The number of the message. */
  readonly ack?: number;
  readonly accepted?: boolean;
}

interface Connection {
  close(): void;
}

/** The connections that a process was handed and has not confirmed yet. */
interface HandedOver {
  /** All processes are to stop. */
  stopping(): void;
  /** The process has ended. */
  ended(): void;
}

/**
 * node:cluster waits for a process to confirm each connection that it hands over, and forgets those that nobody will confirm: nobody would ever answer or
 * end them. Here they are ended, so that their callers connect again. That is one that the process did not live to confirm (for each port, a process is handed
 * one at a time; until node:cluster notices that its channel is closed too, that may be after its end), and one that it refuses because all are stopping.
 * And while a connection is unconfirmed, node:cluster does not hear that the channel is closed, and drops what it goes on to hand over: here it hears of it.
 */
function rememberHandedOver({ process: child }: Worker): HandedOver {
  const latest = new Map<string, { readonly seq: number; readonly connection: Connection }>();
  const state = { hasEnded: false, isStopping: false };
  const send = child.send.bind(child) as (...given: unknown[]) => boolean;
  const disconnect = child.disconnect.bind(child);
  Object.assign(child, {
    // Called when the channel has ended.
    disconnect() {
      disconnect();
      child.emit('disconnect');
    },
    send(message: NewConnection, connection?: Connection, ...more: unknown[]) {
      if (connection && message.act === 'newconn') {
        if (state.hasEnded) return connection.close();
        latest.set(message.key, { seq: message.seq, connection });
      }
      return send(message, connection, ...more);
    },
  });
  child.on('internalMessage', ({ ack, accepted }: Reply) => {
    if (!state.isStopping || ack === undefined || accepted !== false) return;
    for (const { seq, connection } of latest.values()) if (seq === ack) connection.close();
  });
  return {
    stopping: () => void (state.isStopping = true),
    ended() {
      state.hasEnded = true;
      // Of one that was confirmed, the primary's side is closed already, and this does nothing.
      for (const { connection } of latest.values()) connection.close();
    },
  };
}
