import { errors, type ErrorCode, type Operation } from '@helioport/contract';
import type { RequestValues } from './requests.ts';
import type { Limit } from './topics.ts';

/** Options of both references. */
export interface InterfaceOptions {
  readonly operations: readonly Operation[];
  /** Address of the interface. */
  readonly url: string;
  readonly version: string;
  /** Values that replace the made-up ids of the examples in requests; without them, requests contain placeholders. */
  readonly requestValues?: RequestValues | undefined;
}

export const allErrors = Object.keys(errors) as ErrorCode[];

export const rateOf = (per: 'key' | 'authorization', rateLimit: number | null): Limit => ({
  what: `requests per ${per} and operation`,
  value:
    rateLimit === null
      ? 'none'
      : `${rateLimit} per second; the RateLimit headers show what is left`,
});
