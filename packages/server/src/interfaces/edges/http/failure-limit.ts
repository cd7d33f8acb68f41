import { networkOf } from '../../../platform/kernel/addresses/networks.ts';
import type { OpenBuckets } from '../../../platform/kernel/token-buckets.ts';

/** Limits failures by origin. Only failures count: correct credentials are never refused because of somebody else's guesses. */
export interface FailureLimit {
  /** Seconds until another failure would be within the limit; 0 if it would be now. */
  waitSeconds(address: string, identity: string): Promise<number>;
  /** Counts a failure and returns 0 if it is within the limit; otherwise returns the seconds to wait. */
  count(address: string, identity: string): Promise<number>;
}

interface FailureLimitOptions {
  /** What is counted; each kind of failure has its own limit. */
  readonly of: 'refused signatures' | 'wrong digests' | 'refused clients' | 'unknown tokens';
  readonly buckets: OpenBuckets;
  /** Failures per minute of one identity from one network; null = no limit. */
  readonly perMinute: number | null;
}

// A stranger can make up any number of identities, so each network has its own limit: this many times that of one identity.
const NETWORK_SHARE = 10;

export function createFailureLimit({
  of,
  buckets: open,
  perMinute,
}: FailureLimitOptions): FailureLimit {
  if (perMinute === null) return { waitSeconds: async () => 0, count: async () => 0 };
  const bucketsOf = (by: string, capacity: number) =>
    open(`${of} by ${by}`, { capacity, refillPerSecond: capacity / 60 });
  const identities = bucketsOf('identity', perMinute);
  const networks = bucketsOf('network', perMinute * NETWORK_SHARE);
  const waitSeconds: FailureLimit['waitSeconds'] = async (address, identity) => {
    const network = networkOf(address);
    const left = await Promise.all([
      networks.peek(network),
      identities.peek(`${network} ${identity}`),
    ]);
    return Math.max(...left.map(({ retryAfterSeconds }) => retryAfterSeconds));
  };
  return {
    waitSeconds,
    async count(address, identity) {
      const seconds = await waitSeconds(address, identity);
      if (seconds > 0) return seconds;
      const network = networkOf(address);
      const taken = await Promise.all([
        networks.take(network),
        identities.take(`${network} ${identity}`),
      ]);
      // Others may have taken the last ones meanwhile.
      return Math.max(
        ...taken.map(({ granted, retryAfterSeconds }) => (granted ? 0 : retryAfterSeconds)),
      );
    },
  };
}
