import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { assignCollector } from '../../packages/server/src/fleet/devices/devices.ts';
import {
  createIngest,
  type IngestAnswer,
} from '../../packages/server/src/measurements/ingest/ingest.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import { StorageAway } from '../../packages/server/src/platform/storage/away.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import { describePostgres } from '../support/engines.ts';
import { stepwiseCommits } from '../support/step-by-step.ts';
import { settableClock } from '../support/world.ts';
import { createReportingWorld, type Installation } from '../telemetry/installation.ts';

const AT = Date.parse('2026-06-29T08:00:00Z');

// SQLite's write transactions exclude each other.
describePostgres('reports that arrive together', (database) => {
  const clock = settableClock('2026-06-15T12:00:00Z');
  const world = createReportingWorld(database, clock);

  /** Holds a lock in a transaction of its own until the returned function is called. */
  async function holding(lock: (trx: Db) => Promise<unknown>): Promise<() => Promise<void>> {
    const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const done = world.write(async (trx) => {
      await lock(trx);
      held.resolve();
      await released.promise;
    });
    await held.promise;
    return async () => {
      released.resolve();
      await done;
    };
  }

  /** Has readings checked; the returned function stores them, in one batch with others whose storing begins in the same turn. */
  async function begin(
    ingest: ReturnType<typeof createIngest>,
    { collectorId }: Installation,
    ...readings: readonly object[]
  ): Promise<() => Promise<IngestAnswer>> {
    const intake = ingest.begin();
    await intake.add(readings);
    return () => intake.store({ collectorId }, { isBacklog: false, ownerId: 'somebody' });
  }

  async function somebodyWaits(): Promise<'waits'> {
    for (;;) {
      const { rows } =
        await sql`select 1 from pg_locks where not granted and pid <> pg_backend_pid()`.execute(
          database().db,
        );
      if (rows.length > 0) return 'waits';
    }
  }

  async function installed(): Promise<Installation> {
    const device = await world.install();
    clock.at = AT + 86_400_000;
    return device;
  }

  test('keep the order of a device, also if an earlier one has to wait for another device', async () => {
    const device = await installed();
    const other = await world.device(device.plantId, {});
    await world.write((trx) => assignCollector(trx, other.id, device.collectorId));
    const { db } = database();
    const { series } = await db
      .selectFrom('device')
      .select('series')
      .where('id', '=', other.id)
      .executeTakeFirstOrThrow();
    const release = await holding((trx) =>
      sql`select pg_advisory_xact_lock(72051, ${series})`.execute(trx),
    );
    const ingest = createIngest({ db, clock, series: createSqlSeries(db) });
    const begun = await Promise.all([
      begin(
        ingest,
        device,
        ...[device.sn, other.sn].map((sn) => ({ sn, at: AT, values: { acPowerW: 1 } })),
      ),
      begin(ingest, device, { sn: device.sn, at: AT, values: { acPowerW: 2 } }),
    ]);
    const both = Promise.all(begun.map((store) => store()));
    await somebodyWaits();
    await release();
    expect(await both).toMatchObject([{ accepted: 2 }, { accepted: 1 }]);
    const [sample] = await createSqlSeries(db).range(db, device.series, AT, AT + 1);
    expect([...sample!.values]).toEqual([2]);
  });

  test('wait, each alone, for the writer that is changing their owner, and are stored then', async () => {
    const device = await installed();
    const { db } = database();
    const { ownerId } = await db
      .selectFrom('plant')
      .select('ownerId')
      .where('id', '=', device.plantId)
      .executeTakeFirstOrThrow();
    const release = await holding((trx) =>
      trx.selectFrom('account').select('id').where('id', '=', ownerId).forUpdate().execute(),
    );
    const report = world.report(device, [{ at: AT, values: { acPowerW: 1 } }]);
    expect(await Promise.race([report.catch(() => 'refused'), somebodyWaits()])).toBe('waits');
    await release();
    expect(await report).toMatchObject({ accepted: 1 });
  });

  test('are all refused at once when the database is away, and none is tried again in vain', async () => {
    const devices = [await installed(), await installed(), await installed()];
    let commits = 0;
    const away = stepwiseCommits(database().db, (name) => {
      if (name !== 'commit') return;
      commits += 1;
      throw new StorageAway('the database is away');
    });
    const ingest = createIngest({ db: away, clock, series: createSqlSeries(database().db) });
    const begun = await Promise.all(
      devices.map((device) =>
        begin(ingest, device, { sn: device.sn, at: AT, values: { acPowerW: 1 } }),
      ),
    );
    const outcomes = await Promise.allSettled(begun.map((store) => store()));
    expect(outcomes).toEqual(
      devices.map(() => ({ status: 'rejected', reason: expect.any(StorageAway) })),
    );
    expect(commits).toBe(1);
  });
});
