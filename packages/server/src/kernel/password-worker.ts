import { argon2Sync, type Argon2Parameters } from 'node:crypto';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';

/** As with `nice -n 10`: where cores are short, a tenth of the time beside a busy thread, so that passwords are still verified in the end. */
const NICENESS = 10;

// 0 is the caller. On Linux that is this thread; elsewhere it would be the whole process.
if (process.platform === 'linux') setPriority(0, NICENESS);

parentPort!.on('message', (parameters: Argon2Parameters) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows; a thread's port has no origin
  parentPort!.postMessage(argon2Sync('argon2id', parameters));
});
