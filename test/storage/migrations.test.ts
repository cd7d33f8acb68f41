import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { checkMigrations, migrate } from '../../packages/server/src/platform/storage/migrate.ts';
import { describeEngines, type TestDatabase } from '../support/engines.ts';
import { schemaOf } from './schema.ts';

/** The migrations before 0.1.0, which the foundation replaced: number, name, checksum. */
const former = JSON.parse(
  readFileSync(new URL('former-migrations.json', import.meta.url), 'utf8'),
) as [id: number, name: string, checksum: string][];

describeEngines('migrations', (database) => {
  test('a migrated database needs nothing more', async () => {
    const { db, engine } = database();
    expect(await checkMigrations(db)).toEqual([]);
    expect(await migrate(db, engine, 0)).toEqual([]);
  });

  test('lead to the schema that is written down', async () => {
    const { engine } = database();
    await expect(await schemaOf(database())).toMatchFileSnapshot(`schema.${engine}.txt`);
  });

  test('a database in which all migrations before the foundation were applied is adopted, and nothing in it changes', async () => {
    const { db, engine } = database();
    await db
      .insertInto('installation')
      .values({ name: 'kept', value: Buffer.from([1, 2, 3]) })
      .execute();
    const [schema, after] = [await schemaOf(database()), await noted(database())];
    await standAt(database(), former.length);
    expect(await checkMigrations(db)).toEqual([]);
    expect(await migrate(db, engine, 5)).toEqual([]);
    expect(await schemaOf(database())).toBe(schema);
    expect(await noted(database())).toEqual(after);
    expect(
      await db.selectFrom('installation').select('value').where('name', '=', 'kept').execute(),
    ).toHaveLength(1);
  });

  test.each([1, 20, former.length - 1])(
    'a database in which only %i of them were applied is refused, with the commit to pass through',
    async (applied) => {
      const { db, engine } = database();
      await standAt(database(), applied);
      const before = await noted(database());
      const name = former[applied - 1]![1];
      for (const attempt of [() => checkMigrations(db), () => migrate(db, engine, 0)])
        await expect(attempt()).rejects.toThrow(
          new RegExp(`it stands at ${name}\\): run helioport migrate of commit [0-9a-f]{40} first`),
        );
      expect(await noted(database())).toEqual(before);
    },
  );

  test('a database with another migration of the same number is refused', async () => {
    const { db } = database();
    await standAt(database(), former.length);
    await sql`update schema_migration set checksum = 'other' where id = 40`.execute(db);
    await expect(checkMigrations(db)).rejects.toThrow('development version');
  });
});

const noted = async ({ db }: TestDatabase): Promise<unknown[]> =>
  (await sql`select id, name, checksum from schema_migration order by id`.execute(db)).rows;

/** Notes the first former migrations as applied, in place of the foundation. */
async function standAt({ db }: TestDatabase, applied: number): Promise<void> {
  await sql`delete from schema_migration where id < 70`.execute(db);
  for (const [id, name, checksum] of former.slice(0, applied))
    await sql`insert into schema_migration (id, name, checksum, applied_at) values (${id}, ${name}, ${checksum}, 0)`.execute(
      db,
    );
}
