import { describe, expect, test } from 'vitest';
import {
  energyChannels,
  channelSources,
  type EnergyChannel,
} from '../../packages/server/src/measurements/energy/channels.ts';
import { MWH_PER_KWH } from '../../packages/server/src/measurements/energy/counter.ts';
import { dayEnergyOf } from '../../packages/server/src/measurements/energy/day-energy.ts';
import { foldedDevice, foldReadings, type Folded } from '../telemetry/folding.ts';
import {
  dailyScenarios,
  instantOf,
  shown,
  totalScenarios,
  type CounterScenario,
} from './counter-scenarios.ts';

/** All kinds of energy that have counters. */
const kinds = energyChannels.filter((name) => channelSources[name].total !== undefined);

function daysOf(
  rows: CounterScenario['rows'],
  channel: EnergyChannel,
  quantity: 'today' | 'total',
  device?: Folded,
): Record<string, string> {
  const name = channelSources[channel][quantity]!;
  const folded = foldReadings(
    rows.map(([time, kwh]) => [instantOf(time), { [name]: kwh }]),
    foldedDevice(device),
  );
  return Object.fromEntries(
    folded.flatMap(({ day, state }) => {
      const energy = dayEnergyOf(state, energyChannels.indexOf(channel));
      return energy
        ? [
            [
              String(day % 100),
              shown({ kwh: energy.mwh / MWH_PER_KWH, estimated: energy.estimated }),
            ],
          ]
        : [];
    }),
  );
}

describe.each(kinds)('the daily counter of %s', (channel) => {
  test.each(dailyScenarios)('$name', ({ rows, days }) => {
    expect(daysOf(rows, channel, 'today')).toEqual(days);
  });
});

test.each(totalScenarios)('a total counter: $name', ({ rows, days }) => {
  expect(daysOf(rows, 'production', 'total')).toEqual(days);
});

const ends = [
  ...[2 ** 16, 2 ** 32].flatMap((range) => [0.001, 0.01, 0.1, 1].map((scale) => range * scale)),
  1e3,
  1e4,
  1e5,
  1e6,
  1e7,
].filter((end) => end > 100);

test.each(ends)('counters that end at %d roll over from their last tenth alone', (end) => {
  for (const channel of kinds) {
    const run = (level: number): Record<string, string> =>
      daysOf(
        [
          ['01 10:00', level - 1],
          ['01 10:15', level],
          ['01 10:30', 2],
          ['01 10:45', 3],
        ],
        channel,
        'total',
        { ratedPowerW: 50_000 },
      );
    expect([channel, run(end - 4)]).toEqual([channel, { 1: '8' }]);
    expect([channel, run(end * 0.89)]).toEqual([channel, { 1: '4' }]);
  }
});
