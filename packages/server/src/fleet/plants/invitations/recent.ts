import { firstIdAt } from '../../../platform/kernel/ids.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import { prepareQuery, type ParameterOf } from '../../../platform/storage/prepare.ts';

const sent = prepareQuery((db, p: ParameterOf<{ first: string }>) =>
  db
    .selectFrom('invitation')
    .innerJoin('account', (join) =>
      join.on((eb) =>
        eb.or([
          eb('account.id', '=', eb.ref('invitation.accountId')),
          eb('account.email', '=', eb.ref('invitation.email')),
        ]),
      ),
    )
    .select(['invitation.id', 'account.id as accountId'])
    .where('invitation.id', '>=', p('first')),
);

const offered = prepareQuery((db, p: ParameterOf<{ first: string }>) =>
  db
    .selectFrom('companyInvitation as i')
    .innerJoin('account', 'account.email', 'i.email')
    .select(['i.id', 'account.id as accountId'])
    .where('i.id', '>=', p('first')),
);

/** The invitations to plants and to companies that were sent since, and the accounts that they went to. */
export async function recentInvitations(
  db: Db,
  since: Instant,
): Promise<{ id: string; accountId: string }[]> {
  const first = firstIdAt(since);
  const [plants, companies] = await Promise.all([sent(db, { first }), offered(db, { first })]);
  return [...plants, ...companies];
}
