import { randomUUID } from 'node:crypto';
import { Registry } from 'prom-client';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { checkEvents } from '../../packages/server/src/interfaces/cli/installation/doctor-events.ts';
import type { CliContext } from '../../packages/server/src/interfaces/cli/context.ts';
import { registerForwardingMetrics } from '../../packages/server/src/interfaces/edges/http/metrics/forwarding-metrics.ts';
import { appendEntries } from '../../packages/server/src/platform/events/append.ts';
import { findHeld } from '../../packages/server/src/platform/events/held.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import { describeEngines } from '../support/engines.ts';
import { createForwardingScene } from '../forwarding/scene.ts';

const MINUTE = 60_000;

const preparedAtMost = async (db: Db): Promise<number> => {
  const { rows } = await sql<{
    most: number;
  }>`select current_setting('max_prepared_transactions')::int as most`.execute(db);
  return rows[0]!.most;
};

describeEngines('an open transaction that holds the log back', (database, onEngine) => {
  const scene = createForwardingScene(database);
  const { clock } = scene;
  const doctor = () =>
    checkEvents({ storage: async () => database(), clock } as unknown as CliContext);
  const event = { subject: '11', sn: null, occurredAt: 1, data: '{}' };
  const append = () =>
    scene.write((trx) =>
      appendEntries(
        trx,
        [{ kind: 'device.bound', accountId: '7', plantId: '1', events: [event] }],
        clock.at,
      ),
    );

  test('is named by doctor after a minute, and is measured; there is none on SQLite', async () => {
    const { db, engine } = database();
    await append();
    await scene.settled();
    expect(await findHeld(db)).toBeUndefined();
    if (engine === 'sqlite') return;

    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<number>();
    const open = scene.write(async (trx) => {
      await sql`set local application_name = 'report writer'`.execute(trx);
      const { rows } = await sql<{
        pid: number;
      }>`select pg_backend_pid() as pid, pg_current_xact_id()`.execute(trx);
      begun.resolve(rows[0]!.pid);
      await gate.promise;
    });
    const pid = await begun.promise;
    try {
      expect(await doctor()).toEqual({ state: 'ok', text: 'no event is held back' });
      const since = clock.at;
      await append();
      clock.at += MINUTE - 1;
      expect(await doctor()).toMatchObject({ state: 'ok' });
      clock.at += 1;
      const named = new RegExp(
        `for 60 s.*process ${pid} in the database \\S+ \\(report writer\\); select pg_terminate_backend\\(${pid}\\)`,
      );
      // Suites beside this one may have transactions that are older, for a moment.
      await expect.poll(async () => (await doctor()).text).toMatch(named);
      expect((await doctor()).state).toBe('warning');
      expect((await findHeld(db))?.since).toBe(since);
    } finally {
      gate.resolve();
    }
    await open;
    await scene.settled();
    expect(await doctor()).toMatchObject({ state: 'ok' });
  });

  test('is a metric', async () => {
    const registry = new Registry();
    const seconds = [12.5, new Error('the database is away')];
    const heldSeconds = async (): Promise<number> => {
      const next = seconds.shift()!;
      if (next instanceof Error) throw next;
      return next;
    };
    registerForwardingMetrics(registry, { destinations: async () => [], heldSeconds });
    expect(await registry.metrics()).toContain('helioport_forwarding_held_seconds 12.5');
    expect(await registry.metrics()).toContain('helioport_forwarding_held_seconds 0');
  });

  if (onEngine === 'SQLite') return;

  test('may be one that was prepared, which no process has', async (context) => {
    const { db } = database();
    // A cluster that was not started by the tests.
    if ((await preparedAtMost(db)) === 0) return context.skip();
    const name = `ledger ${randomUUID()}`;
    await append();
    await scene.settled();
    await db.transaction().execute(async (trx) => {
      await sql`select pg_current_xact_id()`.execute(trx);
      await sql`prepare transaction ${sql.lit(name)}`.execute(trx);
    });
    try {
      await append();
      clock.at += MINUTE;
      const named = new RegExp(
        `for 60 s.*: the prepared transaction ${name} of the database \\S+; commit prepared or rollback prepared ends it$`,
      );
      // Suites beside this one may have transactions that are older, for a moment.
      await expect.poll(async () => (await doctor()).text).toMatch(named);
      expect((await doctor()).state).toBe('warning');
    } finally {
      await sql`rollback prepared ${sql.lit(name)}`.execute(db);
    }
    await scene.settled();
    expect(await doctor()).toMatchObject({ state: 'ok' });
  });

  test('is named to a role that may see hardly anything else', async () => {
    const { db } = database();
    const role = sql.id(`role_${randomUUID()}`);
    await sql`create role ${role}`.execute(db);
    await sql`grant select on all tables in schema public to ${role}`.execute(db);
    await append();
    await scene.settled();
    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<number>();
    const open = db.transaction().execute(async (trx) => {
      const { rows } = await sql<{
        pid: number;
      }>`select pg_backend_pid() as pid, pg_current_xact_id()`.execute(trx);
      begun.resolve(rows[0]!.pid);
      await gate.promise;
    });
    const pid = await begun.promise;
    await append();
    clock.at += MINUTE;
    const askAs = () =>
      db.transaction().execute(async (trx) => {
        await sql`set local role ${role}`.execute(trx);
        return checkEvents({ storage: async () => ({ db: trx }), clock } as unknown as CliContext);
      });
    await expect
      .poll(async () => (await askAs()).text)
      .toContain(`select pg_terminate_backend(${pid}) ends it`)
      .finally(gate.resolve);
    await open;
    await sql`drop owned by ${role}`.execute(db);
    await sql`drop role ${role}`.execute(db);
  });
});
