import { expect, test } from 'vitest';
import { sweepPageEnds } from '../../../packages/server/src/identity/accounts/page-ends.ts';
import { archivePlant } from '../../../packages/server/src/fleet/plants/plants.ts';
import { describeEngines } from '../../support/engines.ts';
import { listening } from '../../support/listening.ts';
import { settableClock, userCaller } from '../../support/world.ts';
import { createFleet } from '../fleet.ts';
import { operationsOn } from '../../support/operations.ts';

const HOUR_MS = 3_600_000;

describeEngines('where a page ended', (database) => {
  const clock = settableClock('2026-06-15T10:00:00Z');
  const fleet = createFleet(database, clock);

  /** An instance of its own, which shares nothing with others but the database. */
  const instance = () => {
    const { db, texts } = listening(database().db);
    const handlers = operationsOn(db, clock, fleet.newId);
    const read = async (accountId: string, pageNo: number): Promise<string[]> => {
      const { page } = await handlers.userStationList(userCaller(accountId), {
        pageNo,
        pageSize: 2,
      } as never);
      return page.records.map(({ id }) => id);
    };
    return {
      read,
      writes: () => texts.filter((text) => text.startsWith('insert into "pageEnd"')).length,
    };
  };
  const setUp = async (plants: number) => {
    const { id } = await fleet.person();
    const ids: string[] = [];
    for (let i = 0; i < plants; i++) ids.push(await fleet.plant(id));
    return { id, ids };
  };

  test('is known to every instance: nobody misses a row because another page was read elsewhere', async () => {
    const { id, ids } = await setUp(6);
    const [one, other] = [instance(), instance()];
    expect(await one.read(id, 1)).toEqual(ids.slice(0, 2));
    await fleet.write((trx) => archivePlant(trx, fleet.act(), ids[0]!));
    expect(await other.read(id, 2)).toEqual(ids.slice(2, 4));
    await fleet.write((trx) => archivePlant(trx, fleet.act(), ids[1]!));
    expect(await one.read(id, 3)).toEqual(ids.slice(4, 6));
  });

  test('is written once, however often the page is read, and anew when it moves or half its time is over', async () => {
    const { id, ids } = await setUp(5);
    const { read, writes } = instance();
    for (let i = 0; i < 5; i++) await read(id, 1);
    expect(writes()).toBe(1);
    clock.at += HOUR_MS / 2;
    await read(id, 1);
    expect(writes()).toBe(2);
    clock.at += HOUR_MS / 2 + 60_000;
    await fleet.write((trx) => archivePlant(trx, fleet.act(), ids[0]!));
    expect(await read(id, 2)).toEqual([ids[2], ids[3]]);
    await read(id, 1);
    expect(writes()).toBe(4);
    await fleet.write((trx) => archivePlant(trx, fleet.act(), ids[1]!));
    expect(await read(id, 1)).toEqual([ids[2], ids[3]]);
    expect(await read(id, 2)).toEqual([ids[4]]);
    expect(writes()).toBe(5);
  });

  test('of a page that is not full is not written', async () => {
    const { id } = await setUp(1);
    const { read, writes } = instance();
    await read(id, 1);
    expect(writes()).toBe(0);
  });

  test('is forgotten after an hour, and the oldest before that where there are too many', async () => {
    const { db } = database();
    while ((await sweepPageEnds(db, clock.at + 2 * HOUR_MS, 1000)) > 0);
    const readers = [await setUp(3), await setUp(3), await setUp(3)];
    const { read } = instance();
    for (const { id } of readers) {
      await read(id, 1);
      clock.at += 1000;
    }
    const kept = async () => (await db.selectFrom('pageEnd').select('at').execute()).length;
    await sweepPageEnds(db, clock.at, 1000, 2);
    expect(await kept()).toBe(2);
    expect(await sweepPageEnds(db, clock.at, 1000)).toBe(0);
    expect(await sweepPageEnds(db, clock.at + HOUR_MS, 1)).toBe(1);
    expect(await sweepPageEnds(db, clock.at + HOUR_MS, 1000)).toBe(1);
    expect(await kept()).toBe(0);
  });
});
