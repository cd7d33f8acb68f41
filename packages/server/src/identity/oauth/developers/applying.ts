import { recordAudit, type Act } from '../../accounts/audit.ts';
import { Failure, refusedNow } from '../../../platform/kernel/failure.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { lockBound, withinBounds } from '../../../platform/storage/bounds/within.ts';
import {
  insertApplication,
  lockApplication,
  resubmitApplication,
  type Application,
  type Registration,
  type Statements,
} from '../applications.ts';

/**
 * Applies for an application, on behalf of an account.
 * @returns the application, and possible problems with its redirect URI
 * @throws invalidValue, also if too many of the account wait
 */
export async function applyForApplication(
  trx: Db,
  act: Act,
  ownerId: string,
  stated: Registration,
): Promise<{ application: Application; warnings: string[] }> {
  await withinBounds(trx, 'applications', { ownerId }, act);
  await withinBounds(trx, 'waitingApplications', { ownerId }, act);
  return insertApplication(trx, act, { ...stated, ownerId });
}

/**
 * Changes what an application was submitted with, as long as it is not approved, and submits it again. Returns possible problems with its redirect URI.
 * Throws noPermission if it is not the account's, invalidValue.
 */
export async function amendApplication(
  trx: Db,
  act: Act,
  ownerId: string,
  clientId: string,
  stated: Statements,
): Promise<string[]> {
  // Those who apply wait for the bounds of an account before its applications, as everywhere.
  await lockBound(trx, 'waitingApplications', { ownerId });
  const { id, status, disabledAt } = await lockOwnApplication(trx, ownerId, clientId);
  if (status === 'approved' || disabledAt !== null)
    throw refusedNow('clientId', 'an application that waits or was rejected');
  if (status === 'rejected') await withinBounds(trx, 'waitingApplications', { ownerId }, act);
  return resubmitApplication(trx, act, id, stated);
}

/**
 * Removes an application that was never approved, so that no owner knows of it. Its destinations must be gone.
 * Throws noPermission if it is not the account's, invalidValue.
 */
export async function withdrawApplication(
  trx: Db,
  act: Act,
  ownerId: string,
  clientId: string,
): Promise<void> {
  const { id, name, approvedAt } = await lockOwnApplication(trx, ownerId, clientId);
  if (approvedAt !== null) throw refusedNow('clientId', 'an application that was never approved');
  await trx.deleteFrom('applicationSecret').where('applicationId', '=', id).execute();
  await trx.deleteFrom('applicationRefusal').where('applicationId', '=', id).execute();
  await trx.deleteFrom('application').where('id', '=', id).execute();
  await recordAudit(trx, act, {
    kind: 'application.withdrawn',
    accountId: ownerId,
    data: { applicationId: id, name },
  });
}

/** An application of an account; another's is like none. Throws noPermission. */
export async function getOwnApplication(
  db: Db,
  ownerId: string,
  clientId: string,
): Promise<Application> {
  return found(
    await db
      .selectFrom('application')
      .selectAll()
      .where('clientId', '=', clientId)
      .where('ownerId', '=', ownerId)
      .executeTakeFirst(),
  );
}

export const lockOwnApplication = async (
  trx: Db,
  ownerId: string,
  clientId: string,
): Promise<Application> => found(await lockApplication(trx, { clientId, ownerId }));

function found(application: Application | undefined): Application {
  if (!application) throw new Failure('noPermission', { message: 'no such application' });
  return application;
}
