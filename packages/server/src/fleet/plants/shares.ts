import type { ShareLevel } from '@helioport/contract';
import { findAccountByEmail, getAccountByEmail } from '../../identity/accounts/accounts.ts';
import { recordAudit, recordAudits, type Act } from '../../identity/accounts/audit.ts';
import { Failure, refusedNow } from '../../platform/kernel/failure.ts';
import type { Db } from '../../platform/storage/database.ts';
import { findAccess, grantAccess, withdrawAccess } from './access.ts';
import { higherShare } from './levels.ts';
import {
  companyLevels,
  findInstallingCompany,
  shareWithCompany,
  unshareCompany,
} from './companies/plants.ts';
import { countIn, countOut } from './fleet/counters.ts';
import { lockPlant } from './lock.ts';

/**
 * Shares a plant with the account of an e-mail address, or changes what its share allows. Throws noPermission, accountUnknown,
 * invalidValue for the owner's own address.
 */
export async function sharePlant(
  trx: Db,
  act: Act,
  plantId: string,
  email: string,
  level: ShareLevel,
): Promise<void> {
  const plant = await lockPlant(trx, plantId);
  const account = await getAccountByEmail(trx, email);
  if (account.id === plant.ownerId) throw refusedNow('email', 'somebody other than the owner');
  await share(trx, act, plant, account.id, level);
}

/** Withdraws a share from the next request on. Throws noPermission, and accountUnknown for an address that has no share of its own or no account. */
export async function unsharePlant(
  trx: Db,
  act: Act,
  plantId: string,
  email: string,
): Promise<void> {
  const plant = await lockPlant(trx, plantId);
  const account = await findAccountByEmail(trx, email);
  if (!account || !(await unshare(trx, act, plant, account.id)))
    throw new Failure('accountUnknown', { message: 'the plant is not shared with this user' });
}

/**
 * Makes an account the installer of a plant: it may read and control it, and the previous installer no longer can. Naming the same installer
 * again changes nothing, so that a share withdrawn by the owner stays withdrawn. Throws noPermission.
 */
export async function changeInstaller(
  trx: Db,
  act: Act,
  plantId: string,
  accountId: string,
): Promise<void> {
  const { installerId } = await lockPlant(trx, plantId);
  if (installerId !== accountId) await appointInstaller(trx, act, plantId, accountId);
}

/** Makes an account the installer of a plant, with a control share, even if it is the installer already. Throws noPermission. */
export async function appointInstaller(
  trx: Db,
  act: Act,
  plantId: string,
  accountId: string,
): Promise<void> {
  const plant = await lockPlant(trx, plantId);
  const { ownerId, installerId } = plant;
  if (installerId !== accountId && installerId !== null && installerId !== ownerId)
    await unshare(trx, act, plant, installerId);
  await endInstallingCompany(trx, act, plant);
  await trx
    .updateTable('plant')
    .set({ installerId: accountId, updatedAt: act.at })
    .where('id', '=', plantId)
    .execute();
  if (accountId === ownerId) return;
  const own = (await findAccess(trx, plantId, accountId))?.ownLevel;
  const level = higherShare('control', own === 'owner' ? null : own);
  await share(trx, act, plant, accountId, level);
}

/** Makes an account the installer of a plant for its company, which may control it; the former installer no longer can. Throws noPermission, invalidValue. */
export async function appointCompany(
  trx: Db,
  act: Act,
  plantId: string,
  accountId: string,
  companyId: string,
): Promise<void> {
  const plant = await lockPlant(trx, plantId);
  const { installerId } = plant;
  const [known] = await companyLevels(trx, companyId, [plantId]);
  if (installerId !== null && installerId !== accountId)
    await unshare(trx, act, plant, installerId);
  await endInstallingCompany(trx, act, plant);
  await trx
    .updateTable('plant')
    .set({ installerId: accountId, updatedAt: act.at })
    .where('id', '=', plantId)
    .execute();
  await shareWithCompany(trx, act, plant, {
    companyId,
    accountId,
    level: higherShare('control', known?.level),
    isInstaller: true,
  });
}

/** Leaves a plant without an installer. What the former one may must have ended. */
export const dismissInstaller = (trx: Db, plantId: string): Promise<unknown> =>
  trx.updateTable('plant').set({ installerId: null }).where('id', '=', plantId).execute();

async function endInstallingCompany(trx: Db, act: Act, plant: LockedPlant): Promise<void> {
  const companyId = await findInstallingCompany(trx, plant.id);
  if (companyId !== undefined) await unshareCompany(trx, act, plant, companyId);
}

/**
 * Ends the share that an account has of a plant, if there is one and the plant belongs to `ownerId`; returns the plant’s name. Undefined if nobody has noticed:
 * there was none, or the plant is archived.
 */
export async function endShare(
  trx: Db,
  act: Act,
  {
    plantId,
    accountId,
    ownerId,
  }: { readonly plantId: string; readonly accountId: string; readonly ownerId: string },
): Promise<string | undefined> {
  const plant = await trx
    .selectFrom('plant')
    .select(['id', 'ownerId', 'name', 'archivedAt'])
    .where('id', '=', plantId)
    .executeTakeFirstOrThrow();
  if (plant.ownerId !== ownerId) return undefined;
  if (plant.archivedAt === null)
    return (await unshare(trx, act, plant, accountId)) ? plant.name : undefined;
  await withdrawAccess(trx, [plantId], accountId);
  return undefined;
}

/** Ends shares that an account has by itself of plants that its company has too. The plants must be locked. */
export async function endOwnShares(
  trx: Db,
  act: Act,
  accountId: string,
  plants: readonly LockedPlant[],
): Promise<void> {
  if (plants.length === 0) return;
  await withdrawAccess(
    trx,
    plants.map(({ id }) => id),
    accountId,
  );
  await recordAudits(
    trx,
    act,
    plants.flatMap(({ id: plantId, ownerId }) =>
      [ownerId, accountId].map((concerned) => ({
        kind: 'plant.unshared' as const,
        accountId: concerned,
        data: { plantId, with: accountId },
      })),
    ),
  );
}

type LockedPlant = Pick<Awaited<ReturnType<typeof lockPlant>>, 'id' | 'ownerId'>;

async function share(
  trx: Db,
  act: Act,
  { id: plantId, ownerId }: LockedPlant,
  accountId: string,
  level: ShareLevel,
): Promise<void> {
  const isNew = await grantAccess(trx, { plantId, accountId, level, at: act.at });
  if (isNew) await countIn(trx, { plantId, accountId });
  await record(trx, act, 'plant.shared', [ownerId, accountId], { plantId, with: accountId, level });
}

/** Ends a share of the account itself; returns whether there was one. */
async function unshare(
  trx: Db,
  act: Act,
  { id: plantId, ownerId }: LockedPlant,
  accountId: string,
): Promise<boolean> {
  if (accountId === ownerId) return false;
  const access = await findAccess(trx, plantId, accountId);
  if (!access || access.ownLevel === null) return false;
  if (access.companyLevel === null) await countOut(trx, { plantId, accountId });
  await withdrawAccess(trx, [plantId], accountId);
  await record(trx, act, 'plant.unshared', [ownerId, accountId], { plantId, with: accountId });
  return true;
}

// The event appears in the audit trails of both sides.
async function record(
  trx: Db,
  act: Act,
  kind: 'plant.shared' | 'plant.unshared',
  accountIds: string[],
  data: Record<string, string>,
): Promise<void> {
  for (const accountId of accountIds) await recordAudit(trx, act, { kind, accountId, data });
}
