import { gatherTurn } from '../platform/kernel/gather.ts';
import type { Allowance, OpenBuckets } from '../platform/kernel/token-buckets.ts';
import type { BucketQuestion, Upward } from './messages.ts';

export interface BucketClient {
  readonly open: OpenBuckets;
  /** Takes the answers to the questions that were sent first. */
  take(allowances: readonly Allowance[]): void;
}

/** Buckets that the primary keeps. What requests ask in one turn of the event loop is one message: under load, a question costs a few microseconds. */
export function createBucketClient(send: (message: Upward) => void): BucketClient {
  const waiting: ((allowance: Allowance) => void)[] = [];
  const ask = gatherTurn<BucketQuestion>((questions) => send({ kind: 'ask', questions }));

  const answered = (question: BucketQuestion): Promise<Allowance> =>
    new Promise((resolve) => {
      waiting.push(resolve);
      ask(question);
    });

  return {
    open(name, rate) {
      send({ kind: 'open', name, rate });
      return {
        take: (key) => answered(['take', name, key]),
        peek: (key) => answered(['peek', name, key]),
        charge: (key) => ask(['charge', name, key]),
      };
    },
    take(allowances) {
      for (const [i, resolve] of waiting.splice(0, allowances.length).entries())
        resolve(allowances[i]!);
    },
  };
}
