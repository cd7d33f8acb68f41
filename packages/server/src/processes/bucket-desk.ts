import type { Clock } from '../platform/kernel/clock.ts';
import {
  createTokenBuckets,
  type Allowance,
  type BucketRate,
  type TokenBuckets,
} from '../platform/kernel/token-buckets.ts';
import type { BucketQuestion } from './messages.ts';

/** The buckets of all processes, kept by the primary. */
export interface BucketDesk {
  open(name: string, rate: BucketRate): void;
  /** One allowance for each question except charges, in their order. */
  answer(questions: readonly BucketQuestion[]): Allowance[];
}

export function createBucketDesk(clock: Clock): BucketDesk {
  const opened = new Map<string, TokenBuckets>();
  return {
    open(name, rate) {
      if (!opened.has(name)) opened.set(name, createTokenBuckets({ clock, ...rate }));
    },
    answer: (questions) =>
      questions.flatMap(([action, name, key]) => {
        const buckets = opened.get(name)!;
        return action === 'charge' ? (buckets.charge(key), []) : buckets[action](key);
      }),
  };
}
