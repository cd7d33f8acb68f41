import type { Selectable } from 'kysely';
import type { Scope } from '@helioport/contract';
import { recordAudit, type Act, type AuditData } from '../accounts/audit.ts';
import { Failure, invalidValue, refusedNow } from '../../platform/kernel/failure.ts';
import { randomAlphanumeric } from '../../platform/kernel/secrets.ts';
import type { ApplicationTable, Db, Flag, Instant } from '../../platform/storage/database.ts';
import { forUpdate } from '../../platform/storage/lock.ts';
import { prepareQuery, type ParameterOf } from '../../platform/storage/prepare.ts';
import { isDisguised, lookOf, looksLikeUs } from './look-alike.ts';
import { checkRedirectUri } from './redirect-uri.ts';
import { bitsOf, scopeText } from './scopes.ts';

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

/** Characters that change the direction in which the text around them reads. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/;

/** Whether an application may act: only while it is approved and not disabled. */
export const isActive = ({
  status,
  disabledAt,
}: Pick<Application, 'status' | 'disabledAt'>): boolean =>
  status === 'approved' && disabledAt === null;

/** What a developer may state anew. */
export type Statements = Partial<
  Pick<Registration, 'purpose' | 'homePage' | 'redirectUri' | 'scopes' | 'challengeRequired'>
>;

/** Checks what is stated of an application. Returns possible problems with its redirect URI. Throws invalidValue. */
function checkStatements({ purpose, homePage, scopes, redirectUri }: Statements): string[] {
  if (purpose !== undefined && TURNS.test(purpose))
    throw invalidValue('purpose', 'text without characters that change its direction');
  if (typeof homePage === 'string' && !/^https?:\/\/[\x21-\x7e]+$/.test(homePage))
    throw invalidValue('homePage', 'an address that begins with https://');
  if (scopes?.length === 0) throw invalidValue('scopes', 'at least one scope');
  return redirectUri === undefined ? [] : checkRedirectUri(redirectUri);
}

/**
 * Submits an application, which can do nothing until it is approved.
 * @returns the application, and possible problems with its redirect URI
 * @throws invalidValue
 */
export async function insertApplication(
  trx: Db,
  act: Act,
  input: Registration,
): Promise<{ application: Application; warnings: string[] }> {
  const {
    name,
    ownerId = null,
    purpose = '',
    homePage = null,
    redirectUri,
    challengeRequired = false,
    resourceServer = false,
  } = input;
  if (!/^[^\p{C}]{1,80}$/u.test(name) || name !== name.trim())
    throw invalidValue('name', '1 to 80 characters');
  await checkName(trx, name, ownerId);
  const warnings = checkStatements(input);
  const application: Application = {
    id: act.newId(),
    // Only letters and digits, because some client libraries form-encode the credentials before Basic authentication and others do not.
    clientId: randomAlphanumeric(24),
    name,
    nameKey: lookOf(name),
    ownerId,
    purpose,
    homePage,
    redirectUri,
    scopes: bitsOf(input.scopes),
    askedScopes: bitsOf(input.scopes),
    status: 'submitted',
    challengeRequired: flag(challengeRequired),
    resourceServer: flag(resourceServer),
    createdAt: act.at,
    decidedAt: null,
    disabledAt: null,
    reason: null,
    submittedAt: act.at,
    approvedAt: null,
    resumedAt: null,
  };
  const inserted = await trx
    .insertInto('application')
    .values(application)
    // The name itself, or what it looks like.
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!inserted) throw takenName();
  await recordAudit(trx, act, {
    kind: 'application.submitted',
    accountId: ownerId,
    data: { applicationId: application.id, name },
  });
  return { application, warnings };
}

/**
 * Refuses a name by which an application would pass for another or for this service: owners decide by it on the consent page. The operator may
 * name an application of its own after the service. Throws invalidValue.
 */
async function checkName(trx: Db, name: string, ownerId: string | null): Promise<void> {
  if (isDisguised(name))
    throw invalidValue('name', 'a name of visible letters, each of its words in one script');
  if (ownerId !== null && looksLikeUs(name))
    throw invalidValue('name', 'a name other than that of this service');
  const look = lookOf(name);
  // Those from before looks were kept; of the others, the index sees to it.
  const before = await trx
    .selectFrom('application')
    .select('name')
    .where('nameKey', 'is', null)
    .execute();
  if (before.some((one) => lookOf(one.name) === look)) throw takenName();
}

const takenName = (): Failure =>
  refusedNow('name', 'a name that no application has, nor one that looks like it');

const byClientId = prepareQuery((db, p: ParameterOf<{ clientId: string }>) =>
  db.selectFrom('application').selectAll().where('clientId', '=', p('clientId')),
);

export async function findApplication(db: Db, clientId: string): Promise<Application | undefined> {
  return (await byClientId(db, { clientId }))[0];
}

/** Finds an application by name or client_id. */
export const findApplicationNamed = (
  db: Db,
  nameOrClientId: string,
): Promise<Application | undefined> =>
  db
    .selectFrom('application')
    .selectAll()
    .where((eb) => eb.or([eb('name', '=', nameOrClientId), eb('clientId', '=', nameOrClientId)]))
    .executeTakeFirst();

/** The application with this name or client_id. Throws invalidValue. */
export async function getApplication(db: Db, nameOrClientId: string): Promise<Application> {
  const application = await findApplicationNamed(db, nameOrClientId);
  if (!application) throw refusedNow('application', 'the name or client_id of an application');
  return application;
}

