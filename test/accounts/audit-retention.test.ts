import { expect, test } from 'vitest';
import { listAudit, recordAudit } from '../../packages/server/src/identity/accounts/audit.ts';
import { describeEngines } from '../support/engines.ts';
import { createWorld, settableClock } from '../support/world.ts';
import { lanesWith } from '../work/lanes.ts';

const DAY_MS = 86_400_000;

describeEngines('the audit trail', (database) => {
  const clock = settableClock('2026-06-01T00:00:00Z');
  const world = createWorld(database, clock);

  test('goes by its age, in batches, and nothing younger with it', async () => {
    const { db } = database();
    const { id } = await world.person();
    const note = (count: number): Promise<void> =>
      world.write(async (trx) => {
        for (let i = 0; i < count; i++)
          await recordAudit(trx, world.act(), { kind: 'logIn.refused', accountId: id });
      });
    // A millisecond has room for 512 ids at least.
    for (let i = 0; i < 2; i++, clock.at += 1) await note(300);
    await note(2);
    clock.at += 30 * DAY_MS;
    await note(1);
    const lanes = lanesWith({
      db,
      clock: Object.assign(clock, { refresh: async () => {} }),
      config: {
        auditRetention: 30,
        eventRetention: 7,
        eventLimit: 1_000,
        readingRetention: null,
        readingThinning: null,
        weatherUrl: null,
        weatherLicence: null,
        controlRetention: null,
        alarmRetention: null,
      },
    });
    const count = async (): Promise<number> => (await listAudit(db, id, { limit: 1000 })).length;
    const sweep = () => lanes['sweep']!.run({ key: 'audit' } as never);
    expect(await count()).toBe(604);
    // 601 are older, the account's creation among them: one batch, and at once the rest.
    expect([await sweep(), await count()]).toEqual([{ dueAt: clock.at }, 104]);
    expect([await sweep(), await count()]).toEqual([{ dueAt: clock.at }, 3]);
    expect([await sweep(), await count()]).toEqual([undefined, 3]);
    clock.at += 1;
    await sweep();
    expect(await count()).toBe(1);
  });
});
