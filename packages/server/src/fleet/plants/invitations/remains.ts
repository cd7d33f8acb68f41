import type { ShareLevel } from '@helioport/contract';
import { sql } from 'kysely';
import { higherShare } from '../levels.ts';
import type { Db } from '../../../platform/storage/database.ts';

/** Who may still do something at a plant once an offer to own it is accepted, beside its new owner. */
export interface Remains {
  /** What the sender keeps as a share. */
  readonly share: ShareLevel | null;
  /** Who goes on installing it, with control; null = nobody. */
  readonly installerId: string | null;
  /** The company for which they do; null = for themselves. */
  readonly companyId: string | null;
}

/** An offer, with all that decides what remains. */
export interface OfferFacts {
  readonly fromAccountId: string;
  readonly level: ShareLevel | null;
  readonly senderRole: string;
  readonly sendersCompany: string | null;
  readonly installerId: string | null;
  readonly installersCompany: string | null;
  /** The company that has control because somebody installs the plant for it. */
  readonly installingCompany: string | null;
}

/**
 * The person who installed the plant for its owner goes on, and so does their company; a sender who is an installer becomes one. Without the sender, their
 * whole side ends: they themselves, their company, and colleagues whom they named as installers.
 */
export function remainsOf(offer: OfferFacts, withoutSender: boolean): Remains {
  const { fromAccountId, level, senderRole, installerId, installingCompany } = offer;
  const installer = installerId ?? (senderRole === 'installer' ? fromAccountId : null);
  const companyId = installerId === null ? null : installingCompany;
  if (!withoutSender) return { share: level, installerId: installer, companyId };
  return installer === null || isOfSender(offer)
    ? { share: null, installerId: null, companyId: null }
    : { share: null, installerId: installer, companyId };
}

/** Says whether the person who would go on installing the plant belongs to the sender’s side. */
export function isOfSender(offer: OfferFacts): boolean {
  const { fromAccountId, sendersCompany, installerId } = offer;
  if (installerId === null || installerId === fromAccountId) return true;
  return (
    sendersCompany !== null &&
    [offer.installersCompany, offer.installingCompany].includes(sendersCompany)
  );
}

/** What the sender may do afterwards, by whatever remains. */
export function keptBySender(offer: OfferFacts): ShareLevel | null {
  const { share, installerId, companyId } = remainsOf(offer, false);
  const { fromAccountId, sendersCompany } = offer;
  if (companyId !== null && companyId === sendersCompany) return higherShare('control', share);
  // What the sender wants to keep counts for an installer, too.
  return share ?? (companyId === null && installerId === fromAccountId ? 'control' : null);
}

/** An offer, with the names of those who may go on installing the plant. */
export interface KnownOffer extends OfferFacts {
  readonly installerEmail: string | null;
  readonly companyName: string | null;
  /** How many collectors of the plant have tokens. */
  readonly collectors: number;
}

/** What decides what remains of some offers, by their ids. */
export async function findOffers(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, KnownOffer>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('invitation as i')
    .innerJoin('plant', 'plant.id', 'i.plantId')
    .innerJoin('account as sender', 'sender.id', 'i.fromAccountId')
    .leftJoin('companyMember as senders', 'senders.accountId', 'sender.id')
    .leftJoin('account as installer', 'installer.id', 'plant.installerId')
    .leftJoin('companyMember as installers', 'installers.accountId', 'installer.id')
    .leftJoin('companyPlant as given', (join) =>
      join.onRef('given.plantId', '=', 'plant.id').on('given.isInstaller', '=', 1),
    )
    .leftJoin('company', 'company.id', 'given.companyId')
    .select([
      'i.id',
      'i.fromAccountId',
      'i.level',
      'sender.role as senderRole',
      'senders.companyId as sendersCompany',
      'plant.installerId',
      'installers.companyId as installersCompany',
      'installer.email as installerEmail',
      'given.companyId as installingCompany',
      'company.name as companyName',
    ])
    .select((eb) =>
      eb
        .selectFrom('device as collector')
        .select(sql<number>`count(*)`.as('number'))
        .whereRef('collector.plantId', '=', 'i.plantId')
        .where('collector.kind', '=', 'collector')
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('collectorToken as token')
              .select('token.id')
              .whereRef('token.collectorId', '=', 'collector.id'),
          ),
        )
        .as('collectors'),
    )
    .where('i.id', 'in', ids)
    .execute();
  return new Map(
    rows.map(({ id, collectors, ...facts }) => [id, { ...facts, collectors: collectors ?? 0 }]),
  );
}
