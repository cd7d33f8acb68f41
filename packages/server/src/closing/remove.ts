import type { Selectable } from 'kysely';
import { recordAudit, type Act } from '../accounts/audit.ts';
import type { Clock } from '../kernel/clock.ts';
import type { IdSource } from '../kernel/ids.ts';
import { removeDestinationsOf } from '../forwarding/destinations/destinations.ts';
import { inTransaction } from '../plants/attempts.ts';
import { archivePlant } from '../plants/plants.ts';
import type { AccountTable, Db, Instant } from '../storage/database.ts';
import { endShares } from './shares.ts';

interface RemovalDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: IdSource;
}

/**
 * Removes the personal data of one closed account whose time has come; returns how many it found. An account that cannot be removed keeps none of the
 * others: the error is thrown once it alone is left. Parts of exports are deleted first, by their own sweep.
 */
export async function removeClosed({ db, clock, ids: newId }: RemovalDeps): Promise<number> {
  const now = clock.now();
  const failures = new Map<string, unknown>();
  for (let id; (id = await findDue(db, now, [...failures.keys()])) !== undefined;) {
    const accountId = id;
    try {
      await inTransaction(db, (trx) => removeAccount(trx, { at: now, actor: 'service', address: null, newId }, accountId));
      return 1;
    } catch (error) {
      failures.set(accountId, error);
    }
  }
  for (const error of failures.values()) throw error;
  return 0;
}

/** The account that waits longest for its removal, except some. */
async function findDue(db: Db, now: Instant, except: readonly string[]): Promise<string | undefined> {
  const due = db
    .selectFrom('account')
    .select('id')
    .where('removeAt', '<=', now)
    .where('id', 'not in', db.selectFrom('accountExport').select('accountId'))
    .orderBy('removeAt')
    .limit(1);
  return (await (except.length > 0 ? due.where('id', 'not in', except) : due).executeTakeFirst())?.id;
}

/**
 * Removes what is personal in an account: its id stays as a pseudonym, to which the audit trail, readings and authorizations refer. Does nothing if
 * its closing was taken back meanwhile.
 */
async function removeAccount(trx: Db, act: Act, id: string): Promise<void> {
  const account = await trx.selectFrom('account').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const { numUpdatedRows } = await trx
    .updateTable('account')
    .set({ email: `${id}@removed.invalid`, name: '', passwordHash: '', legacyHash: null, timeZone: 'UTC', language: null, removeAt: null })
    .where('id', '=', id)
    .where('removeAt', '<=', act.at)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  // What others have given it since it was closed.
  await endShares(trx, act, id);
  await removePlants(trx, act, id);
  await removeApplications(trx, act, id);
  await removeTraces(trx, id);
  await removeRows(trx, account);
  await recordAudit(trx, act, { kind: 'account.removed', accountId: id });
}

/** Archives the plants of an account, which frees their devices, and removes what says where they are and whose; readings stay, of a plant that nobody can find. */
async function removePlants(trx: Db, act: Act, accountId: string): Promise<void> {
  const plants = await trx.selectFrom('plant').select(['id', 'archivedAt']).where('ownerId', '=', accountId).orderBy('id').execute();
  const owned = trx.selectFrom('plant').select('id').where('ownerId', '=', accountId);
  await trx.updateTable('device').set({ name: null }).where('plantId', 'in', owned).execute();
  await trx.updateTable('device').set({ accountId: null }).where('accountId', '=', accountId).execute();
  for (const { id, archivedAt } of plants) if (archivedAt === null) await archivePlant(trx, act, id);
  await trx.updateTable('plantStanding').set({ nameKey: '', searchKey: '' }).where('plantId', 'in', owned).execute();
  const nowhere = { address: null, latitude: null, longitude: null, tiltDegrees: null, azimuthDegrees: null };
  await trx
    .updateTable('plant')
    .set({ name: '', ...nowhere, nmiCode: null, installerId: null, facts: '{}' })
    .where('ownerId', '=', accountId)
    .execute();
  await trx.updateTable('plant').set({ installerId: null }).where('installerId', '=', accountId).execute();
}

/** Applications of a developer stay known to the owners who had authorized them; whose they were is removed. */
async function removeApplications(trx: Db, act: Act, accountId: string): Promise<void> {
  const applications = await trx.selectFrom('application').select('id').where('ownerId', '=', accountId).execute();
  for (const { id } of applications) {
    await removeDestinationsOf(trx, act, id);
    await trx.deleteFrom('applicationSecret').where('applicationId', '=', id).execute();
  }
  await trx.updateTable('application').set({ ownerId: null, purpose: '', homePage: null }).where('ownerId', '=', accountId).execute();
}

/** Tables of which an account’s rows go; the others that name accounts keep its pseudonym. */
export const OWN_TABLES = [
  'keyPair',
  'session',
  'knownBrowser',
  'totp',
  'recoveryCode',
  'passkey',
  'mail',
  'newsSetting',
  'newsItem',
  'newsMessage',
  'pushSubscription',
  'newsWebhook',
  'supportPermission',
] as const;

async function removeRows(trx: Db, { id, email }: Selectable<AccountTable>): Promise<void> {
  for (const table of OWN_TABLES) await trx.deleteFrom(table).where('accountId', '=', id).execute();
  await trx.deleteFrom('mail').where('address', '=', email).execute();
  for (const table of ['mailToken', 'mailTokenRequest'] as const) await trx.deleteFrom(table).where('email', '=', email).execute();
  await trx
    .deleteFrom('invitation')
    .where((eb) => eb.or([eb('fromAccountId', '=', id), eb('accountId', '=', id), eb('email', '=', email)]))
    .execute();
}

/** What happened stays in the audit trail and in the history of devices; what was typed, and from where, by the person or by keys that still have rows, does not. */
async function removeTraces(trx: Db, accountId: string): Promise<void> {
  await trx.updateTable('auditEvent').set({ data: '{}', address: null }).where('accountId', '=', accountId).execute();
  const keys = await trx.selectFrom('keyPair').select('id').where('accountId', '=', accountId).execute();
  for (const actor of [`account:${accountId}`, ...keys.map(({ id }) => `key:${id}`)])
    await trx.updateTable('auditEvent').set({ address: null }).where('actor', '=', actor).where('address', 'is not', null).execute();
  await trx.updateTable('command').set({ address: null }).where('accountId', '=', accountId).where('address', 'is not', null).execute();
}
