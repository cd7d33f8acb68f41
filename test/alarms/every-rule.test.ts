import type { QuantityName, Values } from '@helioport/contract';
import { expect, test } from 'vitest';
import type { Observation } from '../../packages/server/src/outbound/alarms/rule.ts';
import { offline, rules } from '../../packages/server/src/outbound/alarms/rules.ts';
import { createFleet } from '../operations/fleet.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';
import { madeUpDay, MIDNIGHT, MINUTE_MS, wall } from './made-up-day.ts';

const HOUR_MS = 60 * MINUTE_MS;
const set =
  (change: Partial<Record<QuantityName, number>>) =>
  (values: Values): Values => ({ ...values, ...change });
/** Three of eight arrive. */
const gappy = () => {
  let i = 0;
  return (values: Values): Values | null => ([0, 1, 4].includes(i++ % 8) ? values : null);
};
const stuck = () => {
  let first: Values | undefined;
  return (values: Values): Values => (first ??= values);
};

/** What goes wrong on a clear day from one hour to another, by the code of the alarm that has to say so, and when it ends. */
const faults: readonly (readonly [
  code: string,
  change: (values: Values) => Values | null,
  from: number,
  to: number,
  end: number,
])[] = [
  ['H101', () => null, 10, 13, 13],
  ['H102', set({ acPowerW: 0 }), 10, 13, 13],
  ['H103', set({ dcCurrent2A: 0 }), 11, 14, 14],
  ['H104', set({ acVoltage1V: 262 }), 10, 12, 12],
  ['H105', set({ gridFrequencyHz: 51.4 }), 10, 12, 12],
  ['H106', set({ temperatureC: 92 }), 10, 12, 12],
  ['H107', set({ batteryTemperatureC: 58 }), 10, 12, 12],
  ['H108', gappy(), 9, 13, 15],
  ['H109', stuck(), 10, 14, 14],
];

