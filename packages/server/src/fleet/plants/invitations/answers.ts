import type { InvitationKind, InvitationState, PlantFacts, ShareLevel } from '@helioport/contract';
import type { Selectable, UpdateQueryBuilder, UpdateResult } from 'kysely';
import { findAccount } from '../../../identity/accounts/accounts.ts';
import { recordAudit, type Act } from '../../../identity/accounts/audit.ts';
import { Failure, refusedNow } from '../../../platform/kernel/failure.ts';
import type { Db, InvitationTable, Tables } from '../../../platform/storage/database.ts';
import { findMembership } from '../companies/companies.ts';
import { shareWithCompany } from '../companies/plants.ts';
import { lockPlant } from '../lock.ts';
import { transferPlant } from '../plants.ts';
import {
  appointCompany,
  appointInstaller,
  changeInstaller,
  dismissInstaller,
  sharePlant,
} from '../shares.ts';
import { changeTimeZone } from '../zones.ts';
import { findOffers, remainsOf, type Remains } from './remains.ts';

/** Who answers: an account, by id and address, or the operator on behalf of the invitee. */
export type Answerer = { readonly id: string; readonly email: string } | 'operator';

/** How an invitation is accepted. */
export interface Acceptance {
  /** For everybody in the company of the person who accepts. */
  readonly forCompany: boolean;
  /** The person who offers the plant keeps no access to it. */
  readonly withoutSender: boolean;
}

/**
 * Accepts an invitation, with immediate effect; returns its plant, and whether that has another owner now. Throws noPermission if the invitation is unknown, somebody else's or over, or if its plant no longer
 * belongs to the inviting account; accountUnknown if the operator accepts for an address without an account; invalidValue for a plant that a company
 * would own, for the company of somebody who has none, and for a sender who would own the plant still.
 */
export async function acceptInvitation(
  trx: Db,
  act: Act,
  id: string,
  answerer: Answerer,
  acceptance: Acceptance,
): Promise<{ plantId: string; changedHands: boolean }> {
  const { forCompany, withoutSender } = acceptance;
  const { plantId, fromAccountId, kind, level, accountId, email } = await answerOpen(
    trx,
    act,
    id,
    answerer,
    'accepted',
  );
  const invited = await trx
    .selectFrom('account')
    .select(['id', 'email', 'timeZone'])
    .where((eb) => (accountId === null ? eb('email', '=', email) : eb('id', '=', accountId)))
    .where('disabledAt', 'is', null)
    .executeTakeFirst();
  if (!invited) throw new Failure('accountUnknown');
  if (withoutSender && kind !== 'owner')
    throw refusedNow('withoutSender', 'an offer to own a plant');
  if (forCompany)
    await acceptForCompany(trx, act, {
      id,
      plantId,
      kind,
      level: level ?? 'read',
      accountId: invited.id,
    });
  else if (kind === 'share') await sharePlant(trx, act, plantId, invited.email, level ?? 'read');
  else if (kind === 'installer') await changeInstaller(trx, act, plantId, invited.id);
  if (kind === 'owner') {
    const { facts } = await lockPlant(trx, plantId);
    const remains = remainsOf((await findOffers(trx, [id])).get(id)!, withoutSender);
    await transferPlant(trx, act, plantId, invited.id, async () => {
      // The owner's time zone is not used before this: it would tell the person who made the plant about the account.
      if ((JSON.parse(facts) as PlantFacts).zoneAwaitsOwner)
        await changeTimeZone(trx, act, plantId, invited.timeZone);
      await leaveTo(trx, act, plantId, fromAccountId, remains);
    });
  }
  await recordAudit(trx, act, {
    kind: 'invitation.accepted',
    accountId: invited.id,
    data: {
      invitationId: id,
      plantId,
      kind,
      ...(forCompany && { forCompany }),
      ...(withoutSender && { withoutSender }),
    },
  });
  return { plantId, changedHands: kind === 'owner' };
}

interface CompanyAcceptance {
  readonly id: string;
  readonly plantId: string;
  readonly kind: InvitationKind;
  readonly level: ShareLevel;
  readonly accountId: string;
}

async function acceptForCompany(
  trx: Db,
  act: Act,
  { id, plantId, kind, level, accountId }: CompanyAcceptance,
): Promise<void> {
  const membership = await findMembership(trx, accountId);
  if (!membership || kind === 'owner')
    throw refusedNow(
      'forCompany',
      'an offer to see, control or install a plant, and somebody who belongs to a company',
    );
  const { companyId } = membership;
  await trx.updateTable('invitation').set({ companyId }).where('id', '=', id).execute();
  if (kind === 'installer') await appointCompany(trx, act, plantId, accountId, companyId);
  else
    await shareWithCompany(trx, act, await lockPlant(trx, plantId), {
      companyId,
      accountId,
      level,
    });
}

