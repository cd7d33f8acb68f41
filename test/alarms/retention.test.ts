import { expect, test } from 'vitest';
import { changeAlarms } from '../../packages/server/src/outbound/alarms/alarm-rows.ts';
import { sweepAlarms } from '../../packages/server/src/outbound/alarms/sweep.ts';
import { countMiscounts } from '../../packages/server/src/fleet/plants/fleet/recount.ts';
import { createFleet } from '../operations/fleet.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const PLANTS = 12;

describeEngines('alarms past their time', (database) => {
  const clock = settableClock('2026-06-15T12:00:00Z');
  const fleet = createFleet(database, clock);

  test('are deleted once they have ended, and are not counted any more', async () => {
    const { id: owner } = await fleet.person();
    const devices = [];
    for (let i = 0; i < PLANTS; i++) devices.push(await fleet.device(await fleet.plant(owner)));
    const change = async (deviceId: string, ...changes: Parameters<typeof changeAlarms>[3]) => {
      await fleet.write((trx) =>
        changeAlarms(trx, { now: clock.at, newId: fleet.newId }, deviceId, changes),
      );
    };
    const raise = (code: string) =>
      ({ raise: { code, level: 2, message: code, beginAt: clock.at } }) as const;
    for (const { id } of devices) await change(id, raise('OLD'), raise('OPEN'), raise('LONG'));
    clock.at += HOUR;
    for (const { id } of devices) await change(id, { clear: { code: 'OLD', endAt: clock.at } });
    clock.at += 450 * DAY;
    for (const { id } of devices)
      await change(id, { clear: { code: 'LONG', endAt: clock.at } }, raise('NEW'));
    const before = clock.at - 400 * DAY;
    const sweep = () => fleet.write((trx) => sweepAlarms(trx, before, 5));
    const codes = async (): Promise<string[]> => {
      const list = await fleet.ask('alarmList', userCaller(owner), { pageSize: 100 });
      return list.records.map(({ code }) => code).toSorted();
    };
    const times = (code: string) => Array.from({ length: PLANTS }, () => code);
    // Meanwhile, others end and begin.
    await Promise.all([
      ...Array.from({ length: 4 }, sweep),
      ...devices.map(({ id }) => change(id, { clear: { code: 'OPEN', endAt: clock.at } })),
    ]);
    while ((await sweep()) > 0);
    expect(await codes()).toEqual([...times('LONG'), ...times('NEW'), ...times('OPEN')]);
    expect(await countMiscounts(database().db)).toBe(0);
  });
});
