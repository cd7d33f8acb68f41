import { Kysely } from 'kysely';
import { callerOfKey, findNearestSigningKey } from '../../packages/server/src/accounts/signing-key.ts';
import type { Db, Tables } from '../../packages/server/src/storage/database.ts';
import type { Engine } from '../../packages/server/src/storage/engine.ts';
import { createPostgresDialect } from '../../packages/server/src/storage/postgres/postgres.ts';
import { createSqliteDialect } from '../../packages/server/src/storage/sqlite/sqlite.ts';
import { handlersOf, type Statement } from './installation.ts';

/** The statements of one request, as ours runs them; those of one stage do not wait for each other's rows. */
export async function stagesOf(engine: Engine, address: string, keyId: string): Promise<Statement[][]> {
  const dialect = engine === 'postgres' ? createPostgresDialect({ url: address }) : createSqliteDialect({ file: address });
  const statements: Statement[] = [];
  const db: Db = new Kysely<Tables>({
    dialect,
    log: ({ query: { sql, parameters } }) => void (sql.startsWith('select') && statements.push({ sql, parameters })),
  });
  // In a transaction, where every statement goes by kysely and its log.
  await db.transaction().execute(async (trx) => {
    const { userStationList } = handlersOf(trx);
    const list = async () => userStationList(callerOfKey((await findNearestSigningKey(trx, keyId))!), { pageNo: 1, pageSize: 100 } as never);
    // Once for what is asked only after a start.
    await list();
    statements.length = 0;
    await list();
  });
  await db.destroy();
  // The counts and the page are asked at once; all others wait for the one before.
  const [key, counts, page, ...rest] = statements;
  return [[key!], [counts!, page!], ...rest.map((statement) => [statement])];
}
