import { bitsOfKinds, eventKindNames, type AuditKind, type EventKind } from '@helioport/contract';
import type { Selectable } from 'kysely';
import { recordAudit, type Act } from '../../../identity/accounts/audit.ts';
import { headPosition } from '../../../platform/events/position.ts';
import { Failure } from '../../../platform/kernel/failure.ts';
import type { SecretBox } from '../../../platform/kernel/secrets.ts';
import { lockApplication, type Application } from '../../../identity/oauth/applications.ts';
import type { Db, DestinationTable, Instant } from '../../../platform/storage/database.ts';
import { within } from '../../../platform/storage/bounds/within.ts';
import { armDestination } from './shards.ts';
import {
  newSigningSecret,
  sealSecrets,
  unsealSecrets,
  withNewSecret,
  type DestinationOptions,
  type DestinationSecrets,
} from './settings.ts';

export type Destination = Selectable<DestinationTable>;

export interface NewDestination {
  readonly url: string;
  readonly options: DestinationOptions;
  readonly secrets: DestinationSecrets;
  /** undefined = all kinds. */
  readonly kinds?: readonly EventKind[] | undefined;
  /** undefined = all that the application may see. */
  readonly plantIds?: readonly string[] | undefined;
  readonly deviceSns?: readonly string[] | undefined;
}

type Owner = Pick<Application, 'id' | 'ownerId'>;

/** Adds a destination to an application: events that are recorded from now on go there. The settings were checked. Throws invalidValue. */
export async function insertDestination(
  trx: Db,
  act: Act,
  box: SecretBox,
  application: Owner,
  input: NewDestination,
): Promise<string> {
  const { url, options, secrets, kinds = eventKindNames, plantIds, deviceSns } = input;
  await within(trx, 'destinations', { applicationId: application.id }, act);
  const id = act.newId();
  const row = {
    id,
    applicationId: application.id,
    url,
    kinds: bitsOfKinds(kinds),
    plantIds: plantIds ? JSON.stringify(plantIds) : null,
    deviceSns: deviceSns ? JSON.stringify(deviceSns) : null,
    options: JSON.stringify(options),
    secrets: sealSecrets(box, id, secrets),
  };
  await trx
    .insertInto('destination')
    .values({ ...row, state: 'active', reason: null, createdAt: act.at, sinceAt: act.at })
    .execute();
  const { key, no } = await headPosition(trx);
  await trx
    .insertInto('destinationProgress')
    .values({
      destinationId: id,
      key,
      no,
      deliveredAt: null,
      failedAt: null,
      failure: null,
      excerpt: null,
      failingSince: null,
    })
    .execute();
  await recordChange(
    trx,
    act,
    'destination.created',
    { applicationId: application.id, id },
    application.ownerId,
  );
  return id;
}

/** Whose destinations are meant: those of an application, of all approved applications of a developer, or everybody's (null). */
export type DestinationScope =
  | { readonly applicationId: string }
  | { readonly developerId: string }
  | null;

/** The applications within a scope, by id. */
export function applicationsWithin(db: Db, scope: Exclude<DestinationScope, null>) {
  const applications = db.selectFrom('application').select('application.id');
  if ('applicationId' in scope)
    return applications.where('application.id', '=', scope.applicationId);
  return applications
    .where('ownerId', '=', scope.developerId)
    .where('status', '=', 'approved')
    .where('disabledAt', 'is', null);
}

/** Finds a destination; one outside of the scope is like none. Throws noPermission. */
export async function getDestination(
  db: Db,
  id: string,
  scope: DestinationScope,
): Promise<Destination> {
  let query = db.selectFrom('destination').selectAll().where('id', '=', id);
  if (scope !== null) query = query.where('applicationId', 'in', applicationsWithin(db, scope));
  const destination = await query.executeTakeFirst();
  if (!destination) throw new Failure('noPermission', { message: 'no such destination' });
  return destination;
}

/** Finds a destination as `getDestination` does, and locks its application until the transaction ends. Throws noPermission. */
export async function lockDestination(
  trx: Db,
  id: string,
  scope: DestinationScope,
): Promise<Destination> {
  const { applicationId } = await getDestination(trx, id, scope);
  await lockApplication(trx, { id: applicationId });
  return getDestination(trx, id, scope);
}

/** Keeps a destination from getting anything until it is resumed; what happens in between waits for it, as long as the log is kept. */
export const pauseDestination = (trx: Db, act: Act, destination: Destination): Promise<void> =>
  change(trx, act, destination, 'destination.paused', { state: 'paused', reason: null });

