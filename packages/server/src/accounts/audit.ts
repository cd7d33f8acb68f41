import type { AuditKind } from '@helioport/contract';
import { firstIdAt, type IdSource } from '../kernel/ids.ts';
import type { Db, Instant } from '../storage/database.ts';

/** Who did something: `account:<id>`, `key:<id>`, `application:<id>`, the operator's command line, or the service itself. */
export type Actor = `account:${string}` | `key:${string}` | `application:${string}` | 'operator' | 'service';

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
export function changedFacts(before: Facts, after: Facts): { before: Record<string, AuditFact>; after: Record<string, AuditFact> } | undefined {
  const changed = Object.keys(after).filter((name) => after[name] !== undefined && (before[name] ?? null) !== after[name]);
  if (changed.length === 0) return undefined;
  const of = (facts: Facts): Record<string, AuditFact> => Object.fromEntries(changed.map((name) => [name, facts[name] ?? null]));
  return { before: of(before), after: of(after) };
}

type Facts = Readonly<Record<string, AuditFact | undefined>>;

/** What happened, and which account it concerns; that account may read the event. */
export interface NewAuditEvent {
  readonly kind: AuditKind;
  readonly accountId: string | null;
  readonly data?: AuditData;
}

/** Appends one event. Events are never changed, and are deleted only when they are old enough. */
export const recordAudit = (trx: Db, act: Act, event: NewAuditEvent): Promise<void> => recordAudits(trx, act, [event]);

const ROWS_AT_ONCE = 500;

/** Appends several events of one act, in order. */
export async function recordAudits(trx: Db, { at, actor, address, newId }: Act, events: readonly NewAuditEvent[]): Promise<void> {
  const rows = events.map(({ kind, accountId, data = {} }) => ({ id: newId(), at, kind, accountId, actor, address, data: JSON.stringify(data) }));
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    await trx
      .insertInto('auditEvent')
      .values(rows.slice(from, from + ROWS_AT_ONCE))
      .execute();
  }
}

export interface AuditEvent {
  readonly id: string;
  readonly at: Instant;
  readonly kind: AuditKind;
  readonly actor: Actor;
  readonly address: string | null;
  readonly data: AuditData;
}

/** The events that concern an account, newest first. `before` is the id of the last event on the previous page. */
export async function listAudit(db: Db, accountId: string, page: { before?: string; limit: number }): Promise<AuditEvent[]> {
  let query = db.selectFrom('auditEvent').select(['id', 'at', 'kind', 'actor', 'address', 'data']).where('accountId', '=', accountId);
  if (page.before !== undefined) query = query.where('id', '<', page.before);
  const rows = await query.orderBy('id', 'desc').limit(page.limit).execute();
  return rows.map((row) => ({ ...row, kind: row.kind as AuditKind, actor: row.actor as Actor, data: JSON.parse(row.data) as AuditData }));
}

/** Deletes at most `limit` events older than `before`; returns how many. Ids ascend with time, so the oldest events are found by primary key. */
export async function sweepAudit(db: Db, before: Instant, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('auditEvent')
    .where('id', 'in', (eb) => eb.selectFrom('auditEvent').select('id').where('id', '<', firstIdAt(before)).orderBy('id').limit(limit))
    .executeTakeFirst();
  return Number(numDeletedRows);
}
