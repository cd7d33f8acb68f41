import { isTimeZone, type Language } from '@helioport/contract';
import { Failure, invalidValue, refusedNow } from '../../platform/kernel/failure.ts';
import { readMailbox, spellingsOf, type Mailbox } from '../../platform/kernel/addresses/mailbox.ts';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import type { AccountTable, Db, Instant } from '../../platform/storage/database.ts';
import { recordAudit, type Act } from './audit.ts';
import { dropMailTokens } from './mail-tokens/tokens.ts';
import type { Verifiers } from './passwords.ts';
import { endSessions } from './sessions.ts';

export type Role = AccountTable['role'];

/** An account without the verifiers of its password. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly timeZone: string;
  /** Of pages and messages; null = none was chosen. */
  readonly language: Language | null;
  readonly createdAt: Instant;
  readonly disabledAt: Instant | null;
  /** When it was closed, which also disabled it. */
  readonly closedAt: Instant | null;
  /** When the personal data of a closed account will be removed. */
  readonly removeAt: Instant | null;
}

const COLUMNS = [
  'id',
  'email',
  'name',
  'role',
  'timeZone',
  'language',
  'createdAt',
  'disabledAt',
  'closedAt',
  'removeAt',
] as const;

/** The one spelling of an e-mail address that somebody new is named by. Throws invalidValue for `field`. */
export function normalizeEmail(email: string, field = 'email'): Mailbox {
  const mailbox = readMailbox(email);
  if (mailbox === undefined)
    throw invalidValue(field, 'a single e-mail address such as ada@example.org');
  return mailbox;
}

export interface NewAccount extends Verifiers {
  readonly email: string;
  readonly name?: string;
  readonly role: Role;
  readonly timeZone: string;
  readonly language?: Language;
}

/** Adds an account. Throws invalidValue, also if the address already has an account. */
export async function insertAccount(trx: Db, act: Act, input: NewAccount): Promise<Account> {
  const email = normalizeEmail(input.email);
  if (!isTimeZone(input.timeZone)) throw invalidValue('timeZone', 'an IANA time zone');
  const { role, timeZone, language = null, passwordHash, legacyHash } = input;
  const name = (input.name ?? email.slice(0, email.indexOf('@'))).trim();
  const account = {
    id: act.newId(),
    email,
    name,
    role,
    timeZone,
    language,
    createdAt: act.at,
    disabledAt: null,
    closedAt: null,
    removeAt: null,
  };
  // Accounts from before addresses had one spelling may have another.
  const former = await findAccountByEmail(trx, email);
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('account')
    .values({ ...account, passwordHash, legacyHash })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n || former)
    throw refusedNow('email', 'an address without an account', `${email} already has an account`);
  await recordAudit(trx, act, {
    kind: 'account.created',
    accountId: account.id,
    data: { email, role },
  });
  return account;
}

export const findAccount = (db: Db, id: string): Promise<Account | undefined> =>
  db.selectFrom('account').select(COLUMNS).where('id', '=', id).executeTakeFirst();

/**
 * Finds an account by its e-mail address. It need not be one by today's grammar: accounts have kept the addresses that they were made with.
 */
export async function findAccountByEmail(db: Db, email: string): Promise<Account | undefined> {
  const spellings = spellingsOf(email);
  const found = await db
    .selectFrom('account')
    .select(COLUMNS)
    .where('email', 'in', spellings)
    .execute();
  return found.find((account) => account.email === spellings[0]) ?? found[0];
}

/** Finds an account by its e-mail address. Throws accountUnknown. */
export async function getAccountByEmail(db: Db, email: string): Promise<Account> {
  const account = await findAccountByEmail(db, email);
  if (!account) throw new Failure('accountUnknown', { data: { email } });
  return account;
}

/** E-mail addresses by account id. */
export async function findEmails(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('account')
    .select(['id', 'email'])
    .where(anyOf(db, 'id', listParameter(db, [...new Set(ids)])))
    .execute();
  return new Map(rows.map(({ id, email }) => [id, email]));
}

export const listAccounts = (db: Db): Promise<Account[]> =>
  db.selectFrom('account').select(COLUMNS).orderBy('id').execute();

/** Sets the language of an account's pages and messages. */
export const setLanguage = (
  trx: Db,
  accountId: string,
  language: Language | 'browser',
): Promise<unknown> =>
  trx
    .updateTable('account')
    .set({ language: language === 'browser' ? null : language })
    .where('id', '=', accountId)
    .execute();

/** Sets the time zone of an account's clock. */
export const setTimeZone = (trx: Db, accountId: string, timeZone: string): Promise<unknown> =>
  trx.updateTable('account').set({ timeZone }).where('id', '=', accountId).execute();

/** Disables an account: its keys and authorized applications are refused from their next request on, and its sessions end for good. */
export async function disableAccount(trx: Db, act: Act, accountId: string): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('account')
    // What somebody had left waiting is not done when the account is enabled again, perhaps much later.
    .set({ disabledAt: act.at, requestsEndedAt: act.at })
    .where('id', '=', accountId)
    .where('disabledAt', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  // They may be a thief's: who is enabled again logs in again.
  await endSessions(trx, accountId);
  await recordAudit(trx, act, { kind: 'account.disabled', accountId });
}

/** Ends what an account has asked for until now and still waits to be done: commands to devices that were not handed over. */
export const endRequests = (trx: Db, act: Act, accountId: string): Promise<unknown> =>
  trx.updateTable('account').set({ requestsEndedAt: act.at }).where('id', '=', accountId).execute();

/** Throws invalidValue for a closed account, which is taken back otherwise. */
export async function enableAccount(trx: Db, act: Act, accountId: string): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('account')
    .set({ disabledAt: null })
    .where('id', '=', accountId)
    .where('disabledAt', 'is not', null)
    .where('closedAt', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n && (await findAccount(trx, accountId))?.closedAt != null)
    throw refusedNow('email', 'an account that was not closed: reopen it');
  if (numUpdatedRows > 0n) await recordAudit(trx, act, { kind: 'account.enabled', accountId });
}

/** Gives an account another role and ends its sessions, which were begun with the former one. The calling function judges whether it may have it. */
export async function changeRole(
  trx: Db,
  act: Act,
  { id: accountId, role: before }: Pick<Account, 'id' | 'role'>,
  role: Role,
): Promise<void> {
  await trx.updateTable('account').set({ role }).where('id', '=', accountId).execute();
  await endSessions(trx, accountId);
  await recordAudit(trx, act, {
    kind: 'account.roleChanged',
    accountId,
    data: { before, after: role },
  });
}

/** Replaces the password, ends all sessions, and makes links in e-mails worthless. The calling function must have verified who is asking. */
export async function changePassword(
  trx: Db,
  act: Act,
  accountId: string,
  verifiers: Verifiers,
  kind: 'account.passwordChanged' | 'account.passwordReset' = 'account.passwordChanged',
): Promise<void> {
  await trx
    .updateTable('account')
    .set({ passwordHash: verifiers.passwordHash, legacyHash: verifiers.legacyHash })
    .where('id', '=', accountId)
    .execute();
  await endSessions(trx, accountId);
  await dropMailTokens(trx, accountId);
  await recordAudit(trx, act, { kind, accountId });
}