/** Gives access again, under the new owner, to those who keep it. */
async function leaveTo(
  trx: Db,
  act: Act,
  plantId: string,
  fromAccountId: string,
  { share, installerId, companyId }: Remains,
): Promise<void> {
  if (installerId === null) await dismissInstaller(trx, plantId);
  else if (companyId !== null) await appointCompany(trx, act, plantId, installerId, companyId);
  else await appointInstaller(trx, act, plantId, installerId);
  if (share !== null)
    await sharePlant(trx, act, plantId, (await findAccount(trx, fromAccountId))!.email, share);
}

/** Declines an invitation. Throws noPermission as for accepting it. */
export async function declineInvitation(
  trx: Db,
  act: Act,
  id: string,
  answerer: Answerer,
): Promise<void> {
  const { plantId, kind } = await answerOpen(trx, act, id, answerer, 'declined');
  if (answerer !== 'operator')
    await recordAudit(trx, act, {
      kind: 'invitation.declined',
      accountId: answerer.id,
      data: { invitationId: id, plantId, kind },
    });
}

/** Withdraws an open invitation sent by an account (null = by anybody). Returns its plant. Throws noPermission if it is unknown, somebody else's or over. */
export async function withdrawInvitation(
  trx: Db,
  act: Act,
  id: string,
  fromAccountId: string | null,
): Promise<{ plantId: string }> {
  const row = await close(trx, act, id, 'withdrawn', (open) =>
    fromAccountId === null ? open : open.where('fromAccountId', '=', fromAccountId),
  );
  await recordAudit(trx, act, {
    kind: 'invitation.withdrawn',
    accountId: row.fromAccountId,
    data: { invitationId: id, plantId: row.plantId, kind: row.kind },
  });
  return row;
}

async function answerOpen(
  trx: Db,
  act: Act,
  id: string,
  answerer: Answerer,
  state: 'accepted' | 'declined',
) {
  const row = await close(trx, act, id, state, (open, { ownerId }) => {
    const owners = open.where('fromAccountId', '=', ownerId);
    return answerer === 'operator'
      ? owners
      : owners.where((eb) =>
          eb.or([eb('accountId', '=', answerer.id), eb('email', '=', answerer.email)]),
        );
  });
  const sender = await findAccount(trx, row.fromAccountId);
  if (sender?.disabledAt !== null) throw new Failure('noPermission');
  return row;
}

/**
 * Ends an open invitation of those that `among` leaves. Its plant is locked first, as everywhere, because it may be about to change hands; whether the
 * invitation is open is a condition of its own row, which is looked at again after waiting for it. Throws noPermission.
 */
async function close(
  trx: Db,
  act: Act,
  id: string,
  state: Exclude<InvitationState, 'open' | 'expired'>,
  among: (open: OpenInvitation, plant: LockedPlant) => OpenInvitation,
): Promise<Selectable<InvitationTable>> {
  const plant = await lockPlantOfInvitation(trx, id, null);
  const open = trx
    .updateTable('invitation')
    .set({ state, answeredAt: act.at, plantName: plant.name })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .where('expiresAt', '>', act.at);
  const row = await among(open, plant).returningAll().executeTakeFirst();
  if (!row) throw new Failure('noPermission');
  return row;
}

/** Locks the plant to which an invitation is, for one of its two sides; `party` null = the operator. Throws noPermission, also for somebody else’s. */
export async function lockPlantOfInvitation(
  trx: Db,
  id: string,
  party: { readonly id: string; readonly email: string } | null,
): Promise<LockedPlant> {
  const known = await trx
    .selectFrom('invitation')
    .select(['plantId', 'fromAccountId', 'accountId', 'email'])
    .where('id', '=', id)
    .executeTakeFirst();
  const isParty =
    party === null ||
    (known && [known.fromAccountId, known.accountId].includes(party.id)) ||
    known?.email === party.email;
  if (!known || !isParty) throw new Failure('noPermission');
  return lockPlant(trx, known.plantId);
}

type LockedPlant = Awaited<ReturnType<typeof lockPlant>>;
type OpenInvitation = UpdateQueryBuilder<Tables, 'invitation', 'invitation', UpdateResult>;
