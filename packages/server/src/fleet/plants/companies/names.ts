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
 * The e-mail address of the person who did something, as far as a caller may know it: the owner of a plant knows who has acted there since it is the owner's, and
 * who has access to it; the members of a company know each other, also of the time before somebody left. To others who share a plant, they are strangers.
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
  const isOfToday = await presentOf(db, deeds);
  const until = await listColleagues(db, reader, people);
  return (deed) => {
    const { accountId, at } = deed;
    if (accountId === null) return undefined;
    const isKnown =
      accountId === reader || isOfToday(deed, reader) || at <= (until.get(accountId) ?? -Infinity);
    return isKnown ? emails.get(accountId) : undefined;
  };
}

/**
 * Tells of deeds whether they belong to the time of the plant's present owner, or were done by somebody who still has access to it. What was done before is
 * nothing to those who came later. With `owner`, only in plants of that account.
 */
export async function presentOf(
  db: Db,
  deeds: readonly Deed[],
): Promise<(deed: Deed, owner?: string) => boolean> {
  const people = [...new Set(deeds.flatMap(({ accountId }) => accountId ?? []))];
  if (people.length === 0) return () => false;
  const plantIds = [...new Set(deeds.map(({ plantId }) => plantId))];
  const rows = await db
    .selectFrom('plantAccess')
    .select(['plantId', 'accountId', 'level', 'createdAt'])
    .where(anyOf(db, 'plantId', listParameter(db, plantIds)))
    .where((eb) =>
      eb.or([eb('level', '=', 'owner'), anyOf(db, 'accountId', listParameter(db, people))]),
    )
    .execute();
  const owners = new Map(
    rows.flatMap((row) => (row.level === 'owner' ? [[row.plantId, row]] : [])),
  );
  const readers = new Set(rows.map((row) => `${row.plantId} ${row.accountId}`));
  return ({ plantId, accountId, at }, owner) => {
    const held = owners.get(plantId);
    if (!held || (owner !== undefined && held.accountId !== owner)) return false;
    return at >= held.createdAt || readers.has(`${plantId} ${accountId}`);
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
