import { afterAll, beforeAll, expect, test } from 'vitest';
import { lockPlant } from '../../packages/server/src/fleet/plants/lock.ts';
import { openStorage, type Storage } from '../../packages/server/src/platform/storage/open.ts';
import { createFleet } from '../operations/fleet.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';

const MANY = 40;
const TOO_MANY = 220;

describeEngines('writes of one account that wait for each other', (database, engine) => {
  const clock = settableClock('2026-06-01T12:00:00Z');
  const fleet = createFleet(database, clock);
  /** Connections of its own: those of the writes wait. */
  let others: Storage;
  beforeAll(() => {
    others = openStorage(database().address);
  });
  afterAll(() => others.close());

  const rename = (accountId: string, plantId: string, name: string): Promise<string> =>
    fleet.wire('plant/edit', userCaller(accountId), { plantId, name }).then(
      () => 'done',
      ({ code }: { code?: string }) => String(code),
    );

  test('leave connections to everybody else, who reads and writes meanwhile', async () => {
    const [owner, victim] = [await fleet.person(), await fleet.person()];
    const [held, own] = [await fleet.plant(owner.id), await fleet.plant(victim.id)];
    const writes: Promise<string>[] = [];
    await others.db.transaction().execute(async (trx) => {
      await lockPlant(trx, held);
      for (let i = 0; i < MANY; i++) writes.push(rename(owner.id, held, `Name ${i}`));
      const { page } = await fleet.wire('userStationList', userCaller(victim.id), {
        pageNo: 1,
        pageSize: 10,
      });
      expect(page.records).toHaveLength(1);
      // SQLite has one writer at a time.
      if (engine === 'PostgreSQL') expect(await rename(victim.id, own, 'Mine')).toBe('done');
    });
    expect(new Set(await Promise.all(writes))).toEqual(new Set(['done']));
  });

  test('are refused beyond what may wait, and those that wait are carried out', async () => {
    const owner = await fleet.person();
    const plantId = await fleet.plant(owner.id);
    const writes: Promise<string>[] = [];
    await others.db.transaction().execute(async (trx) => {
      await lockPlant(trx, plantId);
      for (let i = 0; i < TOO_MANY; i++) writes.push(rename(owner.id, plantId, `Name ${i}`));
      expect(await writes.at(-1)).toBe('tooManyRequests');
    });
    const answers = await Promise.all(writes);
    expect(answers.filter((one) => one === 'tooManyRequests').length).toBe(TOO_MANY - 203);
    expect(answers.filter((one) => one === 'done').length).toBe(203);
  });
});
