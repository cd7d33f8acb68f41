import { recordAudit, type Act } from '../../identity/accounts/audit.ts';
import { Failure } from '../../platform/kernel/failure.ts';
import type { AccountExportTable, Db, Instant } from '../../platform/storage/database.ts';
import { lockBound, withinBounds } from '../../platform/storage/bounds/within.ts';
import { armTasks } from '../../platform/work/arm.ts';
import type { Selectable } from 'kysely';

/** Its runs write exports; the key is the id of an export. */
export const EXPORT = 'export';

/** How long an export can be downloaded. */
export const EXPORT_KEPT_MS = 3 * 86_400_000;

/** How exports write readings. */
export type ReadingFormat = AccountExportTable['format'];

export type AccountExport = Selectable<AccountExportTable>;

/** Begins the export of an account; an earlier one is deleted. One that is underway goes on, and is answered instead. */
export async function beginExport(
  trx: Db,
  act: Act,
  accountId: string,
  format: ReadingFormat,
): Promise<AccountExport> {
  await lockBound(trx, 'exports', { accountId });
  const known = await listExports(trx, accountId);
  const underway = known.find(({ state }) => state === 'underway');
  if (underway) return underway;
  for (const { id } of known) await endExport(trx, id);
  await withinBounds(trx, 'exports', { accountId }, act);
  const begun = {
    id: act.newId(),
    accountId,
    format,
    state: 'underway' as const,
    createdAt: act.at,
    readyAt: null,
    expiresAt: null,
  };
  const row = { ...begun, place: '{"stage":"lists","next":0}', progress: 0, entries: 0, bytes: 0 };
  await trx.insertInto('accountExport').values(row).execute();
  await armTasks(trx, EXPORT, [begun.id], act.at);
  await recordAudit(trx, act, {
    kind: 'export.started',
    accountId,
    data: { exportId: begun.id, format },
  });
  return row;
}

/** The exports of an account that are underway or ready, newest first. */
export const listExports = (db: Db, accountId: string): Promise<AccountExport[]> =>
  db
    .selectFrom('accountExport')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('state', '!=', 'over')
    .orderBy('id', 'desc')
    .execute();

/** An export of an account that can be downloaded. Throws noPermission. */
export async function getReadyExport(
  db: Db,
  accountId: string,
  id: string,
  now: Instant,
): Promise<AccountExport> {
  const found = (await listExports(db, accountId)).find((one) => one.id === id);
  if (!found || found.state !== 'ready' || found.expiresAt! <= now)
    throw new Failure('noPermission');
  return found;
}

/** Cancels an export, or deletes one that is ready. Throws noPermission. */
export async function cancelExport(
  trx: Db,
  act: Act,
  accountId: string,
  id: string,
): Promise<void> {
  const found = (await listExports(trx, accountId)).find((one) => one.id === id);
  if (!found) throw new Failure('noPermission');
  await endExport(trx, id);
  await recordAudit(trx, act, { kind: 'export.cancelled', accountId, data: { exportId: id } });
}

/** Ends an export at once; a sweep deletes its parts. */
const endExport = (trx: Db, id: string): Promise<unknown> =>
  trx.updateTable('accountExport').set({ state: 'over' }).where('id', '=', id).execute();

const EXPORTS_AT_ONCE = 10;

/** Deletes parts of exports that have expired or are over, at most `limit` chunks at once; returns how much was deleted. */
export async function sweepExports(db: Db, now: Instant, limit: number): Promise<number> {
  await db
    .updateTable('accountExport')
    .set({ state: 'over' })
    .where('state', '=', 'ready')
    .where('expiresAt', '<=', now)
    .execute();
  const over = await db
    .selectFrom('accountExport')
    .select('id')
    .where('state', '=', 'over')
    .limit(EXPORTS_AT_ONCE)
    .execute();
  let deleted = 0;
  for (const { id } of over) {
    const chunks = await db
      .selectFrom('exportChunk')
      .select(['entryNo', 'no'])
      .where('exportId', '=', id)
      .limit(limit)
      .execute();
    for (const { entryNo, no } of chunks)
      await db
        .deleteFrom('exportChunk')
        .where('exportId', '=', id)
        .where('entryNo', '=', entryNo)
        .where('no', '=', no)
        .execute();
    deleted += chunks.length;
    if (chunks.length === limit) return deleted;
    await db.transaction().execute(async (trx) => {
      await trx.deleteFrom('exportChunk').where('exportId', '=', id).execute();
      await trx.deleteFrom('exportEntry').where('exportId', '=', id).execute();
      await trx.deleteFrom('accountExport').where('id', '=', id).execute();
    });
    deleted += 1;
  }
  return deleted;
}
