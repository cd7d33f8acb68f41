import type { FastifyReply } from 'fastify';
import type { Clock } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/failure.ts';
import { createTokenBuckets, type Allowance, type TokenBuckets } from '../http/token-buckets.ts';

/** So many requests per key and operation; every answer to a known caller says what is left. */
export interface RateLimit {
  /** Counts a request. Throws tooManyRequests. */
  count(reply: FastifyReply, keyId: string, operationId: string): void;
  /** Says what is left without counting. */
  announce(reply: FastifyReply, keyId: string, operationId: string): void;
}

/** `perSecond` null: no limit, and no headers. */
export function createRateLimit(clock: Clock, perSecond: number | null): RateLimit {
  if (perSecond === null) return { count: () => {}, announce: () => {} };
  // draft-ietf-httpapi-ratelimit-headers-10: policy of q requests in w seconds; r are left, all again in t seconds.
  const policy = `"key";q=${perSecond};w=1`;
  const operations = new Map<string, TokenBuckets>();

  const bucketsOf = (operationId: string): TokenBuckets => {
    let buckets = operations.get(operationId);
    if (!buckets) operations.set(operationId, (buckets = createTokenBuckets({ clock, capacity: perSecond, refillPerSecond: perSecond })));
    return buckets;
  };
  const say = (reply: FastifyReply, { remaining, resetSeconds }: Allowance): void => {
    reply.header('RateLimit-Policy', policy).header('RateLimit', `"key";r=${remaining};t=${resetSeconds}`);
  };

  return {
    count(reply, keyId, operationId) {
      const allowance = bucketsOf(operationId).take(keyId);
      say(reply, allowance);
      if (allowance.granted) return;
      const { retryAfterSeconds } = allowance;
      throw new Failure('tooManyRequests', { data: { retryAfterSeconds }, message: `too many requests: ${perSecond} per second, key and operation` });
    },
    announce: (reply, keyId, operationId) => say(reply, bucketsOf(operationId).peek(keyId)),
  };
}
