import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  energyChannels,
  channelSources,
} from '../../packages/server/src/measurements/energy/channels.ts';
import { MWH_PER_KWH } from '../../packages/server/src/measurements/energy/counter.ts';
import { dayEnergyOf } from '../../packages/server/src/measurements/energy/day-energy.ts';
import { effort } from '../support/effort.ts';
import { foldedDevice, foldReadings } from './folding.ts';

const QUARTER_MS = 900_000;
const FROM = Date.parse('2026-06-15T10:00:00Z');

/** Every counter of a device, by channel. */
const counters = energyChannels.flatMap((channel, number) => {
  const { today, total } = channelSources[channel];
  if (channel === 'irradiation') return [];
  return [
    ...(total ? [{ name: total, number, daily: false }] : []),
    ...(today ? [{ name: today, number, daily: true }] : []),
  ];
});

/** What happens to a counter, and the tenths of a kWh that flow in each quarter of an hour from then on. */
const stretch = fc.record({
  what: fc.constantFrom('nothing', 'jitter', 'jump', 'zero', 'zeros', 'reset', 'swap'),
  tenths: fc.array(fc.integer({ min: 2, max: 20 }), { minLength: 3, maxLength: 5 }),
});
// A device is reset once, and swapped for another one once.
const stretches = fc
  .array(stretch, { minLength: 1, maxLength: 6 })
  .filter((all) =>
    ['reset', 'swap'].every((once) => all.filter(({ what }) => what === once).length <= 1),
  );

const round = (kwh: number): number => Math.round(kwh * 10) / 10;

/** What the counter shows each quarter of an hour, and what it should be taken for, kWh. */
function historyOf(
  first: number,
  daily: boolean,
  all: readonly { what: string; tenths: readonly number[] }[],
): { shown: number[]; kwh: number } {
  let level = first;
  const shown = [level];
  // A counter of the day tells of the time before it was read, too.
  let kwh = daily ? first : 0;
  for (const { what, tenths } of all) {
    for (const [i, tenth] of tenths.entries()) {
      const growth = tenth / 10;
      if (i > 0 || what === 'nothing') {
        level = round(level + growth);
        kwh += growth;
        shown.push(level);
      } else if (what === 'jitter') shown.push(round(level - 0.1));
      // Energy goes on to flow while the counter cannot be read; the counter knows it when it is back.
      else if (what === 'zero' || what === 'zeros') {
        for (let left = what === 'zero' ? 1 : 3; left > 0; left--) shown.push(0);
        level = round(level + growth);
        kwh += growth;
        shown.push(level);
      } else if (what === 'reset') {
        // All that it shows now has flowed since.
        level = growth;
        kwh += growth;
        shown.push(level);
      } else {
        // Nobody knows what flowed until the new level was read.
        level = what === 'jump' ? round(level + 7_000_000) : 900_062;
        shown.push(level);
      }
    }
  }
  return { shown, kwh };
}

test.each(counters)(
  '$name: resets, zeros, jitter, jumps and swaps leave what flowed, with and without rated power',
  ({ name, number, daily }) => {
    fc.assert(
      fc.property(
        stretches,
        fc.constantFrom(8000, null),
        fc.constantFrom(10, null),
        (all, ratedPowerW, capacityKwp) => {
          const { shown, kwh } = historyOf(daily ? 30.5 : 4_040_462.3, daily, all);
          const readings = shown.map(
            (level, i) => [FROM + i * QUARTER_MS, { [name]: level }] as const,
          );
          const [day, ...others] = foldReadings(
            readings,
            foldedDevice({ ratedPowerW, capacityKwp }),
          );
          expect(others).toEqual([]);
          expect(dayEnergyOf(day!.state, number)!.mwh / MWH_PER_KWH).toBeCloseTo(kwh, 6);
        },
      ),
      { numRuns: effort(100, 5000) },
    );
  },
);
