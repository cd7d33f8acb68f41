import type { Clock } from './clock.ts';

/** How buckets fill. */
export interface BucketRate {
  /** Number of tokens that a key may take at once after a pause. */
  readonly capacity: number;
  readonly refillPerSecond: number;
}

export interface TokenBucketsOptions extends BucketRate {
  readonly clock: Clock;
  /** Number of keys remembered; the least recently used ones are forgotten and start full again. */
  readonly keysAtMost?: number;
}

/** The tokens that a key may still take. */
export interface Allowance {
  /** False when there was no token to take. */
  readonly granted: boolean;
  readonly remaining: number;
  /** Seconds until a token is available; 0 if one is now. */
  readonly retryAfterSeconds: number;
  /** Seconds until the bucket is full again. */
  readonly resetSeconds: number;
}

export interface TokenBuckets {
  /** Takes a token, if one is available. */
  take(key: string): Allowance;
  /** Takes a token even if none is available: the key then owes it. */
  charge(key: string): void;
  /** Returns what the key may still take, without taking any. */
  peek(key: string): Allowance;
}

/** Token buckets that processes may share, so that an answer can take a moment. */
export interface SharedBuckets {
  take(key: string): Allowance | Promise<Allowance>;
  charge(key: string): void;
  peek(key: string): Allowance | Promise<Allowance>;
}

/** Opens the buckets of a name. Processes that serve the same ports count in the same ones. */
export type OpenBuckets = (name: string, rate: BucketRate) => SharedBuckets;

/** Buckets that this process has to itself, whatever their name. */
export const ownBuckets =
  (clock: Clock): OpenBuckets =>
  (_name, rate) =>
    createTokenBuckets({ clock, ...rate });

interface Bucket {
  tokens: number;
  at: number;
}

const KEYS_AT_MOST = 10_000;

/** Token buckets in this process's memory. */
export function createTokenBuckets({
  clock,
  capacity,
  refillPerSecond,
  keysAtMost = KEYS_AT_MOST,
}: TokenBucketsOptions): TokenBuckets {
  // Buckets by key, the least recently used first.
  const buckets = new Map<string, Bucket>();

  const filled = ({ tokens, at }: Bucket, now: number): number =>
    Math.min(capacity, tokens + (Math.max(0, now - at) / 1000) * refillPerSecond);

  const allowance = (granted: boolean, tokens: number): Allowance => ({
    granted,
    remaining: Math.floor(tokens),
    retryAfterSeconds: tokens >= 1 ? 0 : Math.ceil((1 - tokens) / refillPerSecond),
    resetSeconds: Math.ceil((capacity - tokens) / refillPerSecond),
  });

  /** Brings a key's bucket up to date and makes it the most recently used one. */
  const used = (key: string): Bucket => {
    const now = clock.now();
    const bucket = buckets.get(key) ?? { tokens: capacity, at: now };
    bucket.tokens = filled(bucket, now);
    bucket.at = now;
    buckets.delete(key);
    buckets.set(key, bucket);
    if (buckets.size > keysAtMost) buckets.delete(buckets.keys().next().value!);
    return bucket;
  };

  return {
    take(key) {
      const bucket = used(key);
      const granted = bucket.tokens >= 1;
      if (granted) bucket.tokens -= 1;
      return allowance(granted, bucket.tokens);
    },
    charge(key) {
      used(key).tokens -= 1;
    },
    peek(key) {
      const bucket = buckets.get(key);
      const tokens = bucket ? filled(bucket, clock.now()) : capacity;
      return allowance(tokens >= 1, tokens);
    },
  };
}
