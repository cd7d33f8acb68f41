import type { InvitationKind, ShareLevel } from '@helioport/contract';
import { normalizeEmail } from '../../../identity/accounts/accounts.ts';
import { admitSending } from '../../../identity/accounts/sending.ts';
import { recordAudit, type Act } from '../../../identity/accounts/audit.ts';
import { appendInternal } from '../../../platform/events/internal.ts';
import { isSameMailbox } from '../../../platform/kernel/addresses/mailbox.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import { withinBounds } from '../../../platform/storage/bounds/within.ts';
import { changeInstaller } from '../shares.ts';

/** How long an invitation can be answered. */
const VALID_MS = 30 * 86_400_000;

/** The invitee: an address or an account id, whether or not the account exists. */
export type Invitee = { readonly email: string } | { readonly accountId: string };

export interface NewInvitation {
  readonly plantId: string;
  readonly fromAccountId: string;
  readonly to: Invitee;
  readonly kind: InvitationKind;
  /** What a share allows; of an offer to own the plant, what the sender keeps. */
  readonly level?: ShareLevel | undefined;
}

/**
 * Invites somebody without looking them up, so that nothing reveals who has an account. The invitation replaces an open one of its
 * kind for the plant; an open share is replaced only if it went to the same invitee. The plant must be locked. Returns the
 * invitation's id. Throws invalidValue for a malformed address, and if too many are open; tooManyRequests if too many were sent lately.
 */
export async function invite(
  trx: Db,
  act: Act,
  { plantId, fromAccountId, to, kind, level }: NewInvitation,
): Promise<string> {
  const email = 'email' in to ? normalizeEmail(to.email) : null;
  const accountId = 'accountId' in to ? to.accountId : null;
  const { name: plantName } = await trx
    .selectFrom('plant')
    .select('name')
    .where('id', '=', plantId)
    .executeTakeFirstOrThrow();
  const former = trx
    .updateTable('invitation')
    .set({ state: 'withdrawn', answeredAt: act.at, plantName })
    .where('plantId', '=', plantId)
    .where('kind', '=', kind)
    .where('state', '=', 'open')
    .where('expiresAt', '>', act.at);
  await (kind === 'share' ? former.where('email', '=', email) : former).execute();
  // Those that were answered or withdrawn count too: each tells somebody something.
  const invitee = email ?? accountId!;
  await admitSending(trx, act.at, 'invitation', { by: fromAccountId, to: [invitee] });
  await withinBounds(trx, 'openInvitations', { fromAccountId }, act);
  const id = act.newId();
  await trx
    .insertInto('invitation')
    .values({
      id,
      plantId,
      plantName,
      fromAccountId,
      email,
      accountId,
      kind,
      level: level ?? null,
      state: 'open',
      createdAt: act.at,
      expiresAt: act.at + VALID_MS,
      answeredAt: null,
    })
    .execute();
  await appendInternal(trx, 'invitation.sent', [{ subject: id, plantId: null, data: {} }], act.at);
  await recordAudit(trx, act, {
    kind: 'invitation.sent',
    accountId: fromAccountId,
    data: { invitationId: id, plantId, kind },
  });
  return id;
}

/**
 * Names an installer by e-mail address. The address of the owner or of the current installer takes effect at once, which affects
 * nobody else; anybody else is invited. The plant must be locked. Throws invalidValue for a malformed address.
 */
export async function offerInstaller(
  trx: Db,
  act: Act,
  plantId: string,
  address: string,
): Promise<void> {
  const plant = await trx
    .selectFrom('plant')
    .innerJoin('account as owner', 'owner.id', 'plant.ownerId')
    .leftJoin('account as installer', 'installer.id', 'plant.installerId')
    .select(['plant.ownerId', 'owner.email as ownerEmail', 'installer.email as installerEmail'])
    .where('plant.id', '=', plantId)
    .executeTakeFirstOrThrow();
  if (plant.installerEmail !== null && isSameMailbox(plant.installerEmail, address)) return;
  if (isSameMailbox(plant.ownerEmail, address))
    return changeInstaller(trx, act, plantId, plant.ownerId);
  await invite(trx, act, {
    plantId,
    fromAccountId: plant.ownerId,
    to: { email: normalizeEmail(address, 'installerEmail') },
    kind: 'installer',
  });
}

/** Invitations that can still be answered. */
export const openInvitations = (db: Db, now: Instant) =>
  db.selectFrom('invitation').select('id').where('state', '=', 'open').where('expiresAt', '>', now);
