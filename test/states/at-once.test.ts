import { expect, test } from 'vitest';
import { changeAlarms } from '../../packages/server/src/outbound/alarms/alarm-rows.ts';
import { bindDevice, endBinding } from '../../packages/server/src/fleet/plants/bindings.ts';
import { foldCounts } from '../../packages/server/src/fleet/plants/fleet/fold-counts.ts';
import { countMiscounts } from '../../packages/server/src/fleet/plants/fleet/recount.ts';
import { sharePlant, unsharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import { createWatchedWorld } from '../alarms/watched-world.ts';
import { describeEngines } from '../support/engines.ts';
import { effort } from '../support/effort.ts';
import { settableClock } from '../support/world.ts';
import type { Installation } from '../telemetry/installation.ts';

const MINUTE_MS = 60_000;

describeEngines('reports, looks, moves and shares at once', (database) => {
  const clock = settableClock('2026-06-15T11:00:00Z');
  const world = createWatchedWorld(database, clock);
  const { act, write, install, parts, watcher } = world;

  test(
    'neither wait for one another for ever nor lose a state',
    { timeout: effort(120_000, 1_200_000) },
    async () => {
      const installed: Installation[] = [];
      for (let i = 0; i < 4; i++) installed.push(await install());
      const guest = await world.person();
      const rounds = effort(25, 400);
      const repeat = async (each: (round: number) => Promise<unknown>): Promise<void> => {
        for (let round = 0; round < rounds; round++) await each(round);
      };
      const refusals = (error: Error): void => {
        if (error.name !== 'Failure') throw error;
      };
      /** One post with readings of all devices, in an order of its own. */
      const post = (round: number) =>
        parts().ingest(
          'operator',
          installed
            .toSorted((a, b) => ((a.series + round) % 3) - ((b.series + round) % 3))
            .map(({ sn }) => ({ sn, at: clock.at, values: { acPowerW: round } })),
        );
      const first = installed[0]!;
      const second = installed[1]!;
      await Promise.all([
        repeat(post),
        repeat((round) => post(round + 1)),
        repeat(async (round) => {
          // Every few rounds all have been silent for long.
          clock.at += round % 5 === 0 ? 20 * MINUTE_MS : MINUTE_MS;
          await watcher().runDue();
        }),
        repeat(() => watcher().runDue()),
        repeat(async () => {
          await write((trx) => endBinding(trx, act(), first.deviceId, first.plantId)).catch(
            refusals,
          );
          await write((trx) => bindDevice(trx, act(), first.deviceId, second.plantId)).catch(
            refusals,
          );
          await write((trx) => endBinding(trx, act(), first.deviceId, second.plantId)).catch(
            refusals,
          );
          await write((trx) => bindDevice(trx, act(), first.deviceId, first.plantId)).catch(
            refusals,
          );
        }),
        repeat(async (round) => {
          const { plantId } = installed[round % 4]!;
          await write((trx) => sharePlant(trx, act(), plantId, guest.email, 'read'));
          await write((trx) => unsharePlant(trx, act(), plantId, guest.email));
        }),
        repeat(async (round) => {
          const { deviceId } = installed[round % 4]!;
          const change =
            round % 2 === 0
              ? { raise: { code: 'X', level: 2 as const, message: 'x', beginAt: clock.at } }
              : { clear: { code: 'X', endAt: clock.at } };
          await write((trx) =>
            changeAlarms(trx, { now: clock.at, newId: world.newId }, deviceId, [change]),
          );
        }),
        repeat(() => foldCounts(database().db, 10)),
      ]);
      expect(world.faults).toEqual([]);
      expect(await countMiscounts(database().db)).toBe(0);
    },
  );
});
