import { recordAudit, type Act } from '../accounts/audit.ts';
import { refusedNow } from '../../platform/kernel/failure.ts';
import { hashSecret, randomAlphanumeric } from '../../platform/kernel/secrets.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { prepareLookup } from '../../platform/storage/lookup.ts';
import { withinBounds } from '../../platform/storage/bounds/within.ts';
import type { Application } from './applications.ts';

/** The properties of a client secret in lists: all but its text, which is shown only when it is created. */
export interface ClientSecret {
  readonly id: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant | null;
  readonly lastUsedAt: Instant | null;
  /** Its last four characters; null = it was made before they were kept. */
  readonly ending: string | null;
}

/** So many that people tell their secrets apart, and so few that a secret stays one. */
const ENDING_CHARACTERS = 4;

/** Creates a secret in addition to an application's existing ones; its text is shown only once. */
export async function insertClientSecret(
  trx: Db,
  act: Act,
  application: Pick<Application, 'id' | 'ownerId'>,
): Promise<string> {
  await withinBounds(trx, 'clientSecrets', { applicationId: application.id }, act);
  const text = randomAlphanumeric();
  const id = act.newId();
  await trx
    .insertInto('applicationSecret')
    .values({
      id,
      hash: hashSecret(text),
      applicationId: application.id,
      createdAt: act.at,
      expiresAt: null,
      lastUsedAt: null,
      ending: text.slice(-ENDING_CHARACTERS),
    })
    .execute();
  await recordAudit(trx, act, {
    kind: 'application.secretCreated',
    accountId: application.ownerId,
    data: { applicationId: application.id, secretId: id },
  });
  return text;
}

/** Creates a new secret; the existing ones stay valid until `retireAt`. */
export async function rotateClientSecret(
  trx: Db,
  act: Act,
  application: Pick<Application, 'id' | 'ownerId'>,
  retireAt: Instant,
): Promise<string> {
  await trx
    .updateTable('applicationSecret')
    .set({ expiresAt: retireAt })
    .where('applicationId', '=', application.id)
    .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', retireAt)]))
    .execute();
  return insertClientSecret(trx, act, application);
}

/** Ends a secret at once. One that has ended stays as it is. Throws invalidValue if the application has no such secret. */
export async function endClientSecret(
  trx: Db,
  act: Act,
  application: Pick<Application, 'id' | 'ownerId'>,
  secretId: string,
): Promise<void> {
  const secret = await trx
    .selectFrom('applicationSecret')
    .select('expiresAt')
    .where('applicationId', '=', application.id)
    .where('id', '=', secretId)
    .executeTakeFirst();
  if (!secret) throw refusedNow('secretId', 'the id of a secret of this application');
  if (secret.expiresAt !== null && secret.expiresAt <= act.at) return;
  await trx
    .updateTable('applicationSecret')
    .set({ expiresAt: act.at })
    .where('id', '=', secretId)
    .execute();
  await recordAudit(trx, act, {
    kind: 'application.secretEnded',
    accountId: application.ownerId,
    data: { applicationId: application.id, secretId },
  });
}

export const listClientSecrets = (db: Db, applicationId: string): Promise<ClientSecret[]> =>
  db
    .selectFrom('applicationSecret')
    .select(['id', 'createdAt', 'expiresAt', 'lastUsedAt', 'ending'])
    .where('applicationId', '=', applicationId)
    .orderBy('id')
    .execute();

const bySecret = prepareLookup('secret.hash', (db, found) =>
  db
    .selectFrom('applicationSecret as secret')
    .innerJoin('application', 'application.id', 'secret.applicationId')
    .where(found)
    .selectAll('application')
    .select([
      'secret.hash as lookupKey',
      'secret.id as secretId',
      'secret.expiresAt',
      'secret.lastUsedAt',
    ]),
);

/** An application, and the id of the secret that it has shown. */
export type AuthenticatedApplication = Application & { readonly secretId: string };

const LAST_USED_EXACT_TO_MS = 60_000;

/**
 * The application with these credentials, in any status. The secret is looked up by its hash and never compared, so the time taken reveals nothing
 * about it and is the same for an unknown client_id.
 */
export async function authenticateApplication(
  db: Db,
  now: Instant,
  clientId: string,
  secret: string,
): Promise<AuthenticatedApplication | undefined> {
  const found = await bySecret(db, hashSecret(secret));
  if (found?.clientId !== clientId) return undefined;
  const { secretId, expiresAt, lastUsedAt, lookupKey: _, ...application } = found;
  if (expiresAt !== null && expiresAt <= now) return undefined;
  if (lastUsedAt === null || lastUsedAt <= now - LAST_USED_EXACT_TO_MS)
    await db
      .updateTable('applicationSecret')
      .set({ lastUsedAt: now })
      .where('id', '=', secretId)
      .execute();
  return { ...application, secretId };
}
