import { anyOf, listParameter } from '../../../platform/storage/any-of.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { prepareQuery, type ParameterOf } from '../../../platform/storage/prepare.ts';

type Asked = ParameterOf<{ ids: unknown }>;

const sent = prepareQuery((db, p: Asked) =>
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
    .select('account.id as accountId')
    .where(anyOf(db, 'invitation.id', p('ids'))),
);

const offered = prepareQuery((db, p: Asked) =>
  db
    .selectFrom('companyInvitation as i')
    .innerJoin('account', 'account.email', 'i.email')
    .select('account.id as accountId')
    .where(anyOf(db, 'i.id', p('ids'))),
);

/** The accounts that some invitations to plants and to companies went to. */
export async function listInvitees(db: Db, invitationIds: readonly string[]): Promise<Set<string>> {
  if (invitationIds.length === 0) return new Set();
  const ids = listParameter(db, invitationIds);
  const [plants, companies] = await Promise.all([sent(db, { ids }), offered(db, { ids })]);
  return new Set([...plants, ...companies].map(({ accountId }) => accountId));
}
