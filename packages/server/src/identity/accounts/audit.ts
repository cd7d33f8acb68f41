import type { AuditKind } from '@helioport/contract';
import type { Insertable } from 'kysely';
import { firstIdAt, type IdSource } from '../../platform/kernel/ids.ts';
import type { AuditEventTable, Db, Instant } from '../../platform/storage/database.ts';
import { prepareQuery, type ParameterOf } from '../../platform/storage/prepare.ts';

/** Who did something: `account:<id>`, `key:<id>`, `application:<id>`, the operator's command line, or the service itself. */
export type Actor =
  | `account:${string}`
  | `key:${string}`
  | `application:${string}`
  | 'operator'
  | 'service';

/** The context of a change for the audit trail: when, by whom, from where. Every function that changes something takes one. */
export interface Act {
  readonly at: Instant;
  readonly actor: Actor;
  /** The peer's network address, if there is one. */
  readonly address: string | null;
  readonly newId: IdSource;
}

/** Details of an event. Never a secret, a password, a token or anything typed into a password form. */
export type AuditData = Readonly<Record<string, AuditFact | Readonly<Record<string, AuditFact>>>>;

type AuditFact = string | number | boolean | null | readonly string[];

/** The facts that differ between two versions, with both values; undefined if none do. */
export function changedFacts(
  before: Facts,
  after: Facts,
): { before: Record<string, AuditFact>; after: Record<string, AuditFact> } | undefined {
  const changed = Object.keys(after).filter(
    (name) => after[name] !== undefined && (before[name] ?? null) !== after[name],
  );
  if (changed.length === 0) return undefined;
  const of = (facts: Facts): Record<string, AuditFact> =>
    Object.fromEntries(changed.map((name) => [name, facts[name] ?? null]));
  return { before: of(before), after: of(after) };
}

type Facts = Readonly<Record<string, AuditFact | undefined>>;

/** What happened, and which account it concerns; that account may read the event. */
export interface NewAuditEvent {
  readonly kind: AuditKind;
  readonly accountId: string | null;
  readonly data?: AuditData;
}

const insertEvent = prepareQuery((db, p: ParameterOf<Insertable<AuditEventTable>>) =>
  db.insertInto('auditEvent').values({
    id: p('id'),
    at: p('at'),
    kind: p('kind'),
    accountId: p('accountId'),
    actor: p('actor'),
    address: p('address'),
    data: p('data'),
  }),
);

/** Appends one event. Events are never changed, and are deleted only when they are old enough. */
export const recordAudit = async (trx: Db, act: Act, event: NewAuditEvent): Promise<void> =>
  void (await insertEvent(trx, rowOf(act, event)));

const ROWS_AT_ONCE = 500;

/** Appends several events of one act, in order. */
export async function recordAudits(
  trx: Db,
  act: Act,
  events: readonly NewAuditEvent[],
): Promise<void> {
  const rows = events.map((event) => rowOf(act, event));
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    await trx
      .insertInto('auditEvent')
      .values(rows.slice(from, from + ROWS_AT_ONCE))
      .execute();
  }
}

const rowOf = (
  { at, actor, address, newId }: Act,
  { kind, accountId, data = {} }: NewAuditEvent,
): Insertable<AuditEventTable> => ({
  id: newId(),
  at,
  kind,
  accountId,
  actor,
  address,
  data: JSON.stringify(data),
});

export interface AuditEvent {
  readonly id: string;
  readonly at: Instant;
  readonly kind: AuditKind;
  readonly actor: Actor;
  readonly address: string | null;
  readonly data: AuditData;
}

/** The events that concern an account, newest first. `before` is the id of the last event on the previous page. */
export async function listAudit(
  db: Db,
  accountId: string,
  page: { before?: string; limit: number },
): Promise<AuditEvent[]> {
  let query = db
    .selectFrom('auditEvent')
    .select(['id', 'at', 'kind', 'actor', 'address', 'data'])
    .where('accountId', '=', accountId);
  if (page.before !== undefined) query = query.where('id', '<', page.before);
  const rows = await query.orderBy('id', 'desc').limit(page.limit).execute();
  return rows.map((row) => ({
    ...row,
    kind: row.kind as AuditKind,
    actor: row.actor as Actor,
    data: JSON.parse(row.data) as AuditData,
  }));
}

/** The events that an account did itself, or with a key pair of its own, as far as they are among some; by id. */
export async function listOwnDeeds(
  db: Db,
  accountId: string,
  events: readonly AuditEvent[],
): Promise<ReadonlySet<string>> {
  const keys = await db
    .selectFrom('keyPair')
    .select('id')
    .where('accountId', '=', accountId)
    .execute();
  const own = new Set<string>([`account:${accountId}`, ...keys.map(({ id }) => `key:${id}`)]);
  return new Set(events.flatMap(({ id, actor }) => (own.has(actor) ? [id] : [])));
}

/** Deletes at most `limit` events older than `before`; returns how many. Ids ascend with time, so the oldest events are found by primary key. */
export async function sweepAudit(db: Db, before: Instant, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('auditEvent')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('auditEvent')
        .select('id')
        .where('id', '<', firstIdAt(before))
        .orderBy('id')
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
