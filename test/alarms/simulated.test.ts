import { createPlant, createSite, readingsOf, readScenario } from '@helioport/simulator';
import { describe, expect, test } from 'vitest';
import { rules } from '../../packages/server/src/outbound/alarms/rules.ts';
import { gridVoltagesIn } from '../../packages/server/src/outbound/alarms/grid-voltages.ts';
import { fleet } from '../../packages/server/src/interfaces/cli/demo/demo-fleet.ts';
import type { StoredReading } from '../../packages/server/src/measurements/telemetry/telemetry.ts';
import { weakString } from '../../packages/server/src/outbound/alarms/rules/weak-string.ts';
import { deafLink } from '../simulator/deaf-link.ts';
import { learning, sayings } from './made-up-day.ts';

const DAY_MS = 86_400_000;

describe('of simulated plants the rules say nothing,', () => {
  for (const { name, specification } of fleet) {
    const { place, timeZone, weatherStationSn, meterSn, inverters } = specification;
    test.each(['2026-01-10', '2026-04-10', '2026-07-10', '2026-10-10'])(
      `${name}, three days from %s`,
      (day) => {
        const startAt = Date.parse(`${day}T00:00:00Z`);
        const bySn = new Map<string, StoredReading[]>();
        for (const state of createPlant(specification, startAt).advance(startAt + 3 * DAY_MS)) {
          for (const { sn, at, values } of readingsOf(specification, state)) {
            let samples = bySn.get(sn);
            if (!samples) bySn.set(sn, (samples = []));
            samples.push({ at, values });
          }
        }
        const weather = weatherStationSn === undefined ? undefined : bySn.get(weatherStationSn);
        for (const [sn, samples] of bySn) {
          const inverter = inverters.find((each) => each.sn === sn);
          const kind = inverter ? 'inverter' : sn === meterSn ? 'epm' : 'weather';
          const observation = learning({
            kind,
            ratedPowerW: inverter?.ratedPowerW ?? null,
            expectedSeconds: 300,
            dcInputs: null,
            site: place,
            gridVoltages: gridVoltagesIn(timeZone),
            samples,
            irradianceAt: (at: number) =>
              weather?.find((sample) => sample.at === at)?.values.irradianceWm2,
            neighboursAt: () => [],
          });
          for (const rule of rules.filter(({ kinds }) => kinds.includes(kind)))
            expect([sn, rule.id, sayings(rule, observation)]).toEqual([sn, rule.id, []]);
        }
      },
    );
  }
});

describe('the demo has an open alarm at its first start,', () => {
  const { specification, scenarios } = fleet.find(({ name }) => name === 'Tea house in Kathmandu')!;
  const { sn } = specification.inverters[0]!;

  // In the evening, at noon and in the morning of the plant.
  const times = ['12:30', '06:20', '01:00'];
  const starts = Array.from(
    { length: 12 },
    (_, month) => `2026-${String(month + 1).padStart(2, '0')}-14T${times[month % 3]}:00Z`,
  );
  test.each(starts)(
    '%s: the watch finds the failed string of the tea house in the day before',
    (start) => {
      const now = Date.parse(start);
      const startAt = now - 30 * DAY_MS;
      const site = createSite({
        specification,
        startAt,
        link: deafLink,
        scenarios: scenarios!.map((text) => readScenario(text, startAt)),
      });
      const reports = [...site.reports(now, now - DAY_MS)];
      void site.collector.close();
      const samples = reports.flatMap(({ readings }) =>
        readings.filter((reading) => reading.sn === sn).map(({ at, values }) => ({ at, values })),
      );
      const observation = learning({
        kind: 'inverter',
        ratedPowerW: 5000,
        expectedSeconds: 300,
        dcInputs: 2,
        site: specification.place,
        gridVoltages: gridVoltagesIn(specification.timeZone),
        samples,
        irradianceAt: () => undefined,
        neighboursAt: () => [],
      });
      expect(sayings(weakString, observation)).toEqual([
        { raise: expect.objectContaining({ message: expect.stringContaining('string 2') }) },
      ]);
    },
  );
});
