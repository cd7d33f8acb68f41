import { recordAudit, type Act } from '../../identity/accounts/audit.ts';
import { removeDestinationsOf } from '../../outbound/forwarding/destinations/destinations.ts';
import { lockDeviceRows, lockPlants } from '../../fleet/plants/lock.ts';
import { archivePlant } from '../../fleet/plants/plants.ts';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import type { Db } from '../../platform/storage/database.ts';
import type { Closing, Step } from './step.ts';

const PLANTS_AT_ONCE = 25;
const ROWS_AT_ONCE = 500;

interface Row {
  readonly id: string;
}

/** The next rows with a value in a column, in the order of their ids. */
const nextRows = (
  trx: Db,
  table: 'device' | 'plant' | 'auditEvent',
  column: 'accountId' | 'installerId' | 'actor',
  value: string,
  after: string,
): Promise<Row[]> =>
  trx
    .selectFrom(table as 'auditEvent')
    .select('id')
    .where(column as 'actor', '=', value)
    .where('id', '>', after)
    .orderBy('id')
    .limit(ROWS_AT_ONCE)
    .execute();

/** Where the next step goes on after some rows in the order of their ids. */
const restAfter = (rows: readonly Row[], limit: number): string | undefined =>
  rows.length < limit ? undefined : rows.at(-1)!.id;

const idsIn = (trx: Db, rows: readonly Row[]): unknown =>
  listParameter(
    trx,
    rows.map(({ id }) => id),
  );

/** Archives plants of an account, which frees their devices, and removes what says where they are and whose; readings stay, of a plant that nobody can find. */
export const forgetPlants: Step = async (trx, act, { accountId, after }) => {
  const owned = trx
    .selectFrom('plant')
    .select(['id', 'archivedAt'])
    .where('ownerId', '=', accountId)
    .orderBy('id');
  const next = await owned.where('id', '>', after).limit(PLANTS_AT_ONCE).execute();
  await lockPlants(
    trx,
    next.map(({ id }) => id),
  );
  // They may have changed hands while we waited for the locks.
  const plants = await owned.where(anyOf(trx, 'id', idsIn(trx, next))).execute();
  const ids = idsIn(trx, plants);
  const bound = await trx
    .selectFrom('device')
    .select('id')
    .where(anyOf(trx, 'plantId', ids))
    .execute();
  await lockDeviceRows(
    trx,
    bound.map(({ id }) => id),
  );
  await trx
    .updateTable('device')
    .set({ name: null })
    .where(anyOf(trx, 'plantId', ids))
    .execute();
  for (const { id, archivedAt } of plants)
    if (archivedAt === null) await archivePlant(trx, act, id);
  await trx
    .updateTable('plantStanding')
    .set({ nameKey: '', searchKey: '' })
    .where(anyOf(trx, 'plantId', ids))
    .execute();
  const nowhere = {
    address: null,
    latitude: null,
    longitude: null,
    tiltDegrees: null,
    azimuthDegrees: null,
    arrays: null,
  };
  await trx
    .updateTable('plant')
    .set({ name: '', ...nowhere, nmiCode: null, installerId: null, facts: '{}' })
    .where(anyOf(trx, 'id', ids))
    .execute();
  return restAfter(next, PLANTS_AT_ONCE);
};

/** Collectors that were added for an account are nobody's. */
export const forgetDevices: Step = async (trx, _act, { accountId, after }) => {
  const rows = await nextRows(trx, 'device', 'accountId', accountId, after);
  await lockDeviceRows(
    trx,
    rows.map(({ id }) => id),
  );
  await trx
    .updateTable('device')
    .set({ accountId: null })
    .where(anyOf(trx, 'id', idsIn(trx, rows)))
    .where('accountId', '=', accountId)
    .execute();
  return restAfter(rows, ROWS_AT_ONCE);
};

/** Plants of others no longer name the account as their installer. */
export const forgetInstaller: Step = async (trx, _act, { accountId, after }) => {
  const rows = await nextRows(trx, 'plant', 'installerId', accountId, after);
  await lockPlants(
    trx,
    rows.map(({ id }) => id),
  );
  await trx
    .updateTable('plant')
    .set({ installerId: null })
    .where('installerId', '=', accountId)
    .where(anyOf(trx, 'id', idsIn(trx, rows)))
    .execute();
  return restAfter(rows, ROWS_AT_ONCE);
};

