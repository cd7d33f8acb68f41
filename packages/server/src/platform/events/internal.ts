import { eventKinds, type EventKind } from '@helioport/contract';
import type { Db, Instant } from '../storage/database.ts';
import { EVENTS_AT_MOST, insertEntries } from './append.ts';

/**
 * Kinds of events that our own readers hear of. Where no destination could want one, it is stored with the number here: below 0, so that it is among no
 * destination's bits. Such an event has no number in a sequence, and never leaves.
 */
const internalNumbers = {
  'alarm.raised': -1,
  'alarm.cleared': -2,
} as const satisfies Partial<Record<EventKind, number>>;

export type InternalKind = keyof typeof internalNumbers;

export const isInternal = (kind: string): kind is InternalKind =>
  Object.hasOwn(internalNumbers, kind);

/** The numbers as which events of a kind are stored, by whether they may leave. */
const numbersOf = (kind: InternalKind): number[] => [internalNumbers[kind], eventKinds[kind].bit];

/** The kinds with the numbers as which their events are stored. */
export const kindsByNumber = (kinds: readonly InternalKind[]): Map<number, InternalKind> =>
  new Map(kinds.flatMap((kind) => numbersOf(kind).map((number) => [number, kind] as const)));

/** What has happened to one subject in a plant, as our own readers hear of it. */
export interface InternalEvent {
  readonly plantId: string;
  readonly deviceId: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Records events that only our own readers hear of, in the transaction that makes them true. */
export async function appendInternal(
  trx: Db,
  kind: InternalKind,
  events: readonly InternalEvent[],
  now: Instant,
): Promise<void> {
  const rows = [...Map.groupBy(events, ({ plantId }) => plantId)].flatMap(([plantId, its]) =>
    Array.from({ length: Math.ceil(its.length / EVENTS_AT_MOST) }, (_, i) => ({
      kind: internalNumbers[kind],
      accountId: '',
      plantId,
      recordedAt: now,
      events: JSON.stringify(
        its
          .slice(i * EVENTS_AT_MOST, (i + 1) * EVENTS_AT_MOST)
          .map(({ deviceId, data }) => ({ subject: deviceId, data })),
      ),
    })),
  );
  await insertEntries(trx, rows);
}