describeEngines('a made-up day', (database) => {
  const clock = settableClock(MIDNIGHT);
  const fleet = createFleet(database, clock);

  test('is there for every rule', () => {
    expect(faults.map(([code]) => code)).toEqual(
      [offline, ...rules].map(({ code }) => code).toSorted(),
    );
  });

  /** Lets a day come in, a quarter of an hour at a time; the watch looks after each, and at every hour somebody else may. */
  const live = async (
    devices: string | readonly string[],
    { samples }: Observation,
    hourly: () => Promise<void> = async () => {},
  ): Promise<void> => {
    for (let at = MIDNIGHT; at < wall(22); at += HOUR_MS / 4) {
      clock.at = at + HOUR_MS / 4;
      const news = samples.filter((sample) => sample.at >= at && sample.at < clock.at);
      const readings = news.map((sample) => [sample.at, sample.values] as const);
      if (readings.length > 0) for (const sn of [devices].flat()) await fleet.report(sn, readings);
      await fleet.watch();
      if ((clock.at - MIDNIGHT) % HOUR_MS === 0) await hourly();
    }
  };
  const setUp = async (timeZone = 'Europe/Berlin') => {
    clock.at = MIDNIGHT;
    const owner = await fleet.person();
    const caller = userCaller(owner.id);
    const plantId = await fleet.plant(owner.id, { timeZone, latitude: 48.1, longitude: 11.6 });
    const { id, sn } = await fleet.device(plantId, { ratedPowerW: 10_000, model: 'M1' });
    return {
      caller,
      plantId,
      id,
      sn,
      alarms: async () => (await fleet.wire('alarmList', caller)).records,
    };
  };

  test.each(faults)(
    'raises %s, once, and the list of alarms tells it from begin to end',
    async (code, change, from, to, end) => {
      const { caller, plantId, id, sn, alarms } = await setUp();
      let seenOpen = 0;
      await live(sn, madeUpDay(change, wall(from), wall(to)), async () => {
        const open = (await alarms()).filter(({ state }: { state: string }) => state === '0');
        seenOpen += open.length;
        if (open.length > 0) expect(open[0]).not.toHaveProperty('alarmEndTime');
      });
      expect(seenOpen).toBeGreaterThan(0);
      const said = await alarms();
      const rule = [offline, ...rules].find((each) => each.code === code)!;
      expect(said.map(({ alarmCode }: { alarmCode: string }) => alarmCode)).toEqual([code]);
      expect(said[0]).toMatchObject({
        alarmLevel: String(rule.level),
        // Of a string that delivers nothing, nobody says that it is in the shade.
        advice:
          rule.code === 'H103' ? expect.stringContaining('At 0 V, check its fuse') : rule.advice,
        state: '2',
        stationId: plantId,
        alarmDeviceSn: sn,
        model: 'M1',
        alarmDeviceType: '3',
      });
      expect(said[0].alarmMsg.length).toBeGreaterThan(10);
      const { alarmBeginTime, alarmEndTime, alarmLong } = said[0];
      // H108 looks at two hours; H101 waits for three intervals and H109 for the first reading that repeats.
      expect(alarmBeginTime).toBeGreaterThanOrEqual(wall(from));
      expect(alarmBeginTime).toBeLessThanOrEqual(
        wall(from) + HOUR_MS * (code === 'H108' ? 2 : 0.5),
      );
      expect(alarmEndTime).toBeGreaterThanOrEqual(wall(to));
      expect(alarmEndTime).toBeLessThanOrEqual(wall(end) + HOUR_MS / 4);
      expect(Number(alarmLong)).toBe(alarmEndTime - alarmBeginTime);
      expect((await fleet.wire('inverterDetail', caller, { id })).state).toBe(1);
    },
  );

  test('on which a device reports half as often for some hours raises nothing: it has another pace', async () => {
    const { sn, alarms } = await setUp();
    let i = 0;
    await live(
      sn,
      madeUpDay((sample) => (i++ % 2 === 0 ? sample : null), wall(9), wall(15)),
    );
    expect(await alarms()).toEqual([]);
  });

  test('is judged by the nominal voltage that the device showed in quiet hours', async () => {
    const { sn, alarms } = await setUp('America/Los_Angeles');
    await live(
      sn,
      madeUpDay((values, at) => ({
        ...values,
        acVoltage1V: at >= wall(12) && at < wall(14) ? 270 : 240,
      })),
    );
    expect(await alarms()).toMatchObject([
      { alarmCode: 'H104', alarmBeginTime: wall(12), alarmEndTime: wall(14) },
    ]);
  });

  test('on which a string dies at 13:00 has an alarm that is open in the evening', async () => {
    const { sn, alarms } = await setUp();
    await live(
      sn,
      madeUpDay((values, at) =>
        at < wall(13) ? values : { ...values, dcVoltage2V: 1, dcCurrent2A: 0 },
      ),
    );
    expect(await alarms()).toMatchObject([
      { alarmCode: 'H103', alarmBeginTime: wall(13), state: '0' },
    ]);
  });

  test('on which the grid operator holds all inverters of a plant at one power raises nothing, and one alone does', async () => {
    const limited = madeUpDay(({ acPowerW }, at) => ({
      acPowerW: at >= wall(10) && at < wall(14) ? 3021.7 : acPowerW! + (at % 7),
    }));
    const together = await setUp();
    const { sn: neighbour } = await fleet.device(together.plantId, { ratedPowerW: 10_000 });
    await live([together.sn, neighbour], limited);
    expect(await together.alarms()).toEqual([]);
    const alone = await setUp();
    await live(alone.sn, limited);
    expect(await alone.alarms()).toMatchObject([{ alarmCode: 'H109', alarmEndTime: wall(14) }]);
  });

  test('without a fault raises nothing', async () => {
    const { sn, alarms } = await setUp();
    await live(sn, madeUpDay());
    expect(await alarms()).toEqual([]);
  });
});
