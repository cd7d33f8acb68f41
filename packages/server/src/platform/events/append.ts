import { eventKinds, type EventKind } from '@helioport/contract';
import type { Insertable } from 'kysely';
import type { Db, EventTable, Instant } from '../storage/database.ts';
import { keyNow } from './position.ts';
import { numberSequences, roundsOf, type Numbered } from './sequences.ts';

/** An event that is about to be recorded. */
export interface NewEvent {
  /** What its sequence is about: a device, a plant or a grant, by id. */
  readonly subject: string;
  /** Serial number of the device, if it is about one. */
  readonly sn: string | null;
  readonly occurredAt: Instant;
  /** JSON object. */
  readonly data: string;
}

/** Events of one kind that belong together: in one plant, or about one authorization. */
export interface NewLogEntry {
  readonly kind: EventKind;
  /** The owner of the plant, or whose authorization it is. */
  readonly accountId: string;
  readonly plantId: string | null;
  /** For events of authorizations. */
  readonly applicationId?: string;
  /** In the order of their sequences. */
  readonly events: readonly NewEvent[];
}

/** An event as stored within its entry. */
export interface StoredEvent {
  readonly subject: string;
  readonly sn: string | null;
  readonly sequence: number;
  /** When the event before it in its sequence was recorded; 0 if that belonged to another plant or owner. */
  readonly previousAt: Instant;
  readonly occurredAt: Instant;
  /** Makes its JSON object: of most events, only some destination needs it. */
  data(): string;
}

/** Events of one entry: it is read and parsed as a whole. */
export const EVENTS_AT_MOST = 200;
const ROWS_AT_ONCE = 100;

/**
 * Appends entries to the log, in the transaction that makes their events true. The caller holds a lock of each subject: of the device's series
 * for samples, of its row for everything else about devices, of the row of the plant or grant. So numbers have no gaps, and nobody waits here.
 */
export async function appendEntries(
  trx: Db,
  entries: readonly NewLogEntry[],
  now: Instant,
): Promise<void> {
  for (const round of roundsOf(entries, ({ kind, events }) =>
    events.map(({ subject }) => keyOf(subject, eventKinds[kind].bit)),
  )) {
    const numbered = await numbersOf(trx, round, now);
    await insertEntries(
      trx,
      round.flatMap((entry) => rowsOf(entry, numbered, now)),
    );
  }
}

/** Stores entries at the end of the log. */
export async function insertEntries(
  trx: Db,
  rows: readonly Omit<Insertable<EventTable>, 'key'>[],
): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    await trx
      .insertInto('event')
      .values(rows.slice(from, from + ROWS_AT_ONCE).map((row) => ({ ...row, key: keyNow(trx) })))
      .execute();
  }
}

const keyOf = (subject: string, kind: number): string => `${kind} ${subject}`;

/** Gives out the next numbers of all sequences; returns them by key. */
async function numbersOf(
  trx: Db,
  entries: readonly NewLogEntry[],
  now: Instant,
): Promise<Map<string, Numbered>> {
  const wanted = entries.flatMap(({ kind, events, plantId, accountId }) =>
    Array.from(countBySubject(events), ([subject, count]) => ({
      subject,
      kind: eventKinds[kind].bit,
      count,
      plantId,
      accountId,
    })),
  );
  return new Map(
    (await numberSequences(trx, wanted, now)).map((one) => [keyOf(one.subject, one.kind), one]),
  );
}

function countBySubject(events: readonly NewEvent[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { subject } of events) counts.set(subject, (counts.get(subject) ?? 0) + 1);
  return counts;
}

function rowsOf(
  { kind: name, events, accountId, plantId, applicationId }: NewLogEntry,
  numbered: ReadonlyMap<string, Numbered>,
  now: Instant,
) {
  const kind = eventKinds[name].bit;
  const left = countBySubject(events);
  const given = new Set<string>();
  const texts = events.map(({ subject, sn, occurredAt, data }) => {
    const { sequence: last, previousAt } = numbered.get(keyOf(subject, kind))!;
    const remaining = left.get(subject)! - 1;
    left.set(subject, remaining);
    const before = given.has(subject) ? now : previousAt;
    given.add(subject);
    const head = JSON.stringify({
      subject,
      sn,
      sequence: last - remaining,
      previousAt: before,
      occurredAt,
    });
    return `${head.slice(0, -1)},"data":${data}}`;
  });
  const row = { kind, accountId, plantId, applicationId: applicationId ?? null, recordedAt: now };
  return Array.from({ length: Math.ceil(texts.length / EVENTS_AT_MOST) }, (_, i) => ({
    ...row,
    events: `[${texts.slice(i * EVENTS_AT_MOST, (i + 1) * EVENTS_AT_MOST).join(',')}]`,
  }));
}
