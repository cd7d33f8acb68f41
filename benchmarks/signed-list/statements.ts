import { Kysely } from 'kysely';
import {
  callerOfKey,
  findNearestSigningKey,
} from '../../packages/server/src/identity/accounts/signing-key.ts';
import type { Db, Tables } from '../../packages/server/src/platform/storage/database.ts';
import type { Engine } from '../../packages/server/src/platform/storage/engine.ts';
import { createPostgresDialect } from '../../packages/server/src/platform/storage/postgres/postgres.ts';
import { createSqliteDialect } from '../../packages/server/src/platform/storage/sqlite/sqlite.ts';
import { handlersOf, type Statement } from './installation.ts';

/** The statements of one request, as the product runs them; those of one stage do not depend on each other's rows. */
export async function stagesOf(
  engine: Engine,
  address: string,
  keyId: string,
): Promise<Statement[][]> {
  const dialect =
    engine === 'postgres'
      ? createPostgresDialect({ url: address })
      : createSqliteDialect({ file: address });
  const statements: Statement[] = [];
  const db: Db = new Kysely<Tables>({
    dialect,
    log: ({ query: { sql, parameters } }) =>
      void (sql.startsWith('select') && statements.push({ sql, parameters })),
  });
  // In a transaction, every statement goes through kysely and its log.
  await db.transaction().execute(async (trx) => {
    const { userStationList } = handlersOf(trx);
    const list = async () =>
      userStationList(callerOfKey((await findNearestSigningKey(trx, keyId))!), {
        pageNo: 1,
        pageSize: 100,
      } as never);
    // The first run also contains statements that only run once after a start.
    await list();
    statements.length = 0;
    await list();
  });
  await db.destroy();
  // The counts and the page are read at the same time; all others wait for the one before.
  const [key, counts, page, ...rest] = statements;
  return [[key!], [counts!, page!], ...rest.map((statement) => [statement])];
}
