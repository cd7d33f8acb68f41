import type { Argon2Parameters } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

let thread: Worker | undefined;

/**
 * Computes argon2id in a thread of its own with low priority (kernel/passwords/password-worker.ts), so that it occupies none of libuv's
 * threads and requests are answered first. Runs one computation at a time: callers must wait for the result before the next call.
 */
export async function deriveInThread(parameters: Argon2Parameters): Promise<Buffer> {
  const worker = (thread ??= begin());
  // The worker keeps the process alive only while it computes.
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
  const worker = new Worker(new URL('./password-worker.ts', import.meta.url), {
    name: 'passwords',
  });
  // An error ends the thread; the next call starts another one.
  worker.on('error', () => {
    if (thread === worker) thread = undefined;
  });
  return worker;
}
