import type { Db } from '../../platform/storage/database.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { LaneHandler, Run } from '../../platform/work/lane.ts';
import { daysEntry, nextPlant } from './content/days.ts';
import { LISTS, listEntry } from './content/lists.ts';
import { countBindings, findBinding, monthAfter, readingsEntry } from './content/readings.ts';
import type { ExportSource } from './content/source.ts';
import { EXPORT_KEPT_MS, type AccountExport, type ReadingFormat } from './rows.ts';
import { recordAudit, type Act } from '../../identity/accounts/audit.ts';
import type { IdSource } from '../../platform/kernel/ids.ts';
import { writeEntry, type ArchiveEntry } from './write-entry.ts';

/** Where an export goes on: column `accountExport.place`. */
type Place =
  | { readonly stage: 'lists'; readonly next: number }
  | { readonly stage: 'days'; readonly after: string }
  | { readonly stage: 'readings'; readonly binding: number; readonly month: number | null };

/** A step of an export. */
interface Step {
  /** Undefined if there is nothing to write here. */
  readonly entry: ArchiveEntry | undefined;
  /** Where the next step is; undefined after the last one. */
  readonly next: Place | undefined;
}

/** The steps that one run takes before it lets others have their turn. */
const STEPS_AT_ONCE = 8;
/** The share of the progress that is due to everything but readings. */
const LISTS_SHARE = 0.1;

export interface ExportDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly telemetry: ExportSource['telemetry'];
  /** Asks operations as an account would in the portal. */
  askAs(accountId: string): ExportSource['ask'];
}

/** Writes an export, a few files in each run. The key is its id. */
export const createExports = (deps: ExportDependencies): LaneHandler => ({
  async run(run) {
    const { db, clock } = deps;
    for (let step = 0; step < STEPS_AT_ONCE; step++) {
      const job = await db
        .selectFrom('accountExport')
        .selectAll()
        .where('id', '=', run.key)
        .where('state', '=', 'underway')
        .executeTakeFirst();
      if (!job) return;
      if (!(await goOn(deps, run, job))) return;
    }
    return { dueAt: clock.now() };
  },
});

/** Takes one step; resolves to whether there are more. */
async function goOn(deps: ExportDependencies, run: Run, job: AccountExport): Promise<boolean> {
  const { db, telemetry } = deps;
  const source: ExportSource = {
    db,
    telemetry,
    accountId: job.accountId,
    ask: deps.askAs(job.accountId),
  };
  const place = JSON.parse(job.place) as Place;
  const { entry, next } = await stepAt(source, place, job.format);
  const written =
    entry &&
    (await writeEntry(
      { exportId: job.id, entryNo: job.entries, transaction: run.transaction },
      entry,
    ));
  const progress = next ? Math.max(job.progress, await progressAt(source, next)) : 1;
  const moved = {
    place: JSON.stringify(next ?? place),
    progress,
    ...(written && { entries: job.entries + 1, bytes: job.bytes + written.packedSize }),
  };
  const follow = async (trx: Db, ready: object): Promise<boolean> => {
    const { numUpdatedRows } = await trx
      .updateTable('accountExport')
      .set({ ...moved, ...ready })
      .where('id', '=', job.id)
      // It may have been cancelled meanwhile.
      .where('state', '=', 'underway')
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    if (written)
      await trx
        .insertInto('exportEntry')
        .values({ exportId: job.id, no: job.entries, ...written })
        .execute();
    return true;
  };
  if (next) return run.transaction((trx) => follow(trx, {}));
  const now = deps.clock.now();
  await run.finish(async (trx) => {
    const isReady = await follow(trx, {
      state: 'ready',
      readyAt: now,
      expiresAt: now + EXPORT_KEPT_MS,
    });
    const act: Act = { at: now, actor: 'service', address: null, newId: deps.ids };
    if (isReady)
      await recordAudit(trx, act, {
        kind: 'export.finished',
        accountId: job.accountId,
        data: { exportId: job.id },
      });
  });
  return false;
}

async function stepAt(source: ExportSource, place: Place, format: ReadingFormat): Promise<Step> {
  if (place.stage === 'lists') {
    const next = place.next + 1;
    return {
      entry: listEntry(source, place.next),
      next: next < LISTS ? { stage: 'lists', next } : { stage: 'days', after: '' },
    };
  }
  if (place.stage === 'days') {
    const plantId = await nextPlant(source, place.after);
    if (plantId === undefined)
      return { entry: undefined, next: { stage: 'readings', binding: 0, month: null } };
    return { entry: daysEntry(source, plantId), next: { stage: 'days', after: plantId } };
  }
  const binding = await findBinding(source, place.binding);
  if (!binding) return { entry: undefined, next: undefined };
  const afterBinding = { stage: 'readings', binding: binding.no + 1, month: null } as const;
  if (binding.firstMonth === undefined) return { entry: undefined, next: afterBinding };
  const month =
    binding.no === place.binding && place.month !== null ? place.month : binding.firstMonth;
  if (month > binding.lastMonth) return { entry: undefined, next: afterBinding };
  const next =
    month < binding.lastMonth
      ? ({ stage: 'readings', binding: binding.no, month: monthAfter(month) } as const)
      : afterBinding;
  return { entry: readingsEntry(source, binding, month, format), next };
}

async function progressAt(source: ExportSource, place: Place): Promise<number> {
  if (place.stage === 'lists') return (LISTS_SHARE * place.next) / LISTS;
  if (place.stage === 'days') return LISTS_SHARE;
  const all = await countBindings(source);
  if (all === 0) return 1;
  const done = await countBindings(source, place.binding);
  const part =
    place.month === null ? 0 : partOf(await findBinding(source, place.binding), place.month);
  return LISTS_SHARE + ((1 - LISTS_SHARE) * (done + part)) / all;
}

function partOf(binding: Awaited<ReturnType<typeof findBinding>>, month: number): number {
  if (binding?.firstMonth === undefined) return 0;
  return (
    monthsBetween(binding.firstMonth, month) /
    (monthsBetween(binding.firstMonth, binding.lastMonth) + 1)
  );
}

const monthsBetween = (from: number, to: number): number =>
  (Math.trunc(to / 100) - Math.trunc(from / 100)) * 12 + (to % 100) - (from % 100);
