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
