import type { Argon2Parameters } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

let thread: Worker | undefined;

/**
 * argon2id in a thread of low priority (kernel/password-worker.ts), whoever asks: not among libuv's threads, and after those that answer requests.
 * One at a time: the next call comes after the answer to the one before.
 */
export async function deriveInThread(parameters: Argon2Parameters): Promise<Buffer> {
  const worker = (thread ??= begin());
  // While it works, and not otherwise, it keeps the process alive.
  worker.ref();
  const answered = once(worker, 'message');
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows; a thread's port has no origin
  worker.postMessage(parameters);
  try {
    const [tag] = (await answered) as [Uint8Array];
    return Buffer.from(tag);
  } finally {
    worker.unref();
  }
}

function begin(): Worker {
  const worker = new Worker(new URL('password-worker.ts', import.meta.url), { name: 'passwords' });
  // It ends with what it cannot compute; the next call begins another.
  worker.on('error', () => {
    if (thread === worker) thread = undefined;
  });
  return worker;
}
