import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { checkMigrations, migrate } from '../packages/server/src/storage/migrate.ts';
import { describeEngines } from './support/engines.ts';

describeEngines('migrations', (database) => {
  test('a migrated database needs nothing more', async () => {
    const { db, engine } = database();
    expect(await checkMigrations(db)).toEqual([]);
    expect(await migrate(db, engine, 0)).toEqual([]);
  });
});

describeEngines('transactions', (database) => {
  const insert = (db: ReturnType<typeof database>['db'], name: string) =>
    db
      .insertInto('installation')
      .values({ name, value: Buffer.from(name) })
      .execute();
  const names = async (): Promise<string[]> =>
    (await database().db.selectFrom('installation').select('name').orderBy('name').execute()).map(({ name }) => name);

  // As SQLite does by itself when the disk is full or fails.
  test('one that the engine has rolled back takes nothing of the next one with it', async () => {
    const { db } = database();
    const cut = db.transaction().execute(async (trx) => {
      await insert(trx, 'cut');
      await sql`rollback`.execute(trx);
    });
    const next = db.transaction().execute(async (trx) => {
      await insert(trx, 'first');
      await insert(trx, 'second');
    });
    await Promise.allSettled([cut, next]);
    await expect(next).resolves.toBeUndefined();
    expect(await names()).toEqual(['first', 'second']);
  });

  test('one that is open holds up no read, which sees nothing of it yet', async () => {
    const { db } = database();
    await db.transaction().execute(async (trx) => {
      await insert(trx, 'not yet');
      expect(await names()).not.toContain('not yet');
    });
    expect(await names()).toContain('not yet');
  });

  test('those that fail leave nothing and hold up nobody', async () => {
    const { db } = database();
    const before = await names();
    const failing = Array.from({ length: 5 }, (_, i) =>
      db.transaction().execute(async (trx) => {
        await insert(trx, `failing ${i}`);
        throw new Error('on purpose');
      }),
    );
    expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'rejected'));
    await db.transaction().execute((trx) => insert(trx, 'third'));
    expect(await names()).toEqual([...before, 'third']);
  });
});
