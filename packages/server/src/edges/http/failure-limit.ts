import { networkOf } from '../../accounts/networks.ts';
import type { Clock } from '../../kernel/clock.ts';
import { createTokenBuckets } from '../../kernel/token-buckets.ts';

/** Limits failures by origin. Only failures count: correct credentials are never refused because of somebody else's guesses. */
export interface FailureLimit {
  /** Seconds until another failure would be within the limit; 0 if it would be now. */
  waitSeconds(address: string, identity: string): number;
  /** Counts a failure and returns 0 if it is within the limit; otherwise returns the seconds to wait. */
  count(address: string, identity: string): number;
}

interface FailureLimitOptions {
  readonly clock: Clock;
  /** Failures per minute of one identity from one network; null = no limit. */
  readonly perMinute: number | null;
}

// A stranger can make up any number of identities, so each network has its own limit: this many times that of one identity.
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
