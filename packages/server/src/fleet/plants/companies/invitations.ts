import type { CompanyInvitation, CompanyOffer, CompanyRole } from '@helioport/contract';
import { normalizeEmail, type Account } from '../../../identity/accounts/accounts.ts';
import type { Act } from '../../../identity/accounts/audit.ts';
import { admitSending } from '../../../identity/accounts/sending.ts';
import { appendInternal } from '../../../platform/events/internal.ts';
import { Failure, refusedNow } from '../../../platform/kernel/failure.ts';
import { isSameMailbox } from '../../../platform/kernel/addresses/mailbox.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import { withinBounds } from '../../../platform/storage/bounds/within.ts';
import {
  listMembers,
  lockCompany,
  lockWithPlants,
  recordCompany,
  type Membership,
} from './companies.ts';
import { joinCompany } from './members.ts';

/** How long an invitation can be answered. */
const VALID_MS = 30 * 86_400_000;

/**
 * Invites an address to a company, whether or not it has an account, which replaces a former invitation of the address. The company must be locked.
 * Throws invalidValue for a malformed address, for a member, and for more invitations than the company may have people; tooManyRequests if too many
 * were sent lately.
 */
export async function inviteToCompany(
  trx: Db,
  act: Act,
  { companyId, accountId }: Membership,
  address: string,
  role: CompanyRole,
): Promise<string> {
  const email = normalizeEmail(address);
  if ((await listMembers(trx, companyId)).some((one) => isSameMailbox(one.email, email)))
    throw refusedNow('email', 'somebody who is not in the company');
  await trx
    .deleteFrom('companyInvitation')
    .where('companyId', '=', companyId)
    .where('email', '=', email)
    .execute();
  await admitSending(trx, act.at, 'invitation', { by: accountId, to: [email] });
  await withinBounds(trx, 'companyInvitations', { companyId }, act);
  const id = act.newId();
  const expiresAt = act.at + VALID_MS;
  await trx
    .insertInto('companyInvitation')
    .values({ id, companyId, fromAccountId: accountId, email, role, createdAt: act.at, expiresAt })
    .execute();
  await appendInternal(trx, 'invitation.sent', [{ subject: id, plantId: null, data: {} }], act.at);
  await recordCompany(trx, act, 'company.invited', [accountId], {
    companyId,
    invitationId: id,
    role,
  });
  return id;
}

/** Accepts an invitation: the account belongs to the company at once. Throws noPermission, and invalidValue if it belongs to one already. */
export async function acceptCompany(
  trx: Db,
  act: Act,
  { id: accountId, email }: Account,
  id: string,
): Promise<void> {
  const { companyId, role, fromAccountId } = await take(trx, act, id, { email }, lockWithPlants);
  await joinCompany(trx, act, { accountId, companyId, role }, fromAccountId);
}

/** Declines an invitation. Throws noPermission. */
export async function declineCompany(
  trx: Db,
  act: Act,
  { id: accountId, email }: Account,
  id: string,
): Promise<void> {
  const { companyId, fromAccountId } = await take(trx, act, id, { email });
  await recordCompany(trx, act, 'company.declined', [accountId, fromAccountId], {
    companyId,
    invitationId: id,
  });
}

/** Withdraws an open invitation of a company. Throws noPermission. */
export async function withdrawFromCompany(
  trx: Db,
  act: Act,
  { companyId, accountId }: Membership,
  id: string,
): Promise<void> {
  await take(trx, act, id, { companyId });
  await recordCompany(trx, act, 'company.invitationWithdrawn', [accountId], {
    companyId,
    invitationId: id,
  });
}

/** Takes an open invitation to an address, or of a company, which nobody can answer afterwards. */
async function take(
  trx: Db,
  act: Act,
  id: string,
  of: { readonly email: string } | { readonly companyId: string },
  lock = lockCompany,
) {
  const [column, value] =
    'email' in of ? (['email', of.email] as const) : (['companyId', of.companyId] as const);
  const known = await trx
    .selectFrom('companyInvitation')
    .select('companyId')
    .where('id', '=', id)
    .where(column, '=', value)
    .executeTakeFirst();
  if (!known) throw new Failure('noPermission');
  // Companies are locked before their invitations, as everywhere.
  await lock(trx, known.companyId);
  const row = await trx
    .deleteFrom('companyInvitation')
    .where('id', '=', id)
    .where('expiresAt', '>', act.at)
    .returningAll()
    .executeTakeFirst();
  if (!row) throw new Failure('noPermission');
  return row;
}

/** The open invitations that a company has sent, newest first. */
export const listSent = (db: Db, now: Instant, companyId: string): Promise<CompanyInvitation[]> =>
  db
    .selectFrom('companyInvitation')
    .select(['id', 'email', 'role', 'createdAt', 'expiresAt'])
    .where('companyId', '=', companyId)
    .where('expiresAt', '>', now)
    .orderBy('id', 'desc')
    .execute();

/** Enough for anybody: an account belongs to one company. */
const OFFERS_SHOWN = 100;

/** The open invitations to an address, newest first. */
export const listOffers = (db: Db, now: Instant, email: string): Promise<CompanyOffer[]> =>
  db
    .selectFrom('companyInvitation as i')
    .innerJoin('company', 'company.id', 'i.companyId')
    .innerJoin('account as sender', 'sender.id', 'i.fromAccountId')
    .select([
      'i.id',
      'company.name as companyName',
      'sender.email as from',
      'i.role',
      'i.expiresAt',
    ])
    .where('i.email', '=', email)
    .where('i.expiresAt', '>', now)
    .orderBy('i.id', 'desc')
    .limit(OFFERS_SHOWN)
    .execute();

/** Deletes the invitations to companies that an account has sent and received. */
export const forgetInvitations = (
  trx: Db,
  { id, email }: Pick<Account, 'id' | 'email'>,
): Promise<unknown> =>
  trx
    .deleteFrom('companyInvitation')
    .where((eb) => eb.or([eb('fromAccountId', '=', id), eb('email', '=', email)]))
    .execute();

/** Removes at most `limit` invitations that nobody has answered in time; returns how many. */
export async function sweepCompanyInvitations(
  db: Db,
  now: Instant,
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('companyInvitation')
    .where(
      'id',
      'in',
      db.selectFrom('companyInvitation').select('id').where('expiresAt', '<=', now).limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
