import { inverterDay, inverterDetail, inverterList } from './inverters.ts';
import type { OperationData, OperationInput, OperationOutput } from './operation.ts';
import type { RequestOf } from './parameters.ts';
import { stationDetail, userStationList } from './plants.ts';

/** Every operation that is served: routes, access tests, reference and SDK are derived from this one table. */
export const operations = {
  userStationList,
  stationDetail,
  inverterList,
  inverterDetail,
  inverterDay,
} as const;

/** An operation's id: its public path after the prefix. */
export type OperationId = keyof typeof operations;

/** What a handler gets and returns, in our own words. */
export type InputOfOperation<Id extends OperationId> = OperationInput<(typeof operations)[Id]>;
export type OutputOfOperation<Id extends OperationId> = OperationOutput<(typeof operations)[Id]>;

/** What a caller sends, by the wire's names. */
export type WireRequest<Id extends OperationId> = RequestOf<(typeof operations)[Id]['request']>;

/** What the envelope of the answer holds as `data`. */
export type WireData<Id extends OperationId> = OperationData<(typeof operations)[Id]>;
