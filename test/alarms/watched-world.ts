import type { Values } from '@helioport/contract';
import { fleetParts } from '../../packages/server/src/outbound/alarms/due-devices.ts';
import { createWatch } from '../../packages/server/src/outbound/alarms/watch.ts';
import { markPosted } from '../../packages/server/src/fleet/collectors/presence.ts';
import { createRunner } from '../../packages/server/src/platform/work/runner.ts';
import { createReportingWorld, type Installation } from '../telemetry/installation.ts';
import type { SettableClock } from '../support/world.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 1440 * MINUTE_MS;

/** Plants that report and a watch that looks at them, all by one clock. */
export function createWatchedWorld(database: () => { db: Db }, clock: SettableClock) {
  const world = createReportingWorld(database, clock);
  const db = (): Db => database().db;
  const faults: unknown[] = [];
  const logger = {
    error: (fault: unknown) => void faults.push(fault),
    // Where time passes in leaps, others take up what is in hand.
    warn: (fault: unknown, message?: string) =>
      void (message?.includes('lost its lease') || faults.push(fault)),
  };
  const watcher = (from: Db = db()) => {
    const handler = createWatch({
      db: from,
      clock,
      logger,
      newId: world.newId,
      telemetry: world.parts().telemetry,
    });
    return createRunner({
      db: from,
      clock,
      logger,
      lanes: {
        watch: { runsAtOnce: 4, limitSeconds: 60, everySeconds: 10, keys: fleetParts, ...handler },
      },
    });
  };

  /** One report of a device by its collector, now or at another time. */
  async function report(
    to: Installation,
    values: Values = { acPowerW: 1000 },
    at = clock.at,
  ): Promise<void> {
    const { refused } = await world.report(to, [{ at, values: values as Record<string, number> }]);
    if (refused.length > 0) throw new Error(refused[0]!.reason);
    await markPosted(db(), await deviceOf(to.collectorId), clock.at);
  }

  const deviceOf = (id: string) =>
    db().selectFrom('device').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const plantOf = (id: string) =>
    db().selectFrom('plant').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const alarmsOf = (deviceId: string) =>
    db()
      .selectFrom('alarm')
      .select(['code', 'level', 'message', 'state', 'beginAt', 'beginDay', 'endAt'])
      .where('deviceId', '=', deviceId)
      .orderBy('id')
      .execute();

  async function watch(): Promise<void> {
    await watcher().runDue();
    if (faults.length > 0) throw faults[0];
  }

  /** Lets time pass minute by minute, with what happens at each, and the watch looking all the while. */
  async function pass(
    minutes: number,
    each: (minute: number) => Promise<unknown> = async () => {},
  ): Promise<void> {
    for (let minute = 0; minute < minutes; minute++) {
      clock.at += MINUTE_MS;
      await each(minute);
      await watch();
    }
  }

  /** A report every five minutes while time passes. */
  const passReporting = (
    to: Installation,
    minutes: number,
    values: (at: number) => Values = () => ({ acPowerW: 1000 }),
  ): Promise<void> =>
    pass(minutes, async (minute) => {
      if (minute % 5 === 4) await report(to, values(clock.at));
    });

  /** A device of a new plant, on the morning of another day. */
  const setUp = async (): Promise<Installation> => {
    clock.at = Math.ceil(clock.at / DAY_MS) * DAY_MS + 630 * MINUTE_MS;
    return world.install();
  };
  const hot = () => ({ acPowerW: 5000, temperatureC: 91 });
  const cool = () => ({ acPowerW: 5000, temperatureC: 50 });

  return {
    ...world,
    faults,
    report,
    watch,
    watcher,
    pass,
    passReporting,
    deviceOf,
    plantOf,
    alarmsOf,
    setUp,
    hot,
    cool,
  };
}