/** An application that is known to be there. */
export const getApplicationById = (db: Db, id: string): Promise<Application> =>
  db.selectFrom('application').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** Applications, oldest first: all, or those of one developer. */
export async function listApplications(db: Db, ownerId?: string): Promise<Application[]> {
  const all = db.selectFrom('application').selectAll().orderBy('id');
  return (ownerId === undefined ? all : all.where('ownerId', '=', ownerId)).execute();
}

/** What is decided about an application beside the decision itself. */
export interface Decision {
  /** The only scopes that it may ask for; undefined = those that it was submitted with. */
  readonly scopes?: readonly Scope[] | undefined;
  /** Why it is rejected. */
  readonly reason?: string | undefined;
  /** When what is decided about was submitted; undefined = whatever it says now. */
  readonly submittedAt?: Instant | undefined;
}

/**
 * Approves or rejects an application; the tokens of a rejected application are refused
 * from the next request on. Throws noPermission if the application is unknown, changedMeanwhile, invalidValue.
 */
export async function decideApplication(
  trx: Db,
  act: Act,
  id: string,
  status: 'approved' | 'rejected',
  decision: Decision = {},
): Promise<void> {
  const { scopes, reason = null, submittedAt } = decision;
  const found = await lockApplication(trx, { id });
  if (!found) throw new Failure('noPermission');
  if ((submittedAt ?? found.submittedAt) !== found.submittedAt)
    throw new Failure('changedMeanwhile');
  const bits = scopes === undefined ? found.scopes : bitsOf(scopes);
  if (bits === 0 || bits & ~found.scopes)
    throw refusedNow('scopes', 'some of those that it was submitted with');
  // A reader of the trail sees what was left out.
  const granted: AuditData =
    status === 'approved' ? { asked: scopeText(found.askedScopes), scopes: scopeText(bits) } : {};
  const approvedAt = found.approvedAt ?? (status === 'approved' ? act.at : null);
  await update(
    trx,
    act,
    id,
    { status, decidedAt: act.at, resumedAt: act.at, scopes: bits, reason, approvedAt },
    `application.${status}`,
    granted,
  );
}

/** An application that nobody else changes until the transaction ends. */
export async function lockApplication(
  trx: Db,
  named: { readonly id: string } | { readonly clientId: string; readonly ownerId: string },
): Promise<Application | undefined> {
  let query = trx.selectFrom('application').selectAll();
  for (const [column, value] of Object.entries(named) as ['id' | 'clientId' | 'ownerId', string][])
    query = query.where(column, '=', value);
  return forUpdate(trx, query).executeTakeFirst();
}

/** Disables an application; every instance refuses it from its next request on. */
export const disableApplication = (trx: Db, act: Act, id: string): Promise<void> =>
  update(trx, act, id, { disabledAt: act.at }, 'application.disabled');

export const enableApplication = (trx: Db, act: Act, id: string): Promise<void> =>
  update(trx, act, id, { disabledAt: null, resumedAt: act.at }, 'application.enabled');

/**
 * Changes a registration; codes issued for the old redirect URI can no longer be exchanged.
 * @returns possible problems with the new redirect URI
 */
export async function changeApplication(
  trx: Db,
  act: Act,
  id: string,
  change: Statements,
): Promise<string[]> {
  const warnings = checkStatements(change);
  const resumed = change.scopes !== undefined && { resumedAt: act.at };
  await update(trx, act, id, { ...columnsOf(change), ...resumed }, 'application.changed');
  return warnings;
}

/** Submits an application anew, with what its developer states otherwise. Returns possible problems with its redirect URI. Throws invalidValue. */
export async function resubmitApplication(
  trx: Db,
  act: Act,
  id: string,
  change: Statements,
): Promise<string[]> {
  const warnings = checkStatements(change);
  const asked = change.scopes && { askedScopes: bitsOf(change.scopes) };
  await update(
    trx,
    act,
    id,
    {
      ...columnsOf(change),
      ...asked,
      status: 'submitted',
      submittedAt: act.at,
      decidedAt: null,
      reason: null,
    },
    'application.amended',
  );
  return warnings;
}

const columnsOf = ({
  purpose,
  homePage,
  redirectUri,
  scopes,
  challengeRequired,
}: Statements): Partial<Application> => ({
  ...(purpose !== undefined && { purpose }),
  ...(homePage !== undefined && { homePage }),
  ...(redirectUri !== undefined && { redirectUri }),
  ...(scopes !== undefined && { scopes: bitsOf(scopes) }),
  ...(challengeRequired !== undefined && { challengeRequired: flag(challengeRequired) }),
});

type AuditedChange =
  `application.${'approved' | 'rejected' | 'disabled' | 'enabled' | 'changed' | 'amended'}`;

async function update(
  trx: Db,
  act: Act,
  id: string,
  set: Partial<Application>,
  kind: AuditedChange,
  more: AuditData = {},
): Promise<void> {
  const row = await trx
    .updateTable('application')
    .set(set)
    .where('id', '=', id)
    .returning(['ownerId', 'name'])
    .executeTakeFirst();
  if (!row) throw new Failure('noPermission');
  await recordAudit(trx, act, {
    kind,
    accountId: row.ownerId,
    data: { applicationId: id, name: row.name, ...more },
  });
}
