import type { Caller } from '../../../identity/accounts/caller.ts';
import { anyOf, listParameter } from '../../../platform/storage/any-of.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import { findMembership } from './companies.ts';

/** Something that somebody did at a plant. */
export interface Deed {
  readonly plantId: string;
  /** null = nobody with an account. */
  readonly accountId: string | null;
  readonly at: Instant;
}

/**
 * The e-mail address of whoever did something, as far as a caller may know it: the owner of a plant knows who acts there, and the members of a company know
 * each other, also of the time before somebody left. To others who share a plant, they are strangers.
 */
export async function namesOf(
  db: Db,
  caller: Caller,
  deeds: readonly Deed[],
): Promise<(deed: Deed) => string | undefined> {
  // Applications need not know who people are, and the operator knows it anyway.
  const reader = caller.kind === 'user' ? caller.accountId : null;
  const ids = [...new Set(deeds.flatMap(({ accountId }) => accountId ?? []))];
  if (reader === null || ids.length === 0) return () => undefined;
  const people = listParameter(db, ids);
  const accounts = await db
    .selectFrom('account')
    .select(['id', 'email'])
    .where(anyOf(db, 'id', people))
    // A removed account has a pseudonym.
    .where((eb) => eb.or([eb('closedAt', 'is', null), eb('removeAt', 'is not', null)]))
    .execute();
  const emails = new Map(accounts.map(({ id, email }) => [id, email]));
  const own = await db
    .selectFrom('plant')
    .select('id')
    .where(anyOf(db, 'id', listParameter(db, [...new Set(deeds.map(({ plantId }) => plantId))])))
    .where('ownerId', '=', reader)
    .execute();
  const owned = new Set(own.map(({ id }) => id));
  const until = await listColleagues(db, reader, people);
  return ({ plantId, accountId, at }) => {
    if (accountId === null) return undefined;
    const isKnown =
      accountId === reader || owned.has(plantId) || at <= (until.get(accountId) ?? -Infinity);
    return isKnown ? emails.get(accountId) : undefined;
  };
}

/** Until when some people belonged to the company of an account; Infinity = they do. */
async function listColleagues(
  db: Db,
  accountId: string,
  people: unknown,
): Promise<ReadonlyMap<string, number>> {
  const membership = await findMembership(db, accountId);
  if (!membership) return new Map();
  const { companyId } = membership;
  const inCompany = anyOf(db, 'accountId', people);
  const former = await db
    .selectFrom('companyFormer')
    .select(['accountId', 'leftAt'])
    .where('companyId', '=', companyId)
    .where(inCompany)
    .execute();
  const members = await db
    .selectFrom('companyMember')
    .select('accountId')
    .where('companyId', '=', companyId)
    .where(inCompany)
    .execute();
  return new Map([
    ...former.map((one) => [one.accountId, one.leftAt] as const),
    ...members.map((one) => [one.accountId, Infinity] as const),
  ]);
}
