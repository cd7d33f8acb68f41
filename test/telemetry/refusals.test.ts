import { expect, test } from 'vitest';
import {
  REFUSALS_KEPT,
  rememberRefusals,
} from '../../packages/server/src/fleet/collectors/refusals.ts';
import { describeEngines } from '../support/engines.ts';

describeEngines('what a collector was refused', (database) => {
  test('is remembered from reports that name the same serial numbers in different orders at once', async () => {
    const { db } = database();
    const refused = Array.from({ length: 20 }, (_, i) => ({ sn: `SN-${i}`, reason: 'not bound' }));
    const reports = Array.from({ length: 60 }, (_, i) =>
      i % 2 === 0 ? refused : refused.toReversed(),
    );
    await Promise.all(
      reports.map((report, i) =>
        db.transaction().execute((trx) => rememberRefusals(trx, '1', report, i)),
      ),
    );
    const rows = await db
      .selectFrom('collectorRefusal')
      .select(['sn', 'count'])
      .where('collectorId', '=', '1')
      .execute();
    expect(rows).toHaveLength(20);
    expect(rows.every(({ count }) => count === 60)).toBe(true);
  });

  test('is bounded, the newest kept, also when reports come at once', async () => {
    const { db } = database();
    const report = (first: number) =>
      Array.from({ length: 20 }, (_, j) => ({
        sn: `SN-${(first + j) % 200}`,
        reason: `reason ${j % 3}`,
      }));
    const reports = Array.from({ length: 30 }, (_, i) => report(i * 7));
    await Promise.all(
      reports.map((refused, i) =>
        db.transaction().execute((trx) => rememberRefusals(trx, '2', refused, i)),
      ),
    );
    const { count } = await db
      .selectFrom('collectorRefusal')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('collectorId', '=', '2')
      .executeTakeFirstOrThrow();
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThanOrEqual(REFUSALS_KEPT);
  });
});
