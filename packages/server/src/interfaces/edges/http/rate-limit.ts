import type { FastifyReply } from 'fastify';
import { Failure } from '../../../platform/kernel/failure.ts';
import {
  type Allowance,
  type OpenBuckets,
  type SharedBuckets,
} from '../../../platform/kernel/token-buckets.ts';
import { noteCounted } from './route-limit.ts';

/** Limits requests per caller and operation. Every answer to a known caller says how many requests are left. */
export interface RateLimit {
  /** Counts a request. Throws tooManyRequests. */
  count(reply: FastifyReply, callerId: string, operationId: string): Promise<void>;
  /** Tells the caller how many requests are left, in headers of the answer, without counting a request. */
  announce(reply: FastifyReply, callerId: string, operationId: string): Promise<void>;
}

interface RateLimitOptions {
  readonly buckets: OpenBuckets;
  /** null = no limit, and no headers. */
  readonly perSecond: number | null;
  /** The thing by which a caller is counted; this word is sent to clients. */
  readonly per: 'key' | 'authorization' | 'application' | 'account';
}

/** Counts in this instance: with several behind one address, a caller has the full limit on each. */
export function createRateLimit({ buckets: open, perSecond, per }: RateLimitOptions): RateLimit {
  if (perSecond === null)
    return { count: async (reply) => noteCounted(reply), announce: async () => {} };
  // draft-ietf-httpapi-ratelimit-headers-10: the policy allows q requests in w seconds; r are left, and all are available again in t seconds.
  const policy = `"${per}";q=${perSecond};w=1`;
  const operations = new Map<string, SharedBuckets>();

  const bucketsOf = (operationId: string): SharedBuckets => {
    let buckets = operations.get(operationId);
    if (!buckets)
      operations.set(
        operationId,
        (buckets = open(`${per} ${operationId}`, {
          capacity: perSecond,
          refillPerSecond: perSecond,
        })),
      );
    return buckets;
  };
  const say = (reply: FastifyReply, { remaining, resetSeconds }: Allowance): void => {
    reply
      .header('RateLimit-Policy', policy)
      .header('RateLimit', `"${per}";r=${remaining};t=${resetSeconds}`);
  };

  return {
    async count(reply, callerId, operationId) {
      const allowance = await bucketsOf(operationId).take(callerId);
      say(reply, allowance);
      if (allowance.granted) return noteCounted(reply);
      const { retryAfterSeconds } = allowance;
      throw new Failure('tooManyRequests', {
        data: { retryAfterSeconds },
        message: `too many requests: ${perSecond} per second, ${per} and operation`,
      });
    },
    announce: async (reply, callerId, operationId) =>
      say(reply, await bucketsOf(operationId).peek(callerId)),
  };
}
