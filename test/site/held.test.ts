import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProfile } from '@helioport/devices';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseAddress } from '../../packages/collector/src/bus/address.ts';
import { openBus, type KnownAddress } from '../../packages/collector/src/bus/open-bus.ts';
import { systemClock, timerPause } from '../../packages/collector/src/clock.ts';
import { createControl } from '../../packages/collector/src/site/device/control.ts';
import { openHeldValues } from '../../packages/collector/src/site/device/held-values.ts';
import { createRepeating } from '../../packages/collector/src/site/device/repeat-held.ts';
import type { ReachedDevice } from '../../packages/collector/src/site/device/reach.ts';
import { openWriteLog } from '../../packages/collector/src/site/device/write-log.ts';
import { modbusPython, startModbusServer } from '../bus/modbus-server.ts';

const python = await modbusPython();
const profile = findProfile('solis-storage')!;
const SN = '1031051234567890';
const FORCED = '90201';
/** Direction, power of charging, power of discharging. */
const [DIRECTION, CHARGE, DISCHARGE] = [43_135, 43_136, 43_129] as const;
const MINUTE = 60_000;

describe.runIf(python).each(['tcp', 'rtu'] as const)(
  'a power that an inverter forgets, over %s',
  (way) => {
    const ended: (() => unknown)[] = [];
    afterEach(async () => {
      for (const end of ended.splice(0).toReversed()) await end();
    });
    let folder = '';
    const clock = { at: 0, now: () => clock.at };
    const server = { isThere: true };
    beforeEach(() => {
      clock.at = 1_000 * MINUTE;
      server.isThere = true;
      folder = mkdtempSync(join(tmpdir(), 'helioport-held-'));
      ended.push(() => rmSync(folder, { recursive: true }));
    });

    /** A collector at an inverter that somebody else simulates. */
    async function begin() {
      const { place, stop } = await startModbusServer(python!, way, {
        1: { 3: { 43_000: Array.from({ length: 200 }, () => 0) } },
      });
      ended.push(stop);
      const address = parseAddress(`${way}://127.0.0.1:${place}`) as KnownAddress;
      const open = () => {
        const bus = openBus(address, {
          clock: systemClock,
          pause: timerPause,
          random: Math.random,
        });
        ended.push(() => bus.close());
        return bus;
      };
      const bus = open();
      const log = openWriteLog(join(folder, 'writes.json'), clock);
      const collector = () => {
        const held = openHeldValues(join(folder, 'held.json'), clock);
        const device = {
          bus,
          unit: 1,
          identity: { profile, displayVersion: '4b00' },
        } as unknown as ReachedDevice;
        const control = createControl({
          device,
          sn: SN,
          isAllowed: true,
          confirmed: new Set(),
          log,
          held,
          clock,
        });
        const isServerThere = (): boolean => server.isThere;
        const repeating = createRepeating({
          profile,
          sn: SN,
          control,
          held,
          clock,
          isServerThere,
        });
        return { control, held, repeating };
      };
      const words = (): Promise<number[]> =>
        bus.hold(async (line) => {
          const read = await line.request({ unit: 1, fn: 3, address: DISCHARGE, count: 8 });
          return [DIRECTION, CHARGE, DISCHARGE].map((at) => read[at - DISCHARGE]!);
        }, 'poll');
      /** The inverter lets go of it. */
      const letGo = (): Promise<unknown> =>
        bus.hold(
          (line) => line.request({ unit: 1, fn: 6, address: DIRECTION, words: [0] }),
          'poll',
        );
      return { collector, words, letGo, log };
    }

    test('is written again before the inverter lets go of it, for as long as it holds, and no longer', async () => {
      const { collector, words, letGo } = await begin();
      const { control, repeating, held } = collector();
      await control.write({ parameter: FORCED, value: '-3000', holdSeconds: 600 });
      expect([await words(), await control.read({ parameter: FORCED })]).toMatchObject([
        [2, 0, 300],
        { value: '-3000' },
      ]);
      await repeating.repeat();
      await letGo();
      clock.at += MINUTE - 1;
      await repeating.repeat();
      expect(await words()).toEqual([0, 0, 300]);
      clock.at += 1;
      await repeating.repeat();
      expect([await words(), repeating.alarms]).toMatchObject([
        [2, 0, 300],
        [{ code: 'not-held-90201', message: expect.stringContaining('had let go of it') }],
      ]);
      clock.at += MINUTE;
      await repeating.repeat();
      expect(repeating.alarms).toEqual([]);
      clock.at += 8 * MINUTE;
      await letGo();
      await repeating.repeat();
      expect([await words(), held.of(SN)]).toEqual([[0, 0, 300], []]);
    });

    test('uses nothing of the fuse, however often it is repeated', async () => {
      const { collector, log, words } = await begin();
      const { control, repeating } = collector();
      for (let i = 0; i < 51; i++) {
        const value = String(10 * (i + 1));
        await control.write({ parameter: FORCED, value, holdSeconds: 600 });
      }
      clock.at += MINUTE;
      await repeating.repeat();
      expect(await words()).toEqual([1, 51, 0]);
      expect(log.due(Infinity)).toEqual([]);
      // All hundred writes of settings that stay are still there.
      for (let i = 0; i < 100; i++) log.count(SN, 1);
      expect(() => log.count(SN, 1)).toThrow('at most 100 times');
    });

    test('is not repeated once it has been ended, even by what waited for the bus', async () => {
      const { collector, words } = await begin();
      const { control, repeating, held } = collector();
      for (let i = 0; i < 12; i++) {
        await control.write({ parameter: FORCED, value: '500', holdSeconds: 600 });
        const [late] = held.of(SN);
        await Promise.all([
          repeating.repeat(),
          control.write({ parameter: FORCED, value: '0' }),
          control.repeat(late!),
        ]);
        clock.at += MINUTE;
        await repeating.repeat();
        expect((await words())[0]).toBe(0);
      }
    });

    test('is gone on with by a collector that is started anew, and left to the inverter while the server is away', async () => {
      const { collector, words, letGo } = await begin();
      await collector().control.write({ parameter: FORCED, value: '500', holdSeconds: 600 });
      await letGo();
      const { repeating } = collector();
      server.isThere = false;
      await repeating.repeat();
      expect(await words()).toEqual([0, 50, 0]);
      server.isThere = true;
      await repeating.repeat();
      expect([await words(), repeating.alarms]).toEqual([[1, 50, 0], []]);
      // Not beyond its end.
      clock.at += 10 * MINUTE;
      await letGo();
      await collector().repeating.repeat();
      expect((await words())[0]).toBe(0);
    });
  },
);
