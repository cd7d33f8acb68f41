import { argon2Sync, type Argon2Parameters } from 'node:crypto';
import { constants, getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';

/** Niceness of the thread: when cores are scarce, it gets about a tenth of the time of a busy thread, so that passwords are still verified eventually. */
const NICENESS = 10;

// 0 stands for the caller: on Linux this is the thread, elsewhere the whole process.
if (process.platform === 'linux')
  setPriority(0, Math.min(getPriority() + NICENESS, constants.priority.PRIORITY_LOW));

parentPort!.on('message', (parameters: Argon2Parameters) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows; a thread's port has no origin
  parentPort!.postMessage(argon2Sync('argon2id', parameters));
});