/** Applications of a developer stay known to the owners who had authorized them; whose they were is removed. */
export const forgetApplications: Step = async (trx, act, { accountId }) => {
  const application = await trx
    .selectFrom('application')
    .select('id')
    .where('ownerId', '=', accountId)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  if (!application) return undefined;
  const { id } = application;
  await removeDestinationsOf(trx, act, id);
  await trx.deleteFrom('applicationSecret').where('applicationId', '=', id).execute();
  await trx
    .updateTable('application')
    .set({ ownerId: null, purpose: '', homePage: null })
    .where('id', '=', id)
    .execute();
  return '';
};

/** What happened stays in the audit trail; what was typed, and from where, does not. */
export const forgetTrail: Step = async (trx, _act, { accountId, after }) => {
  const rows = await nextRows(trx, 'auditEvent', 'accountId', accountId, after);
  await trx
    .updateTable('auditEvent')
    .set({ data: '{}', address: null })
    .where(anyOf(trx, 'id', idsIn(trx, rows)))
    .execute();
  return restAfter(rows, ROWS_AT_ONCE);
};

/** Nor does it stay from where the person, or keys that still have rows, did things to others; `after`: who, and after which event. */
export const forgetDeeds: Step = async (trx, _act, { accountId, after }) => {
  const keys = await trx
    .selectFrom('keyPair')
    .select('id')
    .where('accountId', '=', accountId)
    .execute();
  const actors = [`account:${accountId}`, ...keys.map(({ id }) => `key:${id}`)].toSorted();
  const [actor, afterId = ''] =
    after === '' ? [actors[0]!] : (after.split(' ') as [string, string]);
  const rows = await nextRows(trx, 'auditEvent', 'actor', actor, afterId);
  await trx
    .updateTable('auditEvent')
    .set({ address: null })
    .where(anyOf(trx, 'id', idsIn(trx, rows)))
    .execute();
  const rest = restAfter(rows, ROWS_AT_ONCE);
  if (rest !== undefined) return `${actor} ${rest}`;
  const next = actors.find((one) => one > actor);
  return next && `${next} `;
};

/** Nor does the history of devices say from where they were commanded. */
export const forgetCommands: Step = async (trx, _act, { accountId }) => {
  const some = trx
    .selectFrom('command')
    .select('id')
    .where('accountId', '=', accountId)
    .where('address', 'is not', null)
    .limit(ROWS_AT_ONCE);
  const { numUpdatedRows } = await trx
    .updateTable('command')
    .set({ address: null })
    .where('id', 'in', some)
    .executeTakeFirst();
  return numUpdatedRows === 0n ? undefined : '';
};

/** Nor do alarms keep what the person said of them. */
export const forgetNotes: Step = async (trx, _act, { accountId }) => {
  const some = trx
    .selectFrom('alarm')
    .select('id')
    .where('processedBy', '=', `account:${accountId}`)
    .where('note', 'is not', null)
    .limit(ROWS_AT_ONCE);
  const { numUpdatedRows } = await trx
    .updateTable('alarm')
    .set({ note: null, notedAt: null })
    .where('id', 'in', some)
    .executeTakeFirst();
  return numUpdatedRows === 0n ? undefined : '';
};

/** Tables of which an account’s rows go; the others that name accounts keep its pseudonym. */
export const OWN_TABLES = [
  'keyPair',
  'session',
  'knownBrowser',
  'totp',
  'recoveryCode',
  'passkey',
  'mail',
  'newsSetting',
  'newsItem',
  'newsMessage',
  'pushSubscription',
  'newsWebhook',
  'supportPermission',
  'companyFormer',
  'endedAccess',
] as const;

/** The end of a removal, which the trail tells once. */
export async function finishRemoval(trx: Db, act: Act, { accountId }: Closing): Promise<void> {
  for (const table of OWN_TABLES)
    await trx.deleteFrom(table).where('accountId', '=', accountId).execute();
  // Those who could see the account's plants were told long ago.
  await trx
    .deleteFrom('endedAccess')
    .where('plantId', 'in', (eb) =>
      eb.selectFrom('plant').select('id').where('ownerId', '=', accountId),
    )
    .execute();
  await recordAudit(trx, act, { kind: 'account.removed', accountId });
}
