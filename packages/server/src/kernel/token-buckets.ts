import type { Clock } from './clock.ts';

export interface TokenBucketsOptions {
  readonly clock: Clock;
  /** What a key may take at once after a pause. */
  readonly capacity: number;
  readonly refillPerSecond: number;
  /** Number of keys remembered; the least recently used ones are forgotten and start full again. */
  readonly keysAtMost?: number;
}

/** What a key has left. */
export interface Allowance {
  /** False when nothing was left to take. */
  readonly granted: boolean;
  readonly remaining: number;
  /** Seconds until one is available; 0 if one is now. */
  readonly retryAfterSeconds: number;
  /** Seconds until the bucket is full again. */
  readonly resetSeconds: number;
}

export interface TokenBuckets {
  /** Takes one, if available. */
  take(key: string): Allowance;
  /** What the key has left, without taking one. */
  peek(key: string): Allowance;
}

interface Bucket {
  tokens: number;
  at: number;
}

const KEYS_AT_MOST = 10_000;

/** Token buckets in this process's memory: each instance counts for itself. */
export function createTokenBuckets({ clock, capacity, refillPerSecond, keysAtMost = KEYS_AT_MOST }: TokenBucketsOptions): TokenBuckets {
  // In order of last use.
  const buckets = new Map<string, Bucket>();

  const filled = ({ tokens, at }: Bucket, now: number): number => Math.min(capacity, tokens + (Math.max(0, now - at) / 1000) * refillPerSecond);

  const allowance = (granted: boolean, tokens: number): Allowance => ({
    granted,
    remaining: Math.floor(tokens),
    retryAfterSeconds: tokens >= 1 ? 0 : Math.ceil((1 - tokens) / refillPerSecond),
    resetSeconds: Math.ceil((capacity - tokens) / refillPerSecond),
  });

  return {
    take(key) {
      const now = clock.now();
      const bucket = buckets.get(key) ?? { tokens: capacity, at: now };
      const tokens = filled(bucket, now);
      const granted = tokens >= 1;
      bucket.tokens = granted ? tokens - 1 : tokens;
      bucket.at = now;
      buckets.delete(key);
      buckets.set(key, bucket);
      if (buckets.size > keysAtMost) buckets.delete(buckets.keys().next().value!);
      return allowance(granted, bucket.tokens);
    },
    peek(key) {
      const bucket = buckets.get(key);
      const tokens = bucket ? filled(bucket, clock.now()) : capacity;
      return allowance(tokens >= 1, tokens);
    },
  };
}
