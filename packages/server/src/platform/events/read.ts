import { eventKindNames, eventKinds, type EventKind } from '@helioport/contract';
import { sql } from 'kysely';
import { anyOf, listParameter } from '../storage/any-of.ts';
import type { Db, Instant } from '../storage/database.ts';
import { onEngine } from '../storage/engine.ts';
import { prepareQuery, type ParameterOf } from '../storage/prepare.ts';
import type { StoredEvent } from './append.ts';
import { settledKey, type LogPosition } from './position.ts';
import { unpackSamples, type SampleNumbers } from './samples.ts';

/** An event of the log. */
export interface LoggedEvent extends StoredEvent {
  /** Stays with the event, and does not recur after a backup was restored. */
  readonly id: string;
  readonly kind: EventKind;
  readonly version: number;
}

/** An entry of the log. Of one that only our own readers hear of, nothing is here but that there is one. */
export interface Entry extends LogPosition {
  /** Null if it has no events. */
  readonly kind: EventKind | null;
  readonly accountId: string;
  readonly applicationId: string | null;
  readonly plantId: string | null;
  readonly recordedAt: Instant;
  readonly events: readonly LoggedEvent[];
}

interface Row {
  key: number;
  no: number;
  kind: number;
  accountId: string;
  applicationId: string | null;
  plantId: string | null;
  recordedAt: number;
  events: string;
  samples: Uint8Array | null;
  numbers: string | null;
}

interface Stretch {
  key: number;
  no: number;
  limit: number;
}

const rows = (db: Db) =>
  db
    .selectFrom('event')
    .select([
      'key',
      'no',
      'kind',
      'accountId',
      'applicationId',
      'plantId',
      'recordedAt',
      'events',
      'samples',
      'numbers',
    ]);

const after = (db: Db, p: ParameterOf<Stretch>) =>
  onEngine(db, {
    sqlite: () => rows(db).where('no', '>', p('no')).orderBy('no'),
    postgres: () =>
      rows(db)
        .where(sql<boolean>`(key, no) > (${p('key')}, ${p('no')})`)
        .where('key', '>', sql.lit(0))
        .where('key', '<=', settledKey)
        .orderBy('key')
        .orderBy('no'),
  });

const selectAfter = prepareQuery<Stretch, Row>((db, p) => after(db, p).limit(p('limit')));

const selectOfPlants = prepareQuery<Stretch & { plantIds: unknown }, Row>((db, p) =>
  after(db, p)
    .where(anyOf(db, 'plantId', p('plantIds')))
    .where('kind', '>', 0)
    .limit(p('limit')),
);

const selectOfAuthorizations = prepareQuery<Stretch & { applicationId: string }, Row>((db, p) =>
  after(db, p)
    .where('plantId', 'is', null)
    .where('applicationId', '=', p('applicationId'))
    .limit(p('limit')),
);

/** Entries after a position, in their order; at most `limit`. On PostgreSQL, none that another could still come before. */
export const readEntries = async (
  db: Db,
  { key, no }: LogPosition,
  limit: number,
): Promise<Entry[]> => (await selectAfter(db, { key, no, limit })).map(entryOf);

/** Entries of some plants after a position, as readEntries. */
export const readEntriesOfPlants = async (
  db: Db,
  { key, no }: LogPosition,
  plantIds: readonly string[],
  limit: number,
): Promise<Entry[]> =>
  (await selectOfPlants(db, { key, no, limit, plantIds: listParameter(db, plantIds) })).map(
    entryOf,
  );

/** Entries about the authorizations of an application after a position, as readEntries. */
export const readEntriesOfAuthorizations = async (
  db: Db,
  { key, no }: LogPosition,
  applicationId: string,
  limit: number,
): Promise<Entry[]> =>
  (await selectOfAuthorizations(db, { key, no, limit, applicationId })).map(entryOf);

const kindOfBit = new Map<number, EventKind>(
  eventKindNames.map((kind) => [eventKinds[kind].bit, kind]),
);

function entryOf({ kind: bit, events, samples, numbers, ...row }: Row): Entry {
  const kind = kindOfBit.get(bit);
  if (!kind) return { ...row, kind: null, events: [] };
  const { version } = eventKinds[kind];
  // Samples that were recorded before version 0028 of the schema are JSON like all other events.
  const stored = samples
    ? unpackSamples(events, samples, JSON.parse(numbers!) as SampleNumbers, row.recordedAt)
    : parse(events);
  return {
    ...row,
    kind,
    events: stored.map((event, i) => ({
      ...event,
      kind,
      version,
      id: `${row.recordedAt}-${row.no}-${i}`,
    })),
  };
}

const parse = (events: string): StoredEvent[] =>
  (JSON.parse(events) as (Omit<StoredEvent, 'data'> & { readonly data: object })[]).map(
    ({ data, ...event }) => ({
      ...event,
      data: () => JSON.stringify(data),
    }),
  );

const ID = /^\d{1,15}-(\d{1,15})-\d{1,4}$/;

/** Finds the entry with an event. Undefined if it was pruned, or never was. */
export async function findEntryOf(db: Db, eventId: string): Promise<Entry | undefined> {
  const no = entryNumberOf(eventId);
  if (no === undefined) return undefined;
  const row = await rows(db).where('no', '=', no).executeTakeFirst();
  const entry = row && entryOf(row);
  return entry?.events.some(({ id }) => id === eventId) ? entry : undefined;
}

/** The number of the entry in which an event is, if it is the id of one. */
export function entryNumberOf(eventId: string): number | undefined {
  const [, no] = ID.exec(eventId) ?? [];
  return no === undefined ? undefined : Number(no);
}

/** The number of the first entry that is left, and of the last; undefined if there is none. */
export async function logBounds(
  db: Db,
): Promise<{ readonly first: number; readonly last: number } | undefined> {
  const { first, last } = await db
    .selectFrom('event')
    .select((eb) => [
      eb.fn.min<number | null>('no').as('first'),
      eb.fn.max<number | null>('no').as('last'),
    ])
    .executeTakeFirstOrThrow();
  return first === null || last === null ? undefined : { first, last };
}

/**
 * The number of the first entry that was recorded at a time or later, give or take what the clocks of instances differ by; undefined if there is
 * none. Numbers ascend with time, so that halving finds it without an index.
 */
export async function findEntryAt(db: Db, at: Instant): Promise<number | undefined> {
  const bounds = await logBounds(db);
  if (!bounds) return undefined;
  let [low, high] = [bounds.first, bounds.last + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const found = await db
      .selectFrom('event')
      .select(['no', 'recordedAt'])
      .where('no', '>=', middle)
      .orderBy('no')
      .limit(1)
      .executeTakeFirst();
    if (!found || found.recordedAt >= at) high = middle;
    else low = found.no + 1;
  }
  return low > bounds.last ? undefined : low;
}
