import { isQuantity } from '@helioport/contract';
import { createPlant, readingsOf, type PlantState } from '@helioport/simulator';
import { describe, expect, test } from 'vitest';
import { sunAt } from '../../packages/simulator/src/sun.ts';
import { berlinHouse } from './berlin-house.ts';

const DAY_MS = 86_400_000;
const startAt = Date.parse('2026-06-01T00:00Z');
const june = [...createPlant(berlinHouse, startAt).advance(startAt + 30 * DAY_MS)];

const stateAt = (states: readonly PlantState[], time: string): PlantState =>
  states.find(({ at }) => at === Date.parse(time))!;
const pairs = (states: readonly PlantState[]): [PlantState, PlantState][] =>
  states.slice(1).map((state, i) => [states[i]!, state]);

describe('the energy of a simulated plant', () => {
  test('closes at every step: production = load + battery + grid', () => {
    expect(june).toHaveLength(30 * 288 + 1);
    for (const { productionW, loadW, batteryW, gridW } of june)
      expect(productionW).toBe(loadW + batteryW + gridW);
  });

  test('closes in the counters too, to the last watt-millisecond', () => {
    for (const [{ counters: a }, { counters: b }] of pairs(june)) {
      const grown = (
        name: 'consumed' | 'charged' | 'discharged' | 'imported' | 'exported',
      ): number => b[name].totalWattMs - a[name].totalWattMs;
      const produced = b.produced.reduce(
        (sum, { totalWattMs }, i) => sum + totalWattMs - a.produced[i]!.totalWattMs,
        0,
      );
      expect(produced + grown('imported') + grown('discharged')).toBe(
        grown('consumed') + grown('exported') + grown('charged'),
      );
    }
  });

  test('is counted in totals that never fall and day counters that fall at midnight alone', () => {
    let resets = 0;
    for (const [{ counters: a }, { counters: b }] of pairs(june)) {
      const before = [...a.produced, a.consumed, a.charged, a.discharged, a.imported, a.exported];
      const after = [...b.produced, b.consumed, b.charged, b.discharged, b.imported, b.exported];
      before.forEach((counter, i) =>
        expect(after[i]!.totalWattMs).toBeGreaterThanOrEqual(counter.totalWattMs),
      );
      if (before.some((counter, i) => after[i]!.todayWattMs < counter.todayWattMs)) resets += 1;
    }
    expect(resets).toBe(30);
  });

  test('is plausible over a month of June in Berlin', () => {
    const kwh =
      june
        .at(-1)!
        .counters.produced.reduce(
          (sum, { totalWattMs }, i) =>
            sum + totalWattMs - june[0]!.counters.produced[i]!.totalWattMs,
          0,
        ) / 3.6e9;
    expect(kwh / 15).toBeGreaterThan(80);
    expect(kwh / 15).toBeLessThan(180);
  });
});

