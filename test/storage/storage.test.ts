import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import { prepareGathered } from '../../packages/server/src/platform/storage/postgres/gathered.ts';
import {
  prepareQuery,
  type ParameterOf,
} from '../../packages/server/src/platform/storage/prepare.ts';
import { describeEngines, describePostgres } from '../support/engines.ts';
import { listening } from '../support/listening.ts';

describeEngines('transactions', (database) => {
  const insert = (db: ReturnType<typeof database>['db'], name: string) =>
    db
      .insertInto('installation')
      .values({ name, value: Buffer.from(name) })
      .execute();
  const names = async (): Promise<string[]> =>
    (await database().db.selectFrom('installation').select('name').orderBy('name').execute()).map(
      ({ name }) => name,
    );

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
    expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(
      Array.from({ length: 5 }, () => 'rejected'),
    );
    await db.transaction().execute((trx) => insert(trx, 'third'));
    expect(await names()).toEqual([...before, 'third']);
  });
});

describePostgres('statements', (database) => {
  test('are prepared when they are repeated, however many others came once', async () => {
    const { db } = database();
    const prepared = async (mark: string): Promise<number> => {
      const { rows } = await sql<{
        n: number;
      }>`select count(*)::int as n from pg_prepared_statements where statement like ${`%${mark}%`}`.execute(
        db,
      );
      return rows[0]!.n;
    };
    for (let i = 0; i < 700; i++) await sql.raw(`select ${i} as passing`).execute(db);
    for (let i = 0; i < 3; i++) await sql`select 1 as repeated`.execute(db);
    expect([await prepared('as passing'), await prepared('as repeated')]).toEqual([0, 1]);
  });
});

describeEngines('statements', (database) => {
  test('return the same columns at each repetition, and go on after one that failed', async () => {
    const { db } = database();
    const run = prepareQuery((trx, p: ParameterOf<{ name: string; divisor: number }>) =>
      trx
        .selectFrom('installation')
        .select([
          'name',
          'value',
          sql<number>`cast(9007199254740991 as bigint) / cast(${p('divisor')} as bigint)`.as(
            'quotient',
          ),
          sql<null>`null`.as('nothing'),
        ])
        .where('name', '=', p('name')),
    );
    const names = ['a', 'b', 'none', 'a'];
    for (const name of ['a', 'b'])
      await db
        .insertInto('installation')
        .values({ name, value: Buffer.from(name) })
        .execute();
    const found = async (name: string, divisor: number) =>
      (await run(db, { name, divisor })).map((row) => ({
        ...row,
        value: Buffer.from(row.value).toString(),
      }));
    const row = (name: string) => ({
      name,
      value: name,
      quotient: 9_007_199_254_740_991,
      nothing: null,
    });
    for (const name of names)
      expect(await found(name, 1)).toEqual(name === 'none' ? [] : [row(name)]);
    await found('a', 0).catch((error: Error) =>
      expect(error.message).toContain('division by zero'),
    );
    expect(await Promise.all(names.map((name) => found(name, 1)))).toEqual([
      [row('a')],
      [row('b')],
      [],
      [row('a')],
    ]);
  });
});

describePostgres('changes that arrive together', (database) => {
  // A divisor of 0 makes the statement fail, and one of -1 has it cancelled, as by a time limit.
  const append = prepareGathered<
    { name: string; text: Buffer; divisor: number },
    { call: number; name: string }
  >(
    { name: 'text', text: 'bytea', divisor: 'int4' },
    { table: 'installation', by: 'name', value: 'name', columns: ['name'] },
    (db, { p, calls, held, call }) =>
      db
        .updateTable('installation as one')
        .set({
          value: sql<Buffer>`one.value || ${p('text')} || case 1 / ${p('divisor')} when -1 then (pg_cancel_backend(pg_backend_pid())::text || pg_sleep(60)::text)::bytea else '' end`,
        })
        .from(calls)
        .where('one.name', '=', held('name'))
        .returning(['one.name', call.as('call')]),
  );
  const call = (db: Db, name: string, text: string, divisor = 1) =>
    append(db, { name, text: Buffer.from(text), divisor });
  const textOf = async (name: string): Promise<string> =>
    (
      await database()
        .db.selectFrom('installation')
        .select('value')
        .where('name', '=', name)
        .executeTakeFirstOrThrow()
    ).value.toString();

  beforeEach(async () => {
    const { db } = database();
    await db.deleteFrom('installation').where('name', 'in', ['a', 'b', 'c']).execute();
    const values = ['a', 'b', 'c'].map((name) => ({ name, value: Buffer.from(name) }));
    await db.insertInto('installation').values(values).execute();
  });

  test('are one statement, and each caller gets its own row, or none', async () => {
    const { db, texts } = listening(database().db);
    const rows = await Promise.all([
      call(db, 'b', '1'),
      call(db, 'unknown', '2'),
      call(db, 'a', '3'),
    ]);
    expect([rows.map((row) => row?.name), texts.length]).toEqual([['b', undefined, 'a'], 1]);
    expect([await textOf('a'), await textOf('b'), await textOf('c')]).toEqual(['a3', 'b1', 'c']);
  });

  test('of one row change it once', async () => {
    const { db } = database();
    const rows = await Promise.all([call(db, 'a', '1'), call(db, 'a', '1')]);
    expect([rows.filter(Boolean).length, await textOf('a')]).toEqual([1, 'a1']);
  });

  test('wait for no row that somebody else has locked', async () => {
    const { db } = database();
    await db.transaction().execute(async (trx) => {
      await trx
        .selectFrom('installation')
        .select('name')
        .where('name', '=', 'a')
        .forUpdate()
        .execute();
      const rows = await Promise.all([call(db, 'a', '1'), call(db, 'b', '2')]);
      expect(rows.map((row) => row?.name)).toEqual([undefined, 'b']);
    });
  });

  test('are to be carried out alone if their statement fails, and are refused if the database is away', async () => {
    const { db } = database();
    expect(await Promise.all([call(db, 'a', '1'), call(db, 'b', '2', 0)])).toEqual([
      undefined,
      undefined,
    ]);
    const away = await Promise.allSettled([call(db, 'a', '1'), call(db, 'b', '2', -1)]);
    expect(away.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect([await textOf('a'), (await call(db, 'b', '3'))?.name]).toEqual(['a', 'b']);
  });

  test('are at most 64 in one statement; if the database is away, those behind them are refused too', async () => {
    const { db, texts } = listening(database().db);
    await Promise.all(Array.from({ length: 65 }, () => call(db, 'unknown', '1')));
    expect(texts.length).toBe(2);
    const away = await Promise.allSettled(
      Array.from({ length: 65 }, (_, i) => (i === 0 ? call(db, 'b', '1', -1) : call(db, 'a', '1'))),
    );
    expect(new Set(away.map(({ status }) => status))).toEqual(new Set(['rejected']));
    expect([await textOf('a'), texts.length]).toEqual(['a', 3]);
  });

  test('wait while a statement runs, and are then one', async () => {
    const { db, texts } = listening(database().db);
    const calls: Promise<{ name: string } | undefined>[] = [];
    await database()
      .db.transaction()
      .execute(async (trx) => {
        await sql`lock table installation in exclusive mode`.execute(trx);
        for (const name of ['a', 'b', 'c', 'unknown']) {
          calls.push(call(db, name, '1'));
          // In a turn of its own.
          await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
        }
        expect(texts.length).toBe(1);
      });
    expect((await Promise.all(calls)).map((row) => row?.name)).toEqual(['a', 'b', 'c', undefined]);
    expect(texts.length).toBe(2);
  });
});
