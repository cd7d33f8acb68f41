import { firstIdAt } from '../../kernel/ids.ts';
import type { Db, Instant } from '../../storage/database.ts';
import { prepareQuery, type ParameterOf } from '../../storage/prepare.ts';

const sent = prepareQuery((db, p: ParameterOf<{ first: string }>) =>
  db
    .selectFrom('invitation')
    .innerJoin('account', (join) =>
      join.on((eb) => eb.or([eb('account.id', '=', eb.ref('invitation.accountId')), eb('account.email', '=', eb.ref('invitation.email'))])),
    )
    .select(['invitation.id', 'account.id as accountId'])
    .where('invitation.id', '>=', p('first')),
);

/** The invitations that were sent since, and the accounts that they went to. */
export const recentInvitations = (db: Db, since: Instant): Promise<{ id: string; accountId: string }[]> => sent(db, { first: firstIdAt(since) });