describe('the inverters of a simulated plant', () => {
  test('give nothing at night, in power, voltage and current', () => {
    const nights = june.filter(({ at }) => sunAt(berlinHouse.place, at).elevation < 0);
    expect(nights.length).toBeGreaterThan(1500);
    for (const { inverters } of nights) {
      for (const inverter of inverters) {
        expect(inverter).toMatchObject({ acPowerW: 0, dcPowerW: 0 });
        expect(
          inverter.strings.every(
            ({ voltageV, currentA, powerW }) => voltageV === 0 && currentA === 0 && powerW === 0,
          ),
        ).toBe(true);
      }
    }
  });

  test('have at their connection what is left of their production once their battery is charged, or what it adds', () => {
    let charging = 0;
    for (const state of june.slice(0, 600)) {
      const { acPowerW, dcPowerW, batteryPowerW, apparentPowerVa, ...values } = readingsOf(
        berlinHouse,
        state,
      )[0]!.values;
      const phasesW = [1, 2, 3].reduce(
        (sum, phase) => sum + (values as Record<string, number>)[`acPower${phase}W`]!,
        0,
      );
      expect(phasesW).toBeCloseTo(acPowerW! - batteryPowerW!, 0);
      expect(Math.abs(phasesW)).toBeCloseTo(apparentPowerVa!, 0);
      expect(dcPowerW!).toBeGreaterThanOrEqual(phasesW + batteryPowerW! - 1);
      if (batteryPowerW! > 0) charging += 1;
    }
    expect(charging).toBeGreaterThan(50);
  });

  test('stop at their rated power and take no more from the modules than they can turn', () => {
    const outputs = june.map(({ inverters }) => inverters[1]!);
    const clipped = outputs.filter(({ acPowerW }) => acPowerW === 3000);
    expect(clipped.length).toBeGreaterThan(20);
    expect(Math.max(...outputs.map(({ acPowerW }) => acPowerW))).toBe(3000);
    for (const { dcPowerW } of clipped) expect(dcPowerW).toBeCloseTo(clipped[0]!.dcPowerW, 0);
  });

  test('lose a little of what the strings deliver, and the strings agree with their voltage and current', () => {
    for (const { acPowerW, dcPowerW, strings } of june.flatMap(({ inverters }) => inverters)) {
      if (acPowerW === 0) continue;
      expect(acPowerW).toBeLessThan(dcPowerW);
      expect(strings.reduce((sum, { powerW }) => sum + powerW, 0)).toBeCloseTo(dcPowerW, 6);
      for (const { voltageV, currentA, powerW } of strings)
        expect(voltageV * currentA).toBeCloseTo(powerW, 6);
    }
  });
});

describe('the battery of a simulated plant', () => {
  test('stays between reserve and full and within its power, and is used', () => {
    const { capacityKwh, maxPowerW } = berlinHouse.inverters[0].battery;
    for (const { batteryKwh, batteryW } of june) {
      expect(batteryKwh).toBeLessThanOrEqual(capacityKwh + 1e-9);
      expect(batteryKwh).toBeGreaterThanOrEqual(0.1 * capacityKwh - 1e-9);
      expect(Math.abs(batteryW)).toBeLessThanOrEqual(maxPowerW);
    }
    expect(Math.min(...june.map(({ batteryW }) => batteryW))).toBeLessThan(-1000);
    expect(Math.max(...june.map(({ batteryW }) => batteryW))).toBeGreaterThan(1000);
  });

  test('charges from surplus alone and discharges for the house alone', () => {
    for (const { productionW, loadW, batteryW, gridW } of june) {
      if (batteryW > 0) expect(gridW).toBeGreaterThanOrEqual(0);
      if (batteryW < 0) expect(gridW).toBeLessThanOrEqual(0);
      expect(Math.sign(batteryW) * Math.sign(productionW - loadW)).toBeGreaterThanOrEqual(0);
    }
  });
});

describe('the same specification', () => {
  test('gives the same states in every run, in one go or in pieces', () => {
    const pieces = createPlant(berlinHouse, startAt);
    const first = [...pieces.advance(startAt + 1_234_567)];
    const rest = [...pieces.advance(startAt + 30 * DAY_MS)];
    expect([...first, ...rest]).toEqual(june);
    expect([...pieces.advance(startAt + 30 * DAY_MS)]).toEqual([]);
  });

  test('gives another sky with another seed', () => {
    const other = createPlant({ ...berlinHouse, seed: 8 }, startAt).advance(startAt + DAY_MS);
    expect([...other].map(({ productionW }) => productionW)).not.toEqual(
      june.slice(0, 289).map(({ productionW }) => productionW),
    );
  });
});

