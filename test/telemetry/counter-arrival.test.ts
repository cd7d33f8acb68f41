import { expect, test } from 'vitest';
import {
  dailyScenarios,
  instantOf,
  shown,
  totalScenarios,
  type CounterScenario,
} from '../energy/counter-scenarios.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock } from '../support/world.ts';
import { createReportingWorld, type Installation } from './installation.ts';

interface Reading {
  readonly at: number;
  readonly values: Record<string, number>;
}

/** The reports in which readings may come. */
const ways: readonly [name: string, (readings: readonly Reading[]) => readonly Reading[][]][] = [
  ['one by one', (readings) => readings.map((one) => [one])],
  ['at once', (readings) => [[...readings]]],
  ['newest first', (readings) => readings.toReversed().map((one) => [one])],
  [
    'every other one late',
    (readings) => [
      readings.filter((_, i) => i % 2 === 1),
      readings.filter((_, i) => i % 2 === 0).toReversed(),
    ],
  ],
];

describeEngines('counters', (database) => {
  const world = createReportingWorld(database, settableClock('2026-12-01T00:00:00Z'));

  const daysOf = async ({ binding }: Installation): Promise<Record<string, string>> =>
    Object.fromEntries(
      (await world.parts().telemetry.daysOf(database().db, [binding], 0, 99_999_999)).flatMap(
        ({ day, energies: { production } }) =>
          production
            ? [
                [
                  String(day % 100),
                  shown({ kwh: production.energyKwh, estimated: production.estimated }),
                ],
              ]
            : [],
      ),
    );

  const check = async (quantity: string, { rows, days }: CounterScenario): Promise<void> => {
    const readings = rows.map(([time, kwh]) => ({
      at: instantOf(time),
      values: { [quantity]: kwh },
    }));
    const stored: string[][] = [];
    for (const [way, reportsOf] of ways) {
      const device = await world.install();
      for (const report of reportsOf(readings)) await world.report(device, report);
      expect([way, await daysOf(device)]).toEqual([way, days]);
      const rollups = await world.rollups(device.binding);
      expect([way, rollups]).toEqual([way, await world.recalculated(device.binding)]);
      stored.push(rollups);
    }
    for (const rollups of stored) expect(rollups).toEqual(stored[0]);
  };

  test.each(dailyScenarios)('of the day, however their readings arrive: $name', (scenario) =>
    check('energyTodayKwh', scenario),
  );

  test.each(totalScenarios)('of all energy, however their readings arrive: $name', (scenario) =>
    check('energyTotalKwh', scenario),
  );
});
