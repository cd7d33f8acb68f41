import { expect, test } from 'vitest';
import { presence } from '../../packages/server/src/fleet/plants/presence.ts';
import { describeEngines } from '../support/engines.ts';
import { createControlScene, type Home } from '../commands/scene.ts';
import { mqttParts } from '../mqtt/broker-fixture.ts';
import { getReportingCollector } from '../../packages/server/src/fleet/collectors/authenticate.ts';

const MINUTE = 60_000;

describeEngines('a device whose clock is hours behind', (database) => {
  const scene = createControlScene(database);
  const { clock } = scene;

  /** Sends a report as a collector would, and lets the watch look. */
  async function report(
    { collectorId, sn }: Home,
    message: 'report' | 'backlog',
    behindMs: number,
  ): Promise<void> {
    const { inbox } = mqttParts({ db: database().db, clock, wakeUps: database().wakeUps });
    const payload = Buffer.from(
      JSON.stringify({
        id: 'r',
        readings: [{ sn, at: clock.now() - behindMs, values: { acPowerW: 1000 } }],
      }),
    );
    const collector = () => getReportingCollector(database().db, { collectorId }, clock.now());
    expect(await inbox.take(collector, { message, payload })).toMatchObject({
      status: 200,
      accepted: 1,
    });
    await scene.watch();
  }
  const state = async ({ deviceId }: Home): Promise<number> =>
    (
      await database()
        .db.selectFrom('device')
        .select('state')
        .where('id', '=', deviceId)
        .executeTakeFirstOrThrow()
    ).state;

  test('is online as long as its readings arrive, and offline when they do no longer', async () => {
    const home = await scene.home();
    for (let i = 0; i < 20; i++) {
      clock.at += MINUTE;
      await report(home, 'report', 5 * 60 * MINUTE);
      expect([i, await state(home)]).toEqual([i, presence.online]);
    }
    clock.at += 60 * MINUTE;
    await scene.watch();
    expect(await state(home)).toBe(presence.offline);
    await report(home, 'report', 5 * 60 * MINUTE);
    expect(await state(home)).toBe(presence.online);
  });

  test('is not the same as a backlog, which turns nothing online and keeps nothing so', async () => {
    const home = await scene.home();
    await report(home, 'report', 0);
    for (let i = 0; i < 10; i++) {
      clock.at += 10 * MINUTE;
      await report(home, 'backlog', 5 * 60 * MINUTE);
    }
    expect(await state(home)).toBe(presence.offline);
  });

  test('has its arrivals recorded to the minute', async () => {
    const home = await scene.home();
    await report(home, 'report', 5 * 60 * MINUTE);
    const { db } = database();
    const reportedAt = async (): Promise<number | null> =>
      (
        await db
          .selectFrom('device')
          .select('reportedAt')
          .where('id', '=', home.deviceId)
          .executeTakeFirstOrThrow()
      ).reportedAt;
    expect(await reportedAt()).toBe(clock.now());
    clock.at += 30_000;
    await report(home, 'report', 5 * 60 * MINUTE);
    expect(await reportedAt()).toBe(clock.now() - 30_000);
  });
});
