import { firstIdAt, type IdSource } from '../kernel/ids.ts';
import type { Db, Instant } from '../storage/database.ts';

/** The kinds of audit events. They are never renamed, because later versions must be able to read stored events. */
export const auditKinds = {
  'account.created': 'an account was created',
  'account.disabled': 'an account was disabled',
  'account.enabled': 'an account was enabled again',
  'account.resetLinkSent': 'an operator had a link sent that replaces the password',
  'account.roleChanged': 'an account got another role',
  'account.closed': 'an account was closed',
  'account.reopened': 'the closing of an account was taken back',
  'account.removed': 'the personal data of a closed account was removed',
  'account.passwordChanged': 'the password was changed',
  'account.resetSent': 'an e-mail with a link to choose a new password was sent',
  'account.passwordReset': 'a new password was chosen by the link in an e-mail',
  'export.started': 'an export of everything that the account has was started',
  'export.finished': 'an export was ready to be downloaded',
  'export.cancelled': 'an export was cancelled or deleted',
  'export.downloaded': 'an export was downloaded',
  'logIn.succeeded': 'a log-in',
  'logIn.refused': 'a log-in was refused, or a wrong password was given where it is asked for again',
  'support.allowed': 'an owner let operators of the service look at the own plants for a while',
  'support.looked': 'an operator looked at something with the owner’s permission, for the first time under it',
  'support.ended': 'such a permission was ended before its time',
  'session.ended': 'log-ins were ended from elsewhere',
  'factor.totpAdded': 'an authenticator app was set up',
  'factor.totpRemoved': 'an authenticator app was removed',
  'factor.recoveryCodesMade': 'new recovery codes were made',
  'factor.recoveryCodeUsed': 'a recovery code was used',
  'factor.passkeyAdded': 'a passkey was added',
  'factor.passkeyRemoved': 'a passkey was removed',
  'factor.reset': 'the operator removed all second factors',
  'key.created': 'a key pair was created',
  'key.activated': 'a waiting key pair became active at a log-in',
  'key.disabled': 'a key pair was disabled',
  'plant.created': 'a plant was created',
  'plant.changed': 'a plant was changed',
  'plant.tariffChanged': 'a tariff of a plant was set or removed',
  'plant.archived': 'a plant was archived',
  'plant.restored': 'an archived plant was brought back',
  'plant.transferred': 'a plant was transferred to another owner',
  'plant.shared': 'a plant was shared, or a share changed',
  'plant.unshared': 'a share was withdrawn',
  'company.founded': 'a company was founded',
  'company.renamed': 'a company got another name',
  'company.invited': 'somebody was invited to a company',
  'company.invitationWithdrawn': 'an invitation to a company was withdrawn',
  'company.joined': 'somebody joined a company, and sees its plants',
  'company.declined': 'an invitation to a company was declined',
  'company.roleChanged': 'somebody got another role in a company',
  'company.left': 'somebody left a company or was removed from it',
  'company.dissolved': 'a company was dissolved',
  'company.plantShared': 'a plant was shared with a company, or such a share changed',
  'company.plantUnshared': 'a share of a company was ended',
  'invitation.sent': 'somebody was offered a share, a plant or the role of installer',
  'invitation.accepted': 'an invitation was accepted',
  'invitation.declined': 'an invitation was declined',
  'invitation.withdrawn': 'an invitation was withdrawn',
  'device.created': 'a device was added',
  'device.bound': 'a device was bound to a plant',
  'device.unbound': 'a device was unbound from its plant',
  'device.commanded': 'somebody requested that a parameter of a device be written',
  'device.commandCancelled': 'somebody cancelled such a write before it was sent',
  'control.stopped': 'the owner of a plant stopped writes by others',
  'control.released': 'the owner of a plant allowed writes by others again',
  'strategy.created': 'an application created a strategy',
  'strategy.dispatched': 'an application dispatched a strategy to devices',
  'strategy.amended': 'an application changed a strategy',
  'strategy.paused': 'a strategy gave way to a write on a device',
  'strategy.ended': 'a strategy was ended before its time',
  'strategy.limitsSet': 'what strategies may do in a plant was changed',
  'alarm.processed': 'somebody dealt with an alarm',
  'alarm.reopened': 'it was taken back that somebody dealt with an alarm',
  'news.set': 'what an account wants to be told was changed',
  'news.stopped': 'e-mails were stopped by the link in one of them',
  'push.subscribed': 'a browser was subscribed to push messages',
  'push.removed': 'a browser gets no more push messages',
  'webhook.created': 'a webhook for news was added',
  'webhook.secretRotated': 'the secret of a webhook was replaced',
  'webhook.removed': 'a webhook was removed',
  'webhook.gone': 'a webhook said that it wants nothing more',
  'collector.tokenIssued': 'a collector got a token',
  'collector.tokensRevoked': 'the tokens of a collector were revoked',
  'application.submitted': 'an application was submitted',
  'application.amended': 'an application was changed and submitted again',
  'application.withdrawn': 'a submitted application was withdrawn',
  'application.approved': 'an application was approved',
  'application.rejected': 'an application was rejected',
  'application.disabled': 'an application was disabled',
  'application.enabled': 'an application was enabled again',
  'application.changed': 'the registration of an application was changed',
  'application.secretCreated': 'an application got a client secret',
  'destination.created': 'an application got a destination for forwarded events',
  'destination.paused': 'a destination was paused',
  'destination.resumed': 'a destination was resumed',
  'destination.removed': 'a destination was removed',
  'destination.disabled': 'a destination was switched off: it wants nothing more, or has taken nothing for days',
  'destination.secretRotated': 'the secret or the password of a destination was replaced',
  'grant.given': 'an application was granted all that it asked for',
  'grant.narrowed': 'an application was granted less than it asked for, or only some plants',
  'grant.denied': 'an application was denied what it asked for',
  'grant.refreshed': 'an application renewed its tokens, for the first time that day',
  'grant.revoked': 'an authorization was ended by its owner or the operator',
  'grant.expired': 'an authorization outlived its last refresh token and ended',
  'grant.codeIssued': 'an application got a code without asking the owner, who had granted as much before',
  'grant.exchanged': 'an application exchanged a code for tokens',
  'grant.tokensRevoked': 'an application ended its own tokens',
  'grant.reuseRefused': 'a code or refresh token was presented again, so the tokens from its first use were revoked',
} as const satisfies Record<string, string>;

export type AuditKind = keyof typeof auditKinds;

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
