import { plantlessKinds, type AuditKind } from '@helioport/contract';
import { firstIdAt } from '../../platform/kernel/ids.ts';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { findEmails } from './accounts.ts';
import type { Actor, AuditData, AuditEvent } from './audit.ts';

export interface AuditSearch {
  readonly from?: Instant | undefined;
  readonly to?: Instant | undefined;
  readonly kind?: AuditKind | undefined;
  readonly actor?: Actor | undefined;
  /** The account that the events concern. */
  readonly accountId?: string | undefined;
  /** The id of the last event on the page before. */
  readonly before?: string | undefined;
  readonly limit: number;
  /** Leaves out events about plants, and the plants in the details of others. */
  readonly withoutPlants: boolean;
}

export interface FoundEvent extends AuditEvent {
  readonly actorEmail: string | null;
  readonly email: string | null;
}

/** The events of all accounts, newest first. Ids ascend with time, so that a stretch of time is a range of ids. */
export async function searchAudit(
  db: Db,
  { from, to, kind, actor, accountId, before, limit, withoutPlants }: AuditSearch,
): Promise<FoundEvent[]> {
  let events = db.selectFrom('auditEvent as entry').where('entry.id', '>=', firstIdAt(from ?? 0));
  if (to !== undefined) events = events.where('entry.id', '<', firstIdAt(to));
  if (before !== undefined) events = events.where('entry.id', '<', before);
  if (actor !== undefined) events = events.where('entry.actor', '=', actor);
  if (accountId !== undefined) events = events.where('entry.accountId', '=', accountId);
  if (kind !== undefined) events = events.where('entry.kind', '=', kind);
  if (withoutPlants)
    events = events.where(anyOf(db, 'entry.kind', listParameter(db, plantlessKinds)));
  const rows = await events
    .leftJoin('account as subject', 'subject.id', 'entry.accountId')
    .select([
      'entry.id',
      'entry.at',
      'entry.kind',
      'entry.actor',
      'entry.address',
      'entry.data',
      'subject.email',
    ])
    .orderBy('entry.id', 'desc')
    .limit(limit)
    .execute();
  const emails = await findEmails(
    db,
    rows.flatMap((row) => accountOf(row.actor)),
  );
  return rows.map((row) => {
    const data = JSON.parse(row.data) as AuditData;
    const [by] = accountOf(row.actor);
    return {
      ...row,
      kind: row.kind as AuditKind,
      actor: row.actor as Actor,
      actorEmail: (by === undefined ? undefined : emails.get(by)) ?? null,
      data: withoutPlants ? plantless(data) : data,
    };
  });
}

const accountOf = (actor: string): string[] =>
  actor.startsWith('account:') ? [actor.slice('account:'.length)] : [];

const plantless = (data: AuditData): AuditData =>
  Object.fromEntries(Object.entries(data).filter(([name]) => !/plant|subject/i.test(name)));
