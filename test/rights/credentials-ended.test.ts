import type { OperationId } from '@helioport/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Caller } from '../../packages/server/src/identity/accounts/caller.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import { openStorage, type Storage } from '../../packages/server/src/platform/storage/open.ts';
import { createFleet } from '../operations/fleet.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';
import { createRightsScene, type Scene } from './scene.ts';

/** What somebody shows, how it ends, what they ask for meanwhile, and what they are answered. */
interface Row {
  readonly caller: (scene: Scene, db: Db) => Promise<Caller> | Caller;
  readonly ask: (scene: Scene) => readonly [OperationId, Record<string, unknown>];
  readonly end: (trx: Db, scene: Scene) => Promise<unknown>;
  readonly answer: string;
}

const disable: Row['ask'] = ({ owner }) => ['user/disable', { email: owner.email }];
const pause: Row['ask'] = ({ destination }) => ['forwarding/pause', { id: destination }];
const AT_ONCE = 12;

describeEngines('credentials that end while a write waits', (database, engine) => {
  const clock = settableClock('2026-06-01T12:00:00Z');
  const fleet = createFleet(database, clock);
  /** Connections of its own: those of the writes wait. */
  let others: Storage;
  beforeAll(() => {
    others = openStorage(database().address);
  });
  afterAll(() => others.close());

  const endSessionOf = (trx: Db, accountId: string) =>
    trx.deleteFrom('session').where('accountId', '=', accountId).execute();
  const rows: Readonly<Record<string, Row>> = {
    'the session of an operator': {
      caller: ({ console: atConsole }) => atConsole,
      ask: disable,
      end: (trx, { operator }) => endSessionOf(trx, operator.id),
      answer: 'notAuthenticated',
    },
    'the second factor of an operator': {
      caller: ({ console: atConsole }) => atConsole,
      ask: disable,
      end: (trx, { operator }) =>
        trx.deleteFrom('totp').where('accountId', '=', operator.id).execute(),
      answer: 'factorMissing',
    },
    'the session of an operator, about the own account': {
      caller: ({ operator, console: { sessionId } }) =>
        userCaller(operator.id, { sessionId, isOperator: true }),
      ask: () => ['account/language', { language: 'de' }],
      end: (trx, { operator }) => endSessionOf(trx, operator.id),
      answer: 'notAuthenticated',
    },
    'the secret of an application': {
      caller: ({ client }) => client,
      ask: pause,
      end: (trx, { client }) =>
        trx
          .updateTable('applicationSecret')
          .set({ expiresAt: clock.now() })
          .where('id', '=', client.secretId)
          .execute(),
      answer: 'notAuthenticated',
    },
  };

  const isWaitedFor = async (): Promise<boolean> =>
    (await sql`select 1 from pg_locks where not granted`.execute(others.db)).rows.length > 0;

  test.each(Object.entries(rows))('%s', async (_name, row) => {
    const scene = await createRightsScene(fleet);
    const caller = await row.caller(scene, fleet.db());
    const [id, body] = row.ask(scene);
    const came: Promise<string>[] = [];
    let over = 0;
    await others.db.transaction().execute(async (trx) => {
      // Every write waits for the writer that has locked all plants.
      if (engine === 'PostgreSQL') await sql`lock table plant in exclusive mode`.execute(trx);
      await row.end(trx, scene);
      for (let i = 0; i < AT_ONCE; i++)
        came.push(
          fleet
            .wire(id, caller, body)
            .then(
              () => 'done',
              ({ code, message }: { code?: string; message: string }) => code ?? message,
            )
            .finally(() => (over += 1)),
        );
      if (engine === 'PostgreSQL')
        await expect
          .poll(async () => over > 0 || (await isWaitedFor()), { timeout: 30_000, interval: 5 })
          .toBe(true);
    });
    expect([...new Set(await Promise.all(came))]).toEqual([row.answer]);
  });

  test.each(Object.entries(rows))('%s lasts: the same write is carried out', async (_name, row) => {
    const scene = await createRightsScene(fleet);
    const [id, body] = row.ask(scene);
    await fleet.wire(id, await row.caller(scene, fleet.db()), body);
  });
});
