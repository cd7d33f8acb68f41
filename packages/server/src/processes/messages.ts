import type { Addresses } from '../interfaces/edges/listeners/listener.ts';
import type { HealthQuestions } from '../platform/kernel/siblings.ts';
import type { Allowance, BucketRate } from '../platform/kernel/token-buckets.ts';

/** Something about one key of the buckets of a name. */
export type BucketQuestion = readonly [
  action: 'take' | 'peek' | 'charge',
  name: string,
  key: string,
];

/** What a process sends to the primary. */
export type Upward =
  | { readonly kind: 'started'; readonly addresses: Addresses }
  /** It could not start, for a reason in one sentence. */
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'open'; readonly name: string; readonly rate: BucketRate }
  | { readonly kind: 'ask'; readonly questions: readonly BucketQuestion[] }
  | { readonly kind: 'tell'; readonly topic: string; readonly text: string }
  | { readonly kind: 'health'; readonly id: number; readonly value: unknown };

/** What the primary sends to a process. */
export type Downward =
  /** The answers to what was asked, in the same order; charges have none. */
  | { readonly kind: 'allowances'; readonly allowances: readonly Allowance[] }
  | { readonly kind: 'tell'; readonly topic: string; readonly text: string }
  | { readonly kind: 'health'; readonly id: number; readonly of: keyof HealthQuestions }
  /** What `announce` was called with. */
  | { readonly kind: 'announced'; readonly value: unknown }
  /** Certificates may have been renewed. */
  | { readonly kind: 'reload' }
  | { readonly kind: 'stop' };
