import { eventKinds, type EventKind } from '@helioport/contract';
import type { Db, Instant } from '../storage/database.ts';
import { EVENTS_AT_MOST, insertEntries } from './append.ts';

/**
 * Kinds of events that our own readers hear of. Where no destination could want one, it is stored with the number here: below 0, so that it is among no
 * destination's bits. Such an event has no number in a sequence, and never leaves. Those that the contract does not know are never stored otherwise.
 */
const internalNumbers = {
  'alarm.raised': -1,
  'alarm.cleared': -2,
  'device.state': -3,
  'device.bound': -4,
  'device.unbound': -5,
  'control.result': -6,
  'command.state': -7,
  'invitation.sent': -8,
} as const;

export type InternalKind = keyof typeof internalNumbers;

export const isInternal = (kind: string): kind is InternalKind =>
  Object.hasOwn(internalNumbers, kind);

/** Some kinds by the numbers as which their events are stored, whether these may leave or not. */
export const kindsByNumber = (kinds: readonly InternalKind[]): Map<number, InternalKind> =>
  new Map(
    kinds.flatMap((kind) => {
      const bit = kind in eventKinds ? [eventKinds[kind as EventKind].bit] : [];
      return [internalNumbers[kind], ...bit].map((number) => [number, kind] as const);
    }),
  );

/** An event as our own readers hear of it. */
export interface InternalEvent {
  /** What it is about, by id. */
  readonly subject: string;
  readonly plantId: string | null;
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
          .map(({ subject, data }) => ({ subject, data })),
      ),
    })),
  );
  await insertEntries(trx, rows);
}
