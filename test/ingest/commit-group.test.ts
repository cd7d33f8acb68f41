import { expect, test } from 'vitest';
import type { Db, Trx } from '../../packages/server/src/platform/storage/database.ts';
import {
  createCommitGroup,
  createCommitLanes,
} from '../../packages/server/src/platform/storage/commit-group.ts';
import { StorageAway } from '../../packages/server/src/platform/storage/away.ts';
import { describeEngines } from '../support/engines.ts';

describeEngines('work that is committed together', (database) => {
  const insert = (names: string) => async (trx: Trx) => {
    await trx.insertInto('fieldList').values({ names }).execute();
    return names;
  };
  const stored = async (db: Db, stem: string): Promise<string[]> =>
    (
      await db
        .selectFrom('fieldList')
        .select('names')
        .where('names', 'like', `${stem}%`)
        .orderBy('names')
        .execute()
    ).map(({ names }) => names);

  test('fails alone: the others are stored', async () => {
    const { db } = database();
    const commits = createCommitGroup(db);
    await commits(insert('a-taken'));
    const outcomes = await Promise.allSettled([
      commits(insert('a-1')),
      commits(insert('a-taken')),
      commits(insert('a-2')),
      commits(() => Promise.reject(new Error('own fault'))),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
    ]);
    expect((outcomes[3] as PromiseRejectedResult).reason).toEqual(new Error('own fault'));
    expect(await stored(db, 'a-')).toEqual(['a-1', 'a-2', 'a-taken']);
  });

  test('is stored when it resolves, in the order of asking', async () => {
    const { db } = database();
    const commits = createCommitGroup(db);
    const answers = await Promise.all(
      Array.from({ length: 150 }, (_, i) => commits(insert(`b-${String(i).padStart(3, '0')}`))),
    );
    expect(await stored(db, 'b-')).toEqual(answers);
  });

  test('is refused when no lane becomes free in time, and has a lane again when one does', async () => {
    const { db } = database();
    const commits = createCommitLanes(db, 1, 50);
    const { promise: refused, resolve: free } = Promise.withResolvers<unknown>();
    const slow = commits(() => refused);
    free(await commits(insert('d-late')).catch((error: unknown) => error));
    expect(await slow).toBeInstanceOf(StorageAway);
    await commits(insert('d-next'));
    expect(await stored(db, 'd-')).toEqual(['d-next']);
  });

  test('waits in lanes without holding more connections than there are lanes', async () => {
    const { db } = database();
    let running = 0;
    let most = 0;
    const commits = createCommitLanes(db, 2);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) =>
        commits(async (trx) => {
          most = Math.max(most, ++running);
          await insert(i === 7 ? 'c-00' : `c-${String(i).padStart(2, '0')}`)(trx).finally(
            () => (running -= 1),
          );
        }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'rejected').length).toBe(1);
    expect(most).toBeLessThanOrEqual(2);
    expect((await stored(db, 'c-')).length).toBe(19);
  });
});
