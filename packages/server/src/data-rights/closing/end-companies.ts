import type { Act } from '../../identity/accounts/audit.ts';
import type { Outbox } from '../../identity/mail/outbox.ts';
import { listMembers } from '../../fleet/plants/companies/companies.ts';
import { unshareCompany } from '../../fleet/plants/companies/plants.ts';
import { lockPlants } from '../../fleet/plants/lock.ts';
import type { Db } from '../../platform/storage/database.ts';
import { andLost, SHARES_AT_ONCE, tellOfLost, type Lost } from './end-shares.ts';
import type { Step } from './step.ts';

/** A company that is losing plants. */
interface Company extends Lost {
  readonly companyId: string;
}

/** Ends what companies may do with the plants of an account, one company after the other. Everybody in it gets one letter, with the last plant. */
export const endCompanies: Step = async (trx, act, { accountId: ownerId, at, after, outbox }) => {
  const shares = await trx
    .selectFrom('companyPlant as c')
    .innerJoin('plant as p', 'p.id', 'c.plantId')
    .select(['c.companyId', 'c.plantId'])
    .where('p.ownerId', '=', ownerId)
    .where('c.createdAt', '<=', at)
    .orderBy('c.companyId')
    .orderBy('c.plantId')
    .limit(SHARES_AT_ONCE)
    .execute();
  await lockPlants(
    trx,
    shares.map(({ plantId }) => plantId),
  );
  let company = after === '' ? undefined : (JSON.parse(after) as Company);
  for (const { companyId, plantId } of shares) {
    if (company && company.companyId !== companyId) {
      await tellCompany(trx, act, outbox, company);
      company = undefined;
    }
    const plant = await trx
      .selectFrom('plant')
      .select(['id', 'ownerId', 'name', 'archivedAt'])
      .where('id', '=', plantId)
      .executeTakeFirstOrThrow();
    // It may have changed hands while we waited for the lock.
    if (plant.ownerId !== ownerId || !(await unshareCompany(trx, act, plant, companyId))) continue;
    // Nobody saw it in the archive.
    if (plant.archivedAt === null) company = { companyId, ...andLost(plant.name, company) };
  }
  if (shares.length === SHARES_AT_ONCE) return company ? JSON.stringify(company) : '';
  if (company) await tellCompany(trx, act, outbox, company);
  return undefined;
};

async function tellCompany(
  trx: Db,
  act: Act,
  outbox: Outbox | null,
  { companyId, ...lost }: Company,
): Promise<void> {
  for (const { accountId } of await listMembers(trx, companyId))
    await tellOfLost(trx, act, outbox, accountId, lost);
}
