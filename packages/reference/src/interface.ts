import { errors, type ErrorCode, type Operation } from '@helioport/contract';
import type { RequestValues } from './requests.ts';
import type { Limit } from './topics.ts';

/** What both references are made of. */
export interface InterfaceOptions {
  readonly operations: readonly Operation[];
  /** Address of the interface. */
  readonly url: string;
  readonly version: string;
  /** What requests carry in place of the examples' made-up ids; without it they say what to put in. */
  readonly requestValues?: RequestValues | undefined;
}

export const allErrors = Object.keys(errors) as ErrorCode[];

export const rateOf = (per: 'key' | 'authorization', rateLimit: number | null): Limit => ({
  what: `requests per ${per} and operation`,
  value: rateLimit === null ? 'none' : `${rateLimit} per second; the RateLimit headers say what is left`,
});
