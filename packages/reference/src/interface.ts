import { errors, type ErrorCode, type Operation } from '@helioport/contract';
import type { Limit } from './topics.ts';

/** What both references are made of. */
export interface InterfaceOptions {
  readonly operations: readonly Operation[];
  /** Address of the interface. */
  readonly url: string;
  readonly version: string;
}

export const allErrors = Object.keys(errors) as ErrorCode[];

export const rateOf = (per: 'key' | 'authorization', rateLimit: number | null): Limit => ({
  what: `requests per ${per} and operation`,
  value: rateLimit === null ? 'none' : `${rateLimit} a second; the RateLimit headers say what is left`,
});
