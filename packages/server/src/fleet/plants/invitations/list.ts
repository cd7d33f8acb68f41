import type { InvitationRecord, InvitationState } from '@helioport/contract';
import { sql } from 'kysely';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import { readers } from '../access.ts';
import type { PageOf } from '../fleet/plant-list.ts';
import { findOffers, isOfSender, keptBySender, remainsOf, type KnownOffer } from './remains.ts';

/** How long the outcome of an invitation is kept. */
const REMEMBERED_MS = 180 * 86_400_000;

/** The invitations that an account has sent and received, newest first; `plantIds` null = for any plant. */
export async function listInvitations(
  db: Db,
  now: Instant,
  { id, email }: { readonly id: string; readonly email: string },
  plantIds: readonly string[] | null,
  { pageNo, pageSize }: PageOf,
): Promise<{ records: InvitationRecord[]; total: number; pageNo: number; pageSize: number }> {
  const mine = db
    .selectFrom('invitation')
    .where((eb) =>
      eb.or([
        eb('invitation.fromAccountId', '=', id),
        eb('invitation.accountId', '=', id),
        eb('invitation.email', '=', email),
      ]),
    )
    .$if(plantIds !== null, (query) =>
      query.where('invitation.plantId', 'in', plantIds!.length > 0 ? plantIds! : ['']),
    );
  const { total } = await mine.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
  const rows = await mine
    .innerJoin('plant', 'plant.id', 'invitation.plantId')
    .innerJoin('account as sender', 'sender.id', 'invitation.fromAccountId')
    .leftJoin('company', 'company.id', 'invitation.companyId')
    .selectAll('invitation')
    .select([
      'plant.name as presentName',
      'plant.ownerId',
      'company.name as company',
      'sender.email as from',
      'sender.disabledAt as senderDisabledAt',
    ])
    .select(({ exists }) =>
      exists(
        readers(db)
          .innerJoin('account as reader', 'reader.id', 'access.accountId')
          .select('access.plantId')
          .where('access.plantId', '=', sql.ref<string>('invitation.plantId'))
          .where((eb) =>
            eb.or([
              eb('reader.id', '=', sql.ref<string>('invitation.accountId')),
              eb('reader.email', '=', sql.ref<string>('invitation.email')),
            ]),
          ),
      ).as('hasAccess'),
    )
    .orderBy('invitation.id', 'desc')
    .limit(pageSize)
    .offset((pageNo - 1) * pageSize)
    .execute();
  const offers = await findOffers(
    db,
    rows.flatMap((row) => (row.kind === 'owner' && row.state === 'open' ? [row.id] : [])),
  );
  const records = rows.map(
    ({
      state,
      expiresAt,
      fromAccountId,
      email: to,
      accountId,
      kind,
      level,
      ...row
    }): InvitationRecord => {
      const isSender = fromAccountId === id;
      const outcome = stateAt(state, expiresAt, row.senderDisabledAt, now);
      const isInForce = state === 'accepted' && row.hasAccess;
      // Once it is over, a plant is what it was then: it may have another name now, and another owner.
      const isPresent = isSender ? row.ownerId === id : outcome === 'open' || isInForce;
      return {
        id: row.id,
        direction: isSender ? 'sent' : 'received',
        kind,
        level: kind === 'owner' ? null : level,
        ...(outcome === 'open' ? remaining(offers.get(row.id), to) : NOTHING_REMAINS),
        plantId: row.plantId,
        plantName: isPresent ? row.presentName : row.plantName,
        from: row.from,
        to: to ?? accountId!,
        state: outcome,
        company: isPresent ? row.company : null,
        createdAt: row.createdAt,
        expiresAt,
        // Of one whose sender is disabled, that is when it ended.
        answeredAt: row.answeredAt ?? (state === 'open' ? row.senderDisabledAt : null),
        accessEnded: state === 'accepted' && !row.hasAccess && (!isSender || row.ownerId === id),
      };
    },
  );
  return { records, total, pageNo, pageSize };
}

/** How many invitations an account has received that it can still accept. */
export async function countOpen(
  db: Db,
  now: Instant,
  { id, email }: { readonly id: string; readonly email: string },
): Promise<number> {
  const { open } = await db
    .selectFrom('invitation')
    .innerJoin('account as sender', 'sender.id', 'invitation.fromAccountId')
    .select(sql<number>`count(*)`.as('open'))
    .where((eb) => eb.or([eb('invitation.accountId', '=', id), eb('invitation.email', '=', email)]))
    .where('invitation.state', '=', 'open')
    .where('invitation.expiresAt', '>', now)
    .where('sender.disabledAt', 'is', null)
    .executeTakeFirstOrThrow();
  return open;
}

const NOTHING_REMAINS = {
  keeps: null,
  installer: null,
  installerEnds: false,
  collectors: null,
} as const;

/** What an offer to own a plant leaves to others, and what of it the invitee can end by accepting without the sender. */
function remaining(
  offer: KnownOffer | undefined,
  invitee: string | null,
): Pick<InvitationRecord, 'keeps' | 'installer' | 'installerEnds' | 'collectors'> {
  if (!offer) return NOTHING_REMAINS;
  const { installerId, companyId } = remainsOf(offer, false);
  const isOther = installerId !== null && installerId !== offer.fromAccountId;
  const installer = companyId !== null ? offer.companyName : isOther ? offer.installerEmail : null;
  return {
    keeps: keptBySender(offer),
    installer: installer === invitee ? null : installer,
    installerEnds: installer !== null && isOfSender(offer),
    collectors: offer.collectors,
  };
}

/** An invitation cannot be answered while its sender is disabled (answers.ts). */
const stateAt = (
  state: InvitationState,
  expiresAt: Instant,
  senderDisabledAt: Instant | null,
  now: Instant,
): InvitationState => {
  if (state !== 'open') return state;
  if (expiresAt <= now) return 'expired';
  return senderDisabledAt === null ? 'open' : 'withdrawn';
};

/** Removes at most `limit` invitations that ended long ago; returns how many. */
export async function sweepInvitations(db: Db, now: Instant, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('invitation')
    .where(
      'id',
      'in',
      db
        .selectFrom('invitation')
        .select('id')
        .where('expiresAt', '<', now - REMEMBERED_MS)
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
