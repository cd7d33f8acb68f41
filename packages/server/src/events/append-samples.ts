import { eventKinds } from '@helioport/contract';
import { CompiledQuery } from 'kysely';
import type { Db, Instant } from '../storage/database.ts';
import { engineOf } from '../storage/engine.ts';
import { binaryArray } from '../storage/postgres/binary-array.ts';
import { EVENTS_AT_MOST } from './append.ts';
import { APPEND_KEY } from './position.ts';
import { packSamples, type NewSamples, type PackedSamples } from './samples.ts';
import { numberSequences, roundsOf } from './sequences.ts';

/** Samples of one plant that one transaction has stored. */
export interface NewSampleEntry {
  readonly plantId: string;
  /** The owner of the plant. */
  readonly accountId: string;
  readonly devices: readonly NewSamples[];
}

type Row = PackedSamples & Pick<NewSampleEntry, 'plantId' | 'accountId'>;

/** An entry with how many samples it has of each device. */
interface Counted extends NewSampleEntry {
  readonly counts: ReadonlyMap<string, number>;
}

const KIND = eventKinds['telemetry.sample'].bit;

/** Appends samples to the log, as appendEntries does with events of other kinds. Each report pays for this, so the SQL is written for each engine. */
export async function appendSamples(trx: Db, entries: readonly NewSampleEntry[], now: Instant): Promise<void> {
  const append = engineOf(trx) === 'sqlite' ? appendRows : appendAtOnce;
  const counted = entries.map((entry): Counted => ({ ...entry, counts: countsOf(entry.devices) }));
  for (const round of roundsOf(counted, ({ counts }) => counts.keys())) {
    const rows = round.flatMap(({ plantId, accountId, devices, counts }) =>
      packSamples(devices, counts, EVENTS_AT_MOST).map(({ head, bytes, subjects }): Row => ({ head, bytes, subjects, plantId, accountId })),
    );
    await append(trx, round, rows, now);
  }
}

function countsOf(devices: readonly NewSamples[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { subject, samples } of devices) counts.set(subject, (counts.get(subject) ?? 0) + samples.length);
  return counts;
}

// In groups, which save calls; of powers of two, so that few different statements have to be prepared.
const ROWS_AT_ONCE = 16;
const INSERT_ROWS = new Map(
  [1, 2, 4, 8, ROWS_AT_ONCE].map((rows) => [
    rows,
    `insert into event (kind, "accountId", "plantId", "recordedAt", events, samples, numbers) values ${Array(rows).fill(`(${KIND}, ?, ?, ?, ?, ?, ?)`).join(', ')}`,
  ]),
);

async function appendRows(trx: Db, entries: readonly Counted[], rows: readonly Row[], now: Instant): Promise<void> {
  const wanted = entries.flatMap(({ plantId, accountId, counts }) =>
    Array.from(counts, ([subject, count]) => ({ subject, kind: KIND, count, plantId, accountId })),
  );
  const numbers = new Map((await numberSequences(trx, wanted, now)).map(({ subject, sequence, previousAt }) => [subject, `[${sequence},${previousAt}]`]));
  for (let done = 0, count = ROWS_AT_ONCE; done < rows.length; done += count) {
    while (count > rows.length - done) count /= 2;
    const cells = rows
      .slice(done, done + count)
      .flatMap(({ plantId, accountId, head, bytes, subjects }) => [
        accountId,
        plantId,
        now,
        head,
        bytes,
        `[${subjects.map((subject) => numbers.get(subject)).join(',')}]`,
      ]);
    await trx.executeQuery(CompiledQuery.raw(INSERT_ROWS.get(count)!, cells));
  }
}

// One statement, since each takes a round trip. A sequence that exists is updated rather than upserted, which would write it twice.
const AT_ONCE = `with given as (
    select * from unnest($1::text[], $2::int4[], $3::text[], $4::text[]) as given(subject, count, "plantId", "accountId")),
  updated as (
    update "eventStream" as s set sequence = s.sequence + given.count, "lastAt" = $5, "plantId" = given."plantId", "accountId" = given."accountId",
      "previousAt" = case when s."accountId" = given."accountId" and s."plantId" = given."plantId" then s."lastAt" else 0 end
    from given where s.subject = given.subject and s.kind = ${KIND} returning s.subject, s.sequence, s."previousAt"),
  made as (
    insert into "eventStream" (subject, kind, sequence, "lastAt", "plantId", "accountId", "previousAt")
    select subject, ${KIND}, count, $5, "plantId", "accountId", 0 from given where subject not in (select subject from updated)
    returning subject, sequence, "previousAt"),
  numbered as (select * from updated union all select * from made),
  told as (
    select row, json_agg(json_build_array(sequence, "previousAt") order by place)::text as numbers
    from unnest($6::int4[], $7::text[]) with ordinality as its(row, subject, place) join numbered using (subject) group by row)
  insert into event (key, kind, "accountId", "plantId", "recordedAt", events, samples, numbers)
  select ${APPEND_KEY}, ${KIND}, "accountId", "plantId", $5, head, bytes, numbers
  from unnest($8::text[], $9::text[], $10::text[], $11::bytea[]) with ordinality as entry("accountId", "plantId", head, bytes, row) join told using (row)
  order by row`;

async function appendAtOnce(trx: Db, entries: readonly Counted[], rows: readonly Row[], now: Instant): Promise<void> {
  const [subjects, counts, plants, accounts]: [string[], number[], string[], string[]] = [[], [], [], []];
  for (const { plantId, accountId, counts: its } of entries) {
    for (const [subject, count] of its) {
      subjects.push(subject);
      counts.push(count);
      plants.push(plantId);
      accounts.push(accountId);
    }
  }
  const places = rows.flatMap((row, i) => row.subjects.map((subject) => ({ subject, row: i + 1 })));
  const column = (name: 'accountId' | 'plantId' | 'head'): string[] => rows.map((row) => row[name]);
  const parameters = [
    subjects,
    counts,
    plants,
    accounts,
    now,
    places.map(({ row }) => row),
    places.map(({ subject }) => subject),
    column('accountId'),
    column('plantId'),
    column('head'),
    binaryArray(
      'bytes',
      rows.map(({ bytes }) => bytes),
    ),
  ];
  await trx.executeQuery(CompiledQuery.raw(AT_ONCE, parameters));
}
