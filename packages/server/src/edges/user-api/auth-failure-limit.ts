import type { Clock } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/failure.ts';
import { createTokenBuckets } from '../http/token-buckets.ts';

/** So many refused signatures per address and key; then everything from there with that key waits, before the key is looked up. */
export interface AuthFailureLimit {
  /** Throws tooManyRequests. */
  check(address: string, keyId: string): void;
  record(address: string, keyId: string): void;
}

/** `perMinute` null: no limit. */
export function createAuthFailureLimit(clock: Clock, perMinute: number | null): AuthFailureLimit {
  if (perMinute === null) return { check: () => {}, record: () => {} };
  const buckets = createTokenBuckets({ clock, capacity: perMinute, refillPerSecond: perMinute / 60 });
  const name = (address: string, keyId: string): string => `${address} ${keyId}`;
  return {
    check(address, keyId) {
      const { granted, retryAfterSeconds } = buckets.peek(name(address, keyId));
      if (!granted)
        throw new Failure('tooManyRequests', { data: { retryAfterSeconds }, message: 'too many refused signatures from this address with this key' });
    },
    record: (address, keyId) => void buckets.take(name(address, keyId)),
  };
}
