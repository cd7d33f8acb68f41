import type { Selectable } from 'kysely';
import type { Scope } from '@helioport/contract';
import { recordAudit, type Act } from '../accounts/audit.ts';
import { Failure, invalidValue } from '../kernel/failure.ts';
import { randomAlphanumeric } from '../kernel/secrets.ts';
import type { ApplicationTable, Db, Flag } from '../storage/database.ts';
import { prepareQuery, type ParameterOf } from '../storage/prepare.ts';
import { checkRedirectUri } from './redirect-uri.ts';
import { bitsOf } from './scopes.ts';

/** A third-party platform as registered. */
export type Application = Selectable<ApplicationTable>;

/** The facts that a developer states when registering an application. */
export interface Registration {
  readonly name: string;
  readonly ownerId?: string | null;
  readonly purpose?: string;
  readonly homePage?: string | null;
  readonly redirectUri: string;
  readonly scopes: readonly Scope[];
  readonly challengeRequired?: boolean;
  readonly resourceServer?: boolean;
}

const flag = (value: boolean): Flag => (value ? 1 : 0);

/** Whether an application may act: only while it is approved and not disabled. */
export const isActive = ({ status, disabledAt }: Pick<Application, 'status' | 'disabledAt'>): boolean => status === 'approved' && disabledAt === null;

/**
 * Submits an application, which can do nothing until it is approved.
 * @returns the application, and possible problems with its redirect URI
 * @throws invalidValue
 */
export async function insertApplication(trx: Db, act: Act, input: Registration): Promise<{ application: Application; warnings: string[] }> {
  const { name, ownerId = null, purpose = '', homePage = null, redirectUri, challengeRequired = false, resourceServer = false } = input;
  if (!/^[^\p{C}]{1,80}$/u.test(name) || name !== name.trim()) throw invalidValue('name', '1 to 80 characters');
  if (homePage !== null && !/^https?:\/\/[\x21-\x7e]+$/.test(homePage)) throw invalidValue('homePage', 'an address that begins with https://');
  if (input.scopes.length === 0) throw invalidValue('scopes', 'at least one scope');
  const warnings = checkRedirectUri(redirectUri);
  const application: Application = {
    id: act.newId(),
    // Only letters and digits, because some client libraries form-encode the credentials before Basic authentication and others do not.
    clientId: randomAlphanumeric(24),
    name,
    ownerId,
    purpose,
    homePage,
    redirectUri,
    scopes: bitsOf(input.scopes),
    status: 'submitted',
    challengeRequired: flag(challengeRequired),
    resourceServer: flag(resourceServer),
    createdAt: act.at,
    decidedAt: null,
    disabledAt: null,
  };
  const inserted = await trx
    .insertInto('application')
    .values(application)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!inserted) throw invalidValue('name', 'a name that no application has');
  await recordAudit(trx, act, { kind: 'application.submitted', accountId: ownerId, data: { applicationId: application.id, name } });
  return { application, warnings };
}

const byClientId = prepareQuery((db, p: ParameterOf<{ clientId: string }>) => db.selectFrom('application').selectAll().where('clientId', '=', p('clientId')));

export async function findApplication(db: Db, clientId: string): Promise<Application | undefined> {
  return (await byClientId(db, { clientId }))[0];
}

/** Finds an application by name or client_id. Throws invalidValue. */
export async function getApplication(db: Db, nameOrClientId: string): Promise<Application> {
  const application = await db
    .selectFrom('application')
    .selectAll()
    .where((eb) => eb.or([eb('name', '=', nameOrClientId), eb('clientId', '=', nameOrClientId)]))
    .executeTakeFirst();
  if (!application) throw invalidValue('application', 'the name or client_id of an application');
  return application;
}

/** An application that is known to be there. */
export const getApplicationById = (db: Db, id: string): Promise<Application> =>
  db.selectFrom('application').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

export const listApplications = (db: Db): Promise<Application[]> => db.selectFrom('application').selectAll().orderBy('id').execute();

/**
 * Approves or rejects an application; the tokens of a rejected application are refused
 * from the next request on. Throws noPermission if the application is unknown.
 */
export async function decideApplication(trx: Db, act: Act, id: string, status: 'approved' | 'rejected'): Promise<void> {
  await update(trx, act, id, { status, decidedAt: act.at }, `application.${status}`);
}

/** Disables an application; every instance refuses it from its next request on. */
export const disableApplication = (trx: Db, act: Act, id: string): Promise<void> => update(trx, act, id, { disabledAt: act.at }, 'application.disabled');

export const enableApplication = (trx: Db, act: Act, id: string): Promise<void> => update(trx, act, id, { disabledAt: null }, 'application.enabled');

/**
 * Changes a registration; codes issued for the old redirect URI can no longer be exchanged.
 * @returns possible problems with the new redirect URI
 */
export async function changeApplication(
  trx: Db,
  act: Act,
  id: string,
  change: Partial<Pick<Registration, 'redirectUri' | 'scopes' | 'challengeRequired'>>,
): Promise<string[]> {
  const { redirectUri, scopes, challengeRequired } = change;
  const warnings = redirectUri === undefined ? [] : checkRedirectUri(redirectUri);
  if (scopes?.length === 0) throw invalidValue('scopes', 'at least one scope');
  const set = {
    ...(redirectUri !== undefined && { redirectUri }),
    ...(scopes !== undefined && { scopes: bitsOf(scopes) }),
    ...(challengeRequired !== undefined && { challengeRequired: flag(challengeRequired) }),
  };
  await update(trx, act, id, set, 'application.changed');
  return warnings;
}

type AuditedChange = 'application.approved' | 'application.rejected' | 'application.disabled' | 'application.enabled' | 'application.changed';

async function update(trx: Db, act: Act, id: string, set: Partial<Application>, kind: AuditedChange): Promise<void> {
  const row = await trx.updateTable('application').set(set).where('id', '=', id).returning('ownerId').executeTakeFirst();
  if (!row) throw new Failure('noPermission');
  await recordAudit(trx, act, { kind, accountId: row.ownerId, data: { applicationId: id } });
}