/** Lets a destination go on where it was, and tries it at once. */
export async function resumeDestination(
  trx: Db,
  act: Act,
  destination: Destination,
): Promise<void> {
  await change(trx, act, destination, 'destination.resumed', { state: 'active', reason: null });
  await trx
    .updateTable('destinationProgress')
    .set({ probes: 0, nextAt: 0, failingSince: null, outcomes: '' })
    .where('destinationId', '=', destination.id)
    .execute();
  await trx
    .updateTable('snapshot')
    .set({ nextAt: 0 })
    .where('destinationId', '=', destination.id)
    .execute();
  await trx
    .updateTable('waitingDevice')
    .set({ nextAt: 0 })
    .where('destinationId', '=', destination.id)
    .execute();
  await armDestination(trx, destination.id, act.at);
}

/** Switches a destination off, because its peer wants nothing more or has taken nothing for days. */
export const disableDestination = (
  trx: Db,
  act: Act,
  destination: Pick<Destination, 'id' | 'applicationId'>,
  reason: string,
): Promise<void> =>
  change(trx, act, destination, 'destination.disabled', { state: 'disabled', reason });

/** Removes a destination and all that is known of its deliveries. */
export async function removeDestination(
  trx: Db,
  act: Act,
  { id, applicationId }: Destination,
): Promise<void> {
  for (const table of [
    'waitingDevice',
    'deadLetter',
    'replay',
    'lostStretch',
    'snapshot',
    'destinationProgress',
  ] as const)
    await trx.deleteFrom(table).where('destinationId', '=', id).execute();
  await trx.deleteFrom('destination').where('id', '=', id).execute();
  await recordChange(
    trx,
    act,
    'destination.removed',
    { applicationId, id },
    await ownerOf(trx, applicationId),
  );
}

/** Removes all destinations of an application. */
export async function removeDestinationsOf(
  trx: Db,
  act: Act,
  applicationId: string,
): Promise<void> {
  for (const destination of await trx
    .selectFrom('destination')
    .selectAll()
    .where('applicationId', '=', applicationId)
    .execute())
    await removeDestination(trx, act, destination);
}

/** Gives a destination a new signing secret; requests are signed with the newest former ones too, until `retireAt`. Returns the secret. */
export async function rotateSigningSecret(
  trx: Db,
  act: Act,
  box: SecretBox,
  destination: Destination,
  retireAt: Instant,
): Promise<string> {
  const secrets = unsealSecrets(box, destination.id, destination.secrets);
  const text = newSigningSecret();
  await replaceSecrets(trx, act, box, destination, {
    ...secrets,
    signing: withNewSecret(secrets.signing, text, { retireAt, now: act.at }),
  });
  return text;
}

/** Replaces the user and the password of a destination. */
export const replaceCredentials = (
  trx: Db,
  act: Act,
  box: SecretBox,
  destination: Destination,
  credentials: Omit<DestinationSecrets, 'signing'>,
): Promise<void> =>
  replaceSecrets(trx, act, box, destination, {
    ...unsealSecrets(box, destination.id, destination.secrets),
    ...credentials,
  });

const replaceSecrets = (
  trx: Db,
  act: Act,
  box: SecretBox,
  destination: Destination,
  secrets: DestinationSecrets,
): Promise<void> =>
  change(trx, act, destination, 'destination.secretRotated', {
    secrets: sealSecrets(box, destination.id, secrets),
  });

async function change(
  trx: Db,
  act: Act,
  { id, applicationId }: Pick<Destination, 'id' | 'applicationId'>,
  kind: AuditKind,
  set: Partial<Pick<Destination, 'state' | 'reason'> & { secrets: Buffer }>,
): Promise<void> {
  await trx
    .updateTable('destination')
    .set((eb) => ({ ...set, revision: eb('revision', '+', 1) }))
    .where('id', '=', id)
    .execute();
  await recordChange(trx, act, kind, { applicationId, id }, await ownerOf(trx, applicationId));
}

/** The application's developer learns of it from the audit trail. */
async function recordChange(
  trx: Db,
  act: Act,
  kind: AuditKind,
  { applicationId, id: destinationId }: Pick<Destination, 'id' | 'applicationId'>,
  accountId: string | null,
): Promise<void> {
  await recordAudit(trx, act, { kind, accountId, data: { applicationId, destinationId } });
}

async function ownerOf(db: Db, applicationId: string): Promise<string | null> {
  const application = await db
    .selectFrom('application')
    .select('ownerId')
    .where('id', '=', applicationId)
    .executeTakeFirst();
  return application?.ownerId ?? null;
}

/** Destinations that may be served, by the process that holds the lease of their part. */
export const listServable = (db: Db): Promise<Pick<Destination, 'id' | 'revision'>[]> =>
  db
    .selectFrom('destination')
    .innerJoin('application', 'application.id', 'destination.applicationId')
    .select(['destination.id', 'destination.revision'])
    .where('destination.state', '=', 'active')
    .where('application.status', '=', 'approved')
    .where('application.disabledAt', 'is', null)
    .orderBy('destination.id')
    .execute();
