import { anyOf, listParameter } from '../../../platform/storage/any-of.ts';
import type { Db } from '../../../platform/storage/database.ts';

/** The names of those who act as `account:ID`, `key:ID` or `application:ID`: e-mail addresses, and the names of applications. Others have none. */
export async function requesterNamesOf(
  db: Db,
  acts: readonly { readonly actor: string }[],
): Promise<ReadonlyMap<string, string>> {
  const actors = [...new Set(acts.map(({ actor }) => actor))];
  const idsOf = (kind: string): unknown =>
    listParameter(
      db,
      actors
        .filter((actor) => actor.startsWith(`${kind}:`))
        .map((actor) => actor.slice(kind.length + 1)),
    );
  const [accounts, keys, applications] = await Promise.all([
    db
      .selectFrom('account')
      .select(['id', 'email as name'])
      .where(anyOf(db, 'id', idsOf('account')))
      .execute(),
    db
      .selectFrom('keyPair')
      .innerJoin('account', 'account.id', 'keyPair.accountId')
      .select(['keyPair.id', 'account.email as name'])
      .where(anyOf(db, 'keyPair.id', idsOf('key')))
      .execute(),
    db
      .selectFrom('application')
      .select(['id', 'name'])
      .where(anyOf(db, 'id', idsOf('application')))
      .execute(),
  ]);
  return new Map(
    Object.entries({ account: accounts, key: keys, application: applications }).flatMap(
      ([kind, found]) => found.map(({ id, name }) => [`${kind}:${id}`, name] as const),
    ),
  );
}
