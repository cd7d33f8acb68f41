import type { CompanyView } from '@helioport/contract';
import { sql } from 'kysely';
import { findAccount } from '../../../identity/accounts/accounts.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import { listMembers } from './companies.ts';
import { listOffers, listSent } from './invitations.ts';
import { listBringable } from './giving.ts';
import { countCompanyPlants, ungivenPlants } from './plants.ts';

/** As many as people read. */
const NAMED = 10;

/** What an account sees of companies: its own, and offers to join one. */
export async function viewCompany(db: Db, now: Instant, accountId: string): Promise<CompanyView> {
  const { email } = (await findAccount(db, accountId))!;
  const offers = await listOffers(db, now, email);
  // At once: a company may be dissolved between two queries.
  const membership = await db
    .selectFrom('companyMember')
    .innerJoin('company', 'company.id', 'companyMember.companyId')
    .select(['companyMember.companyId', 'companyMember.role', 'company.name', 'company.logo'])
    .where('companyMember.accountId', '=', accountId)
    .executeTakeFirst();
  if (!membership)
    return {
      id: null,
      name: null,
      role: null,
      logo: null,
      members: [],
      invitations: [],
      offers,
      plants: 0,
      ungiven: 0,
      ungivenNames: [],
      bringable: [],
    };
  const { companyId, role, name, logo } = membership;
  const own = ungivenPlants(db, companyId, accountId);
  const named = await own.select('name').orderBy('id').limit(NAMED).execute();
  const { ungiven } = await own
    .select(sql<number>`count(*)`.as('ungiven'))
    .executeTakeFirstOrThrow();
  return {
    id: companyId,
    name,
    role,
    logo,
    members: await listMembers(db, companyId),
    invitations: role === 'manager' ? await listSent(db, now, companyId) : [],
    offers,
    plants: await countCompanyPlants(db, companyId),
    ungiven,
    ungivenNames: named.map((plant) => plant.name),
    bringable: (await listBringable(db, companyId, accountId)) as CompanyView['bringable'],
  };
}
