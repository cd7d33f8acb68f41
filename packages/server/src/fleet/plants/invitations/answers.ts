import type { InvitationKind, PlantFacts, ShareLevel } from '@helioport/contract';
import { findAccount } from '../../../identity/accounts/accounts.ts';
import { recordAudit, type Act } from '../../../identity/accounts/audit.ts';
import { Failure, invalidValue } from '../../../platform/kernel/failure.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { findMembership } from '../companies/companies.ts';
import { findInstallingCompany, shareWithCompany } from '../companies/plants.ts';
import { lockPlant } from '../lock.ts';
import { transferPlant } from '../plants.ts';
import { appointCompany, appointInstaller, changeInstaller, sharePlant } from '../shares.ts';
import { changeTimeZone } from '../zones.ts';
import { openInvitations } from './invite.ts';

/** Who answers: an account, by id and address, or the operator on behalf of the invitee. */
export type Answerer = { readonly id: string; readonly email: string } | 'operator';

/** How an invitation is accepted. */
export interface Acceptance {
  /** For everybody in the company of whoever accepts. */
  readonly forCompany: boolean;
  /** Whoever offers the plant keeps no access to it. */
  readonly withoutSender: boolean;
}

/**
 * Accepts an invitation, with immediate effect. Throws noPermission if the invitation is unknown, somebody else's or over, or if its plant no longer
 * belongs to the inviting account; accountUnknown if the operator accepts for an address without an account; invalidValue for a plant that a company
 * would own, for the company of somebody who has none, and for a sender who would own the plant still.
 */
export async function acceptInvitation(
  trx: Db,
  act: Act,
  id: string,
  answerer: Answerer,
  acceptance: Acceptance,
): Promise<void> {
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
    throw invalidValue('withoutSender', 'an offer to own a plant');
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
    const { installerId, facts } = await lockPlant(trx, plantId);
    const companyId = await findInstallingCompany(trx, plantId);
    await transferPlant(trx, act, plantId, invited.id);
    // The owner's time zone is not used before this: it would tell whoever made the plant about the account.
    if ((JSON.parse(facts) as PlantFacts).zoneAwaitsOwner)
      await changeTimeZone(trx, act, plantId, invited.timeZone);
    // Who sells a house keeps no access to it; an installer who made the plant for its owner does.
    const installer = installerId ?? (await installerOf(trx, fromAccountId));
    if (installerId !== null && companyId !== undefined)
      await appointCompany(trx, act, plantId, installerId, companyId);
    else if (installer !== undefined && !(withoutSender && installer === fromAccountId))
      await appointInstaller(trx, act, plantId, installer);
    if (level !== null && !withoutSender)
      await sharePlant(trx, act, plantId, (await findAccount(trx, fromAccountId))!.email, level);
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
    throw invalidValue(
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

async function installerOf(trx: Db, accountId: string): Promise<string | undefined> {
  const sender = await findAccount(trx, accountId);
  return sender?.role === 'installer' ? accountId : undefined;
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
  const row = await trx
    .updateTable('invitation')
    .set({ state: 'withdrawn', answeredAt: act.at })
    .where('id', '=', id)
    .where('id', 'in', openInvitations(trx, act.at))
    .$if(fromAccountId !== null, (query) => query.where('fromAccountId', '=', fromAccountId!))
    .returning(['plantId', 'kind', 'fromAccountId'])
    .executeTakeFirst();
  if (!row) throw new Failure('noPermission');
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
  const known = await trx
    .selectFrom('invitation')
    .select('plantId')
    .where('id', '=', id)
    .executeTakeFirst();
  if (!known) throw new Failure('noPermission');
  // The plant is locked first, as everywhere, because it may be about to change hands.
  const plant = await lockPlant(trx, known.plantId);
  const row = await trx
    .updateTable('invitation')
    .set({ state, answeredAt: act.at })
    .where('id', '=', id)
    .where('id', 'in', openInvitations(trx, act.at))
    .where('fromAccountId', '=', plant.ownerId)
    .where(
      'fromAccountId',
      'in',
      trx.selectFrom('account').select('id').where('disabledAt', 'is', null),
    )
    .$if(answerer !== 'operator', (query) =>
      query.where((eb) =>
        eb.or([eb('accountId', '=', idOf(answerer)), eb('email', '=', emailOf(answerer))]),
      ),
    )
    .returningAll()
    .executeTakeFirst();
  if (!row) throw new Failure('noPermission');
  return row;
}

const idOf = (answerer: Answerer): string => (answerer === 'operator' ? '' : answerer.id);
const emailOf = (answerer: Answerer): string => (answerer === 'operator' ? '' : answerer.email);
