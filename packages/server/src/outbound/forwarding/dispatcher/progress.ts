import { eventKinds } from '@helioport/contract';
import { CompiledQuery } from 'kysely';
import { logBounds } from '../../../platform/events/read.ts';
import type { LogPosition } from '../../../platform/events/position.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import { engineOf, type Engine } from '../../../platform/storage/engine.ts';
import type { Health } from '../../delivery/health.ts';
import type { Waiting } from '../../delivery/machine.ts';
import { pauseBeforeProbe, type Random } from '../../delivery/schedule.ts';
import type { Pending } from './outgoing.ts';

/** Where the events of a device begin that wait. */
export interface StreamHead {
  readonly subject: string;
  /** Position before the first entry that waits; in that one, events with a number below `sequence` have been dealt with. */
  readonly position: LogPosition;
  readonly sequence: number;
}

/** A device whose events wait. */
export type WaitingDevice = Waiting<StreamHead>;

/** How far a destination is, as stored. */
export interface DeliveryProgress {
  readonly position: LogPosition;
  readonly health: Health;
  readonly waiting: Map<string, WaitingDevice>;
  /** Whether the stream waits for a snapshot. */
  readonly awaitsSnapshot: boolean;
}

/** What is to be stored of a destination. */
export interface Changes {
  readonly destinationId: string;
  readonly progress: Pick<DeliveryProgress, 'position'> & Omit<Health, 'endedFor'>;
  readonly delivered: number;
  readonly failures: number;
  readonly deliveredAt: Instant | undefined;
  readonly failure:
    | { readonly at: Instant; readonly reason: string; readonly excerpt: string | null }
    | undefined;
  /** null = its events do not wait any more. */
  readonly waiting: ReadonlyMap<string, WaitingDevice | null>;
  readonly deadLetters: readonly DeadLetter[];
}

/** An event that is given up. */
export interface DeadLetter {
  readonly pending: Pending;
  readonly reason: string;
  readonly excerpt: string | null;
  readonly at: Instant;
}

/** Reads how far a destination is. Notes what of the log was deleted before it got there. */
export async function loadProgress(
  db: Db,
  destinationId: string,
  now: Instant,
): Promise<DeliveryProgress> {
  const row = await db
    .selectFrom('destinationProgress')
    .selectAll()
    .where('destinationId', '=', destinationId)
    .executeTakeFirstOrThrow();
  const waiting = await db
    .selectFrom('waitingDevice')
    .selectAll()
    .where('destinationId', '=', destinationId)
    .execute();
  const snapshot = await db
    .selectFrom('snapshot')
    .select('state')
    .where('destinationId', '=', destinationId)
    .executeTakeFirst();
  await noteLost(db, destinationId, row.no, now);
  const { key, no, probes, nextAt, failingSince, outcomes } = row;
  return {
    position: { key, no },
    health: { probes, nextAt, failingSince, outcomes, endedFor: null },
    awaitsSnapshot: snapshot?.state === 'sending',
    waiting: new Map(
      waiting.map(({ destinationId: _, key: k, no: n, ...device }) => [
        device.subject,
        { ...device, position: { key: k, no: n } },
      ]),
    ),
  };
}

async function noteLost(db: Db, destinationId: string, no: number, at: Instant): Promise<void> {
  const bounds = await logBounds(db);
  if (!bounds || bounds.first <= no + 1) return;
  await db
    .insertInto('lostStretch')
    .values({ destinationId, afterNo: no, untilNo: bounds.first - 1, at })
    .onConflict((conflict) =>
      conflict.columns(['destinationId', 'afterNo']).doUpdateSet({ untilNo: bounds.first - 1, at }),
    )
    .execute();
}

/** Puts a destination off that could not even be tried, as if it had been probed in vain, unless it is put off already. Resolves to when it is tried again. */
export async function putOff(
  trx: Db,
  destinationId: string,
  reason: string,
  now: Instant,
  random: Random,
): Promise<Instant> {
  const row = await trx
    .selectFrom('destinationProgress')
    .select(['probes', 'nextAt'])
    .where('destinationId', '=', destinationId)
    .executeTakeFirst();
  // Without a row, it was removed just now.
  if (!row || row.nextAt > now) return row?.nextAt ?? Infinity;
  const probes = row.probes + 1;
  const nextAt = now + pauseBeforeProbe(probes, random());
  await trx
    .updateTable('destinationProgress')
    .set({ probes, nextAt, failedAt: now, failure: reason, excerpt: null })
    .where('destinationId', '=', destinationId)
    .execute();
  return nextAt;
}