describe('the local clock of a simulated plant', () => {
  const year = (options: object, from: string, until: string): PlantState[] => [
    ...createPlant({ ...berlinHouse, ...options }, Date.parse(from)).advance(Date.parse(until)),
  ];
  const resetsOf = (states: PlantState[]): string[] =>
    pairs(states)
      .filter(([a, b]) => b.counters.consumed.todayWattMs < a.counters.consumed.todayWattMs)
      .map(([, b]) => new Date(b.at).toISOString());

  test('resets the day counters at local midnight, also around days of 23 and 25 hours', () => {
    expect(resetsOf(year({}, '2026-03-28T12:00Z', '2026-03-30T12:00Z'))).toEqual([
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ]);
    expect(resetsOf(year({}, '2026-10-24T12:00Z', '2026-10-26T12:00Z'))).toEqual([
      '2026-10-24T22:00:00.000Z',
      '2026-10-25T23:00:00.000Z',
    ]);
  });

  test('knows zones of odd quarters', () => {
    expect(
      resetsOf(year({ timeZone: 'Asia/Kathmandu' }, '2026-06-01T00:00Z', '2026-06-02T00:00Z')),
    ).toEqual(['2026-06-01T18:15:00.000Z']);
  });

  test('resets them at the wrong midnight when it is set so, as in the field', () => {
    expect(
      resetsOf(year({ counterMidnight: 'utc' }, '2026-06-01T12:00Z', '2026-06-03T12:00Z')),
    ).toEqual(['2026-06-02T00:00:00.000Z', '2026-06-03T00:00:00.000Z']);
  });

  test('puts the evening peak at seven in the evening, summer and winter', () => {
    const mean = (from: string, utcHour: number): number => {
      const states = year({}, from, new Date(Date.parse(from) + 14 * DAY_MS).toISOString()).filter(
        ({ at }) => new Date(at).getUTCHours() === utcHour,
      );
      return states.reduce((sum, { loadW }) => sum + loadW, 0) / states.length;
    };
    expect(mean('2026-07-01T00:00Z', 17)).toBeGreaterThan(2 * mean('2026-07-01T00:00Z', 21));
    expect(mean('2026-12-01T00:00Z', 18)).toBeGreaterThan(2 * mean('2026-12-01T00:00Z', 22));
  });
});

describe('the readings of a simulated plant', () => {
  const noon = stateAt(june, '2026-06-15T11:00Z');
  const readings = readingsOf(berlinHouse, noon);

  test('come from every device, in registered quantities with finite values', () => {
    expect(readings.map(({ sn }) => sn)).toEqual(['STORAGE1', 'STRING1', 'METER1', 'WEATHER1']);
    for (const { at, values } of readings) {
      expect(at).toBe(noon.at);
      for (const [name, value] of Object.entries(values))
        expect([name, isQuantity(name), Number.isFinite(value)]).toEqual([name, true, true]);
    }
  });

  test('of the collector itself tell its signal, if it has a serial number', () => {
    const [own] = readingsOf({ ...berlinHouse, collectorSn: 'COLLECTOR1' }, noon).slice(-1);
    const { signalDbm } = own!.values;
    expect(own).toEqual({ sn: 'COLLECTOR1', at: noon.at, values: { signalDbm } });
    expect(signalDbm).toBeGreaterThanOrEqual(-75);
    expect(signalDbm).toBeLessThanOrEqual(-55);
  });

  test('keep the signs: battery + charging, grid + export', () => {
    const [storage, , meter] = readings;
    expect(storage!.values).toMatchObject({
      batteryPowerW: noon.batteryW,
      gridPowerW: noon.gridW,
      loadPowerW: noon.loadW,
    });
    expect(Math.sign(storage!.values.batteryCurrentA!)).toBe(Math.sign(noon.batteryW));
    expect(meter!.values.gridPowerW).toBe(noon.gridW);
    expect(readings.slice(0, 2).reduce((sum, { values }) => sum + values.acPowerW!, 0)).toBe(
      noon.productionW,
    );
  });

  test('of a string inverter hold neither battery nor grid', () => {
    expect(
      Object.keys(readings[1]!.values).filter((name) =>
        /battery|gridP|gridI|gridE|load/.test(name),
      ),
    ).toEqual([]);
  });
});
