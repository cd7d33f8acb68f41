import { CompiledQuery } from 'kysely';
import type { Db, Instant } from '../storage/database.ts';
import { engineOf } from '../storage/engine.ts';

/** Numbers that are to be given out. */
export interface WantedNumbers {
  readonly subject: string;
  /** A bit of the contract's kinds. */
  readonly kind: number;
  readonly count: number;
  readonly plantId: string | null;
  readonly accountId: string;
}

export interface Numbered {
  readonly subject: string;
  readonly kind: number;
  /** The last number that was given out. */
  readonly sequence: number;
  /** When the event before these was recorded; 0 if it belonged to another plant or owner. */
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

/** Gives out the next numbers of some sequences, all different; they are locked. */
export async function numberSequences(
  trx: Db,
  wanted: readonly WantedNumbers[],
  now: Instant,
): Promise<Numbered[]> {
  const rows = wanted.map(({ subject, kind, count, plantId, accountId }) => [
    subject,
    kind,
    count,
    now,
    plantId,
    accountId,
  ]);
  return (
    await trx.executeQuery<Numbered>(
      CompiledQuery.raw(NUMBER[engineOf(trx)], [JSON.stringify(rows)]),
    )
  ).rows;
}

/** Divides entries so that in each part no sequence occurs in two of them: a device may have readings in several plants. */
export function roundsOf<Entry>(
  entries: readonly Entry[],
  sequencesOf: (entry: Entry) => Iterable<string>,
): Entry[][] {
  const all: { readonly entries: Entry[]; readonly taken: Set<string> }[] = [];
  for (const entry of entries) {
    const keys = [...sequencesOf(entry)];
    // After the last part that has one of them: parts keep the order of the entries.
    const last = all.findLastIndex(({ taken }) => keys.some((key) => taken.has(key)));
    let part = all[last + 1];
    if (!part) all.push((part = { entries: [], taken: new Set() }));
    part.entries.push(entry);
    for (const key of keys) part.taken.add(key);
  }
  return all.map((part) => part.entries);
}