const ofProgress = listed({
  id: 'text',
  key: 'bigint',
  no: 'bigint',
  probes: 'bigint',
  nextAt: 'bigint',
  failingSince: 'bigint',
  outcomes: 'text',
  delivered: 'bigint',
  failures: 'bigint',
  deliveredAt: 'bigint',
  failedAt: 'bigint',
  failure: 'text',
  excerpt: 'text',
});
const UPDATE = bothEngines(
  ofProgress,
  (
    given,
  ) => `update "destinationProgress" as it set key = given.key, no = given.no, probes = given.probes, "nextAt" = given."nextAt",
    "failingSince" = given."failingSince", outcomes = given.outcomes, delivered = it.delivered + given.delivered, failures = it.failures + given.failures,
    "deliveredAt" = coalesce(given."deliveredAt", it."deliveredAt"), "failedAt" = coalesce(given."failedAt", it."failedAt"),
    failure = case when given."failedAt" is null then it.failure else given.failure end,
    excerpt = case when given."failedAt" is null then it.excerpt else given.excerpt end
    from (${given}) as given where it."destinationId" = given.id returning "destinationId"`,
);

const ofDevice = listed({
  destinationId: 'text',
  subject: 'text',
  key: 'bigint',
  no: 'bigint',
  sequence: 'bigint',
  attempts: 'bigint',
  nextAt: 'bigint',
  reason: 'text',
  excerpt: 'text',
});
const KEEP = bothEngines(
  ofDevice,
  (
    given,
  ) => `insert into "waitingDevice" (${ofDevice.names}) select ${ofDevice.names} from (${given}) as given where true
    on conflict ("destinationId", subject) do update set key = excluded.key, no = excluded.no, sequence = excluded.sequence,
    attempts = excluded.attempts, "nextAt" = excluded."nextAt", reason = excluded.reason, excerpt = excluded.excerpt`,
);
const LET_GO = bothEngines(
  listed({ destinationId: 'text', subject: 'text' }),
  (given) => `delete from "waitingDevice" where ("destinationId", subject) in (${given})`,
);

/** Stores what has changed of destinations, if they are still there: one statement for all, however many they are. */
export async function saveChanges(trx: Db, all: readonly Changes[]): Promise<void> {
  const { rows } = await write<{ destinationId: string }>(
    trx,
    UPDATE,
    all.map(
      ({
        destinationId: id,
        progress: { position, ...progress },
        delivered,
        failures,
        deliveredAt,
        failure,
      }) => {
        const { at: failedAt, reason, excerpt } = failure ?? {};
        return {
          id,
          ...position,
          ...progress,
          delivered,
          failures,
          deliveredAt,
          failedAt,
          failure: reason,
          excerpt,
        };
      },
    ),
  );
  const there = new Set(rows.map(({ destinationId }) => destinationId));
  const changes = all.filter(({ destinationId }) => there.has(destinationId));
  const waiting = changes.flatMap(({ destinationId, waiting: its }) =>
    Array.from(its, ([subject, device]) => ({ destinationId, subject, device })),
  );
  const kept = waiting.flatMap(({ destinationId, device }) => {
    if (!device) return [];
    const { position, ...others } = device;
    return [{ destinationId, ...position, ...others }];
  });
  if (kept.length > 0) await write(trx, KEEP, kept);
  const gone = waiting.flatMap(({ destinationId, subject, device }) =>
    device ? [] : [{ destinationId, subject }],
  );
  if (gone.length > 0) await write(trx, LET_GO, gone);
  for (const { destinationId, deadLetters } of changes) {
    for (const { pending, reason, excerpt, at } of deadLetters) {
      const { id: eventId, kind, subject, sn, sequence } = pending.event;
      await trx
        .insertInto('deadLetter')
        .values({
          destinationId,
          eventId,
          kind: eventKinds[kind].bit,
          subject,
          sn,
          sequence,
          reason,
          excerpt,
          at,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
  }
}

/** One JSON array of objects as a parameter, so that the text stays the same. */
const write = <R>(trx: Db, texts: Readonly<Record<Engine, string>>, rows: readonly object[]) =>
  trx.executeQuery<R>(CompiledQuery.raw(texts[engineOf(trx)], [JSON.stringify(rows)]));

/** The columns of such rows, by their types on PostgreSQL. */
function listed(columns: Readonly<Record<string, 'text' | 'bigint'>>) {
  const all = Object.entries(columns);
  return {
    names: all.map(([name]) => `"${name}"`).join(', '),
    sqlite: `select ${all.map(([name]) => `value ->> '${name}' as "${name}"`).join(', ')} from json_each(?)`,
    postgres: `select ${all.map(([name, type]) => `(value ->> '${name}')::${type} as "${name}"`).join(', ')} from json_array_elements($1::json) as value`,
  };
}

function bothEngines(
  rows: Readonly<Record<Engine, string>>,
  text: (given: string) => string,
): Readonly<Record<Engine, string>> {
  return { sqlite: text(rows.sqlite), postgres: text(rows.postgres) };
}
