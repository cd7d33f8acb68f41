import { parentPort, workerData } from 'node:worker_threads';
import { bombs } from '../gateway/bombs.ts';

/** What `bombard` is given. */
export interface Bombardment {
  readonly url: string;
  readonly token: string;
  /** A device of the token's collector. */
  readonly sn: string;
  readonly atOnce: number;
  /** Epoch ms. */
  readonly until: number;
}

/** Bombs in a thread of their own, so that who measures is not kept from it. Posts how often each status was the answer. */
const { url, token, sn, atOnce, until } = workerData as Bombardment;
const shapes = bombs(sn, Date.now());
const statuses: Record<number, number> = {};

const bombard = async (number: number): Promise<void> => {
  // At least once, however late the thread begins.
  for (let i = number; i === number || Date.now() < until; i++) {
    const { body, headers } = shapes[i % shapes.length]!;
    const answer = await fetch(url, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${token}` },
      body: new Uint8Array(body),
    });
    await answer.arrayBuffer();
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
  }
};
await Promise.all(Array.from({ length: atOnce }, (_, i) => bombard(i)));
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- of a thread, not of a window
parentPort!.postMessage(statuses);
