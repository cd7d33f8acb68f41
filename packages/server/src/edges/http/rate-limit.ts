import type { FastifyReply } from 'fastify';
import type { Clock } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/failure.ts';
import { createTokenBuckets, type Allowance, type TokenBuckets } from '../../kernel/token-buckets.ts';

/** Limits requests per caller and operation. Every answer to a known caller says how many requests are left. */
export interface RateLimit {
  /** Counts a request. Throws tooManyRequests. */
  count(reply: FastifyReply, callerId: string, operationId: string): void;
  /** Tells the caller how many requests are left, in headers of the answer, without counting a request. */
  announce(reply: FastifyReply, callerId: string, operationId: string): void;
}

interface RateLimitOptions {
  readonly clock: Clock;
  /** null = no limit, and no headers. */
  readonly perSecond: number | null;
  /** The thing by which a caller is counted; this word is sent to clients. */
  readonly per: 'key' | 'authorization' | 'application' | 'account';
}

/** Counts in this process: with several instances behind one address, a caller has the full limit on each. */
export function createRateLimit({ clock, perSecond, per }: RateLimitOptions): RateLimit {
  if (perSecond === null) return { count: () => {}, announce: () => {} };
  // draft-ietf-httpapi-ratelimit-headers-10: the policy allows q requests in w seconds; r are left, and all are available again in t seconds.
  const policy = `"${per}";q=${perSecond};w=1`;
  const operations = new Map<string, TokenBuckets>();

  const bucketsOf = (operationId: string): TokenBuckets => {
    let buckets = operations.get(operationId);
    if (!buckets) operations.set(operationId, (buckets = createTokenBuckets({ clock, capacity: perSecond, refillPerSecond: perSecond })));
    return buckets;
  };
  const say = (reply: FastifyReply, { remaining, resetSeconds }: Allowance): void => {
    reply.header('RateLimit-Policy', policy).header('RateLimit', `"${per}";r=${remaining};t=${resetSeconds}`);
  };

  return {
    count(reply, callerId, operationId) {
      const allowance = bucketsOf(operationId).take(callerId);
      say(reply, allowance);
      if (allowance.granted) return;
      const { retryAfterSeconds } = allowance;
      throw new Failure('tooManyRequests', { data: { retryAfterSeconds }, message: `too many requests: ${perSecond} per second, ${per} and operation` });
    },
    announce: (reply, callerId, operationId) => say(reply, bucketsOf(operationId).peek(callerId)),
  };
}
