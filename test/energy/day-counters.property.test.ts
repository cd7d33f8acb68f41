import fc from 'fast-check';
import { expect, test } from 'vitest';
import { energyChannels } from '../../packages/server/src/measurements/energy/channels.ts';
import { MWH_PER_KWH } from '../../packages/server/src/measurements/energy/counter.ts';
import { dayEnergyOf } from '../../packages/server/src/measurements/energy/day-energy.ts';
import { effort } from '../support/effort.ts';
import { foldedDevice, foldReadings } from '../telemetry/folding.ts';
import { localDate } from '../telemetry/naive-model.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const DAYS = 5;

/** Zones far east and west, with days of 23, 23.5, 24.5 and 25 hours, and with a date that is skipped. */
const stages = [
  ['UTC', '2026-06-10'],
  ['Europe/Berlin', '2026-03-27'],
  ['Europe/Berlin', '2026-10-23'],
  ['America/New_York', '2026-03-06'],
  ['America/Los_Angeles', '2026-10-30'],
  ['Australia/Lord_Howe', '2026-04-03'],
  ['Australia/Lord_Howe', '2026-10-02'],
  ['Asia/Kathmandu', '2026-12-29'],
  ['Pacific/Kiritimati', '2026-02-26'],
  ['Pacific/Pago_Pago', '2026-02-26'],
  ['Pacific/Apia', '2011-12-28'],
  ['America/Havana', '2026-03-06'],
  ['Africa/Cairo', '2026-04-22'],
] as const;

/** The instants at which the local date changes, from the one before `fromAt` on. */
function midnightsOf(timeZone: string, fromAt: number, toAt: number): number[] {
  const midnights: number[] = [];
  for (let at = fromAt - 2 * DAY; at < toAt + 2 * DAY; at += 15 * MINUTE)
    if (localDate(timeZone, at) !== localDate(timeZone, at - 1)) midnights.push(at);
  return midnights;
}

const last = (times: readonly number[], at: number): number => times.findLast((one) => one <= at)!;

/** What has flowed until an instant, kWh: so much each hour from the beginning on, evenly within it. */
const flowOf =
  (fromAt: number, hourly: readonly number[]) =>
  (at: number): number => {
    const hours = (at - fromAt) / HOUR;
    const whole = Math.max(0, Math.floor(hours));
    let sum = Math.max(0, hours - whole) * hourly[whole % hourly.length]!;
    for (let hour = 0; hour < whole; hour++) sum += hourly[hour % hourly.length]!;
    return sum;
  };

const round = (kwh: number): number => Math.round(kwh * 100) / 100;

const rhythms = fc.oneof(
  fc.constantFrom(5, 15, 30, 60, 180, 720, 1440).map((every) => ({ every, phase: 0 })),
  fc.record({
    every: fc.constantFrom(7, 60, 61, 1440, 1439),
    phase: fc.integer({ min: 1, max: 1439 }),
  }),
);

const loads = fc.array(fc.integer({ min: 10, max: 400 }), { minLength: 24, maxLength: 50 });
const fieldsOf = (folded: ReturnType<typeof foldReadings>): Map<number, number> =>
  new Map(
    folded.flatMap(({ day, state }) => {
      const energy = dayEnergyOf(state, energyChannels.indexOf('load'));
      return energy ? [[day, energy.mwh / MWH_PER_KWH] as const] : [];
    }),
  );

test('a counter that is reset at midnight is read as it shows, in every zone, however often it is read', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...stages),
      loads,
      rhythms,
      fc.boolean(),
      (stage, hundredths, rhythm, resetsFirst) => {
        const [timeZone, date] = stage;
        const midnights = midnightsOf(timeZone, Date.parse(date), Date.parse(date) + DAYS * DAY);
        const fromAt = midnights.find((at) => at >= Date.parse(date))!;
        const flow = flowOf(
          fromAt,
          hundredths.map((one) => one / 100),
        );
        const readings: [number, Record<string, number>][] = [];
        const expected = new Map<number, number>();
        for (
          let at = fromAt + rhythm.phase * MINUTE;
          at <= fromAt + DAYS * DAY;
          at += rhythm.every * MINUTE
        ) {
          // At exactly midnight, it shows the end of the day before or, if it is reset first, 0.
          const since = resetsFirst ? last(midnights, at) : last(midnights, at - 1);
          const level = at === fromAt ? 0 : round(flow(at) - flow(Math.max(since, fromAt)));
          readings.push([at, { loadTodayKwh: level }]);
          if (at > fromAt && !(resetsFirst && since === at))
            expected.set(localDate(timeZone, at - 1), level);
        }
        const days = fieldsOf(foldReadings(readings, foldedDevice({ timeZone })));
        for (const [day, kwh] of expected)
          expect([day, days.get(day)]).toEqual([day, expect.closeTo(kwh, 6)]);
      },
    ),
    { numRuns: effort(300, 20_000) },
  );
});

test('a counter with a clock of its own leaves what flowed on each day, but for the time in which it was reset', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...stages),
      loads,
      fc.constantFrom(5, 10, 15),
      fc.constantFrom(-180, -10, -3, 3, 7, 45, 60, 120, 400, 1000),
      (stage, hundredths, every, offset) => {
        const [timeZone, date] = stage;
        const midnights = midnightsOf(timeZone, Date.parse(date), Date.parse(date) + DAYS * DAY);
        const fromAt = midnights.find((at) => at >= Date.parse(date))!;
        const flow = flowOf(
          fromAt,
          hundredths.map((one) => one / 100),
        );
        const resets = midnights.map((at) => at + offset * MINUTE);
        const readings: [number, Record<string, number>][] = [];
        const toAt = last(midnights, fromAt + DAYS * DAY);
        for (let at = fromAt + MINUTE; at <= toAt; at += every * MINUTE)
          readings.push([
            at,
            { loadTodayKwh: round(flow(at) - flow(Math.max(last(resets, at), fromAt))) },
          ]);
        const days = fieldsOf(foldReadings(readings, foldedDevice({ timeZone })));
        const within = midnights.filter((at) => at >= fromAt && at <= toAt);
        let sum = 0;
        for (const [i, startAt] of within.slice(0, -1).entries()) {
          const kwh = days.get(localDate(timeZone, startAt))!;
          sum += kwh;
          // Lost is what flowed between the last reading before a reset and the reset; midnights are divided evenly.
          const trueKwh = flow(within[i + 1]!) - flow(startAt);
          expect(Math.abs(kwh - trueKwh)).toBeLessThan(4 * 2 * (every / 60) + 0.1);
        }
        expect(sum).toBeLessThan(flow(toAt) + 0.2);
      },
    ),
    { numRuns: effort(300, 20_000) },
  );
});
