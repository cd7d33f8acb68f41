import { recordAudit, type Act } from '../../accounts/audit.ts';
import { Failure, invalidValue } from '../../kernel/failure.ts';
import type { Db } from '../../storage/database.ts';
import { forChange } from '../../storage/lock.ts';
import {
  insertApplication,
  lockApplication,
  resubmitApplication,
  type Application,
  type Registration,
  type Statements,
} from '../applications.ts';

/** Applications of one account that wait for the operator, and all that it may have. */
const WAITING_AT_MOST = 3;
const OWNED_AT_MOST = 20;

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
  const statuses = await lockedStatuses(trx, ownerId);
  if (statuses.length >= OWNED_AT_MOST)
    throw invalidValue('name', `at most ${OWNED_AT_MOST} applications of one account`);
  refuseTooManyWaiting(statuses);
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
  const statuses = await lockedStatuses(trx, ownerId);
  const { id, status, disabledAt } = await lockOwnApplication(trx, ownerId, clientId);
  if (status === 'approved' || disabledAt !== null)
    throw invalidValue('clientId', 'an application that waits or was rejected');
  if (status === 'rejected') refuseTooManyWaiting(statuses);
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
  if (approvedAt !== null) throw invalidValue('clientId', 'an application that was never approved');
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

function refuseTooManyWaiting(statuses: readonly Application['status'][]): void {
  if (statuses.filter((status) => status === 'submitted').length >= WAITING_AT_MOST)
    throw invalidValue(
      'name',
      `at most ${WAITING_AT_MOST} applications that wait: amend or withdraw one`,
    );
}

/** The statuses of an account's applications, to which none is added until the transaction ends. */
async function lockedStatuses(trx: Db, ownerId: string): Promise<Application['status'][]> {
  const account = trx.selectFrom('account').select('id').where('id', '=', ownerId);
  await forChange(trx, account).execute();
  const rows = await trx
    .selectFrom('application')
    .select('status')
    .where('ownerId', '=', ownerId)
    .execute();
  return rows.map(({ status }) => status);
}
