import { eventKinds, type EventKind } from '@helioport/contract';
import { CompiledQuery } from 'kysely';
import type { Db, Instant } from '../storage/database.ts';
import { engineOf } from '../storage/engine.ts';
import { keyNow } from './position.ts';

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
export interface NewEntry {
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
  readonly data: Readonly<Record<string, unknown>>;
}

// An entry is read and parsed as a whole.
const EVENTS_AT_MOST = 200;
const ROWS_AT_ONCE = 100;

/**
 * Appends entries to the log, in the transaction that makes their events true. Whoever calls this holds a lock of each subject: of the device's series
 * for samples, of its row for everything else about devices, of the row of the plant or grant. So numbers have no gaps, and nobody waits here.
 */
export async function appendEntries(trx: Db, entries: readonly NewEntry[], now: Instant): Promise<void> {
  for (const round of rounds(entries)) {
    const numbered = await numberSequences(trx, round, now);
    const rows = round.flatMap((entry) => rowsOf(entry, numbered, now));
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
      await trx
        .insertInto('event')
        .values(rows.slice(from, from + ROWS_AT_ONCE).map((row) => ({ ...row, key: keyNow(trx) })))
        .execute();
    }
  }
}

/** Divides entries so that in each part no sequence occurs in two of them: a device may have readings in several plants. */
function rounds(entries: readonly NewEntry[]): NewEntry[][] {
  const all: { readonly entries: NewEntry[]; readonly taken: Set<string> }[] = [];
  for (const entry of entries) {
    const keys = [...new Set(entry.events.map(({ subject }) => `${entry.kind} ${subject}`))];
    // After the last part that has one of them: parts keep the order of the entries.
    const last = all.findLastIndex(({ taken }) => keys.some((key) => taken.has(key)));
    let part = all[last + 1];
    if (!part) all.push((part = { entries: [], taken: new Set() }));
    part.entries.push(entry);
    for (const key of keys) part.taken.add(key);
  }
  return all.map((part) => part.entries);
}

interface Numbered {
  readonly subject: string;
  readonly kind: number;
  /** The last number that was given out. */
  readonly sequence: number;
  readonly previousAt: Instant;
}

// Both take one parameter for all rows, so that the text stays the same. `previousAt` is 0 where the last event belonged to another plant or owner.
const UPSERT = `on conflict (subject, kind) do update set sequence = "eventStream".sequence + excluded.sequence, "lastAt" = excluded."lastAt",
  "plantId" = excluded."plantId", "accountId" = excluded."accountId",
  "previousAt" = case when "eventStream"."accountId" = excluded."accountId" and coalesce("eventStream"."plantId", '') = coalesce(excluded."plantId", '')
    then "eventStream"."lastAt" else 0 end
  returning subject, kind, sequence, "previousAt"`;
const COLUMNS = '(subject, kind, sequence, "lastAt", "plantId", "accountId", "previousAt")';
const NUMBER = {
  sqlite: `insert into "eventStream" ${COLUMNS} select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, 0
    from json_each(?) where true ${UPSERT}`,
  postgres: `insert into "eventStream" ${COLUMNS} select value ->> 0, (value ->> 1)::int, (value ->> 2)::bigint, (value ->> 3)::bigint, value ->> 4, value ->> 5, 0
    from json_array_elements($1::json) as value ${UPSERT}`,
};

const keyOf = (subject: string, kind: number): string => `${kind} ${subject}`;

/** Gives out the next numbers of all sequences; returns the last number of each. */
async function numberSequences(trx: Db, entries: readonly NewEntry[], now: Instant): Promise<Map<string, Numbered>> {
  const rows: unknown[] = [];
  for (const { kind, events, plantId, accountId } of entries) {
    const counts = new Map<string, number>();
    for (const { subject } of events) counts.set(subject, (counts.get(subject) ?? 0) + 1);
    for (const [subject, count] of counts) rows.push([subject, eventKinds[kind].bit, count, now, plantId, accountId]);
  }
  const { rows: numbered } = await trx.executeQuery<Numbered>(CompiledQuery.raw(NUMBER[engineOf(trx)], [JSON.stringify(rows)]));
  return new Map(numbered.map((one) => [keyOf(one.subject, one.kind), one]));
}

function rowsOf({ kind: name, events, accountId, plantId, applicationId }: NewEntry, numbered: ReadonlyMap<string, Numbered>, now: Instant) {
  const kind = eventKinds[name].bit;
  const left = new Map<string, number>();
  for (const { subject } of events) left.set(subject, (left.get(subject) ?? 0) + 1);
  const given = new Set<string>();
  const texts = events.map(({ subject, sn, occurredAt, data }) => {
    const { sequence: last, previousAt } = numbered.get(keyOf(subject, kind))!;
    const remaining = left.get(subject)! - 1;
    left.set(subject, remaining);
    const before = given.has(subject) ? now : previousAt;
    given.add(subject);
    const head = JSON.stringify({ subject, sn, sequence: last - remaining, previousAt: before, occurredAt });
    return `${head.slice(0, -1)},"data":${data}}`;
  });
  const row = { kind, accountId, plantId, applicationId: applicationId ?? null, recordedAt: now };
  return Array.from({ length: Math.ceil(texts.length / EVENTS_AT_MOST) }, (_, i) => ({
    ...row,
    events: `[${texts.slice(i * EVENTS_AT_MOST, (i + 1) * EVENTS_AT_MOST).join(',')}]`,
  }));
}
