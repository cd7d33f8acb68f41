import { sql } from 'kysely';
import type { ClosingConsequences } from '@helioport/contract';
import type { Account } from '../../identity/accounts/accounts.ts';
import { openInvitations } from '../../fleet/plants/invitations/invite.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';

const number = sql<number | string>`count(*)`.as('number');

/** How much ends when an account is closed. */
export async function readConsequences(
  db: Db,
  { id, email }: Pick<Account, 'id' | 'email'>,
  now: Instant,
): Promise<ClosingConsequences> {
  const count = async (query: {
    executeTakeFirstOrThrow(): Promise<{ number: number | string }>;
  }): Promise<number> => Number((await query.executeTakeFirstOrThrow()).number);
  const owned = db.selectFrom('plant').select('id').where('ownerId', '=', id);
  const going = owned.where('archivedAt', 'is', null);
  const strategies = db
    .selectFrom('strategyDevice')
    .select(sql<number | string>`count(distinct "strategyId")`.as('number'))
    .where('endedAt', 'is', null)
    .where('state', '!=', 'draft');
  const applications = db.selectFrom('application').select('id').where('ownerId', '=', id);
  const own = (table: 'pushSubscription' | 'newsWebhook') =>
    count(db.selectFrom(table).select(number).where('accountId', '=', id));
  return {
    plants: await count(db.selectFrom(going.as('p')).select(number)),
    archivedPlants: await count(
      db.selectFrom(owned.where('archivedAt', 'is not', null).as('p')).select(number),
    ),
    sharesGiven: await count(
      db
        .selectFrom('plantAccess')
        .select(number)
        .where('level', '!=', 'owner')
        .where('plantId', 'in', owned),
    ),
    sharesReceived: await count(
      db
        .selectFrom('plantAccess')
        .select(number)
        .where('level', '!=', 'owner')
        .where('accountId', '=', id),
    ),
    keys: await count(
      db
        .selectFrom('keyPair')
        .select(number)
        .where('accountId', '=', id)
        .where('disabledAt', 'is', null),
    ),
    authorizations: await count(
      db
        .selectFrom('oauthGrant')
        .select(number)
        .where('accountId', '=', id)
        .where('revokedAt', 'is', null),
    ),
    strategies: await count(strategies.where('plantId', 'in', going)),
    commands: await count(
      db
        .selectFrom('command')
        .select(number)
        .where('endedAt', 'is', null)
        .where('accountId', '=', id),
    ),
    invitations: await count(
      db
        .selectFrom('invitation')
        .select(number)
        .where('id', 'in', openInvitations(db, now))
        .where((eb) =>
          eb.or([eb('fromAccountId', '=', id), eb('accountId', '=', id), eb('email', '=', email)]),
        ),
    ),
    applications: await count(
      db.selectFrom(applications.where('disabledAt', 'is', null).as('a')).select(number),
    ),
    destinations: await count(
      db.selectFrom('destination').select(number).where('applicationId', 'in', applications),
    ),
    browsers: await own('pushSubscription'),
    webhooks: await own('newsWebhook'),
  };
}
