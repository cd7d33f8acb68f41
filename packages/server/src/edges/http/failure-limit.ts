import { networkOf } from '../../accounts/networks.ts';
import type { Clock } from '../../kernel/clock.ts';
import { createTokenBuckets } from '../../kernel/token-buckets.ts';

/** Failures by origin. Only failures count: correct credentials are never refused because of somebody else's guesses. */
export interface FailureLimit {
  /** Seconds until another failure is within the limit; 0 = it already is. */
  waitSeconds(address: string, identity: string): number;
  /** Counts a failure if it is within the limit; seconds to wait otherwise, 0 when it was counted. */
  count(address: string, identity: string): number;
}

interface FailureLimitOptions {
  readonly clock: Clock;
  /** Failures of one identity from one network; null = no limit. */
  readonly perMinute: number | null;
}

// A stranger can make up any number of identities, so networks are counted separately.
const NETWORK_SHARE = 10;

export function createFailureLimit({ clock, perMinute }: FailureLimitOptions): FailureLimit {
  if (perMinute === null) return { waitSeconds: () => 0, count: () => 0 };
  const bucketsOf = (capacity: number) => createTokenBuckets({ clock, capacity, refillPerSecond: capacity / 60 });
  const identities = bucketsOf(perMinute);
  const networks = bucketsOf(perMinute * NETWORK_SHARE);
  const waitSeconds: FailureLimit['waitSeconds'] = (address, identity) => {
    const network = networkOf(address);
    return Math.max(networks.peek(network).retryAfterSeconds, identities.peek(`${network} ${identity}`).retryAfterSeconds);
  };
  return {
    waitSeconds,
    count(address, identity) {
      const seconds = waitSeconds(address, identity);
      if (seconds > 0) return seconds;
      const network = networkOf(address);
      networks.take(network);
      identities.take(`${network} ${identity}`);
      return 0;
    },
  };
}
