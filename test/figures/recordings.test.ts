import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';
import { createFleet } from '../operations/fleet.ts';

const FOLDER = new URL('../../../shared/data/pv/', import.meta.url);
const HOUR_MS = 3_600_000;
// Denver in January.
const OFFSET_MS = -7 * HOUR_MS;

interface Point {
  readonly at: number;
  readonly powerW: number;
}

/** Rows `local time, ..., power`, wall clock of Denver, ISO or month first. */
function readPower(file: string, column: string, factor: number): Point[] {
  const [header = '', ...lines] = readFileSync(new URL(file, FOLDER), 'utf8').trim().split(/\r?\n/);
  const index = header.split(',').indexOf(column);
  return lines.map((line) => {
    const cells = line.split(',');
    const [, month, day, year, time] = /^(\d+)\/(\d+)\/(\d+) (.*)$/.exec(cells[0]!) ?? [];
    const two = (text = ''): string => text.padStart(2, '0');
    const wall =
      month === undefined
        ? cells[0]!.replace(' ', 'T')
        : `${year}-${two(month)}-${two(day)}T${time!.padStart(5, '0')}`;
    return { at: Date.parse(`${wall}Z`) - OFFSET_MS, powerW: Number(cells[index]) * factor };
  });
}

/** kWh by local day: trapezoids over what is above zero, none across more than an hour, cut at midnight. */
function independentEnergies(points: readonly Point[]): Map<string, number> {
  const energies = new Map<string, number>();
  for (const [i, { at, powerW }] of points.entries()) {
    const before = points[i - 1];
    if (!before || at - before.at > HOUR_MS) continue;
    const [from, to] = [Math.max(0, before.powerW), Math.max(0, powerW)];
    const midnight = Math.floor((at + OFFSET_MS) / (24 * HOUR_MS)) * 24 * HOUR_MS - OFFSET_MS;
    const cut = before.at < midnight && midnight < at ? [before.at, midnight, at] : [before.at, at];
    for (let part = 1; part < cut.length; part++) {
      const powerAt = (time: number): number =>
        from + ((to - from) * (time - before.at)) / (at - before.at);
      const [start, end] = [cut[part - 1]!, cut[part]!];
      const day = new Date(start + OFFSET_MS).toISOString().slice(0, 10);
      energies.set(
        day,
        (energies.get(day) ?? 0) +
          (((powerAt(start) + powerAt(end)) / 2) * (end - start)) / HOUR_MS / 1000,
      );
    }
  }
  return energies;
}

const recordings = [
  ['serf_west_15min.csv', 'ac_power__773', 1],
  ['nrel_RSF_II.csv', 'ac_power_kw_1137', 1000],
  ['nrel_RSF_II.csv', 'inv2_ac_power_w__1047', 1],
] as const;

const present = existsSync(FOLDER);
if (!present) console.log('skipped: recordings not present');

describe.skipIf(!present)('recordings of plants in Denver', () => {
  describeEngines('day by day', (database) => {
    const clock = settableClock(0);
    const fleet = createFleet(database, clock);

    test.each(recordings)(
      '%s, %s: every answer gives the energy that an independent calculation gives',
      async (file, column, factor) => {
        const points = readPower(file, column, factor);
        clock.at = points[0]!.at;
        const owner = await fleet.person();
        const caller = userCaller(owner.id);
        const plantId = await fleet.plant(owner.id, {
          timeZone: 'America/Denver',
          capacityKwp: 400,
          pricePerKwh: 0.25,
        });
        const { sn } = await fleet.device(plantId, { ratedPowerW: 500_000 });
        const expected = [...independentEnergies(points)];
        expect(expected.map(([day]) => day)).toEqual([
          '2022-01-02',
          '2022-01-03',
          '2022-01-04',
          '2022-01-05',
          '2022-01-06',
        ]);
        let month = 0;
        for (const [day, kwh] of expected) {
          // Live: each day is asked about at its last reading, and once more when it is past.
          const readings = points.filter(({ at }) =>
            new Date(at + OFFSET_MS).toISOString().startsWith(day),
          );
          clock.at = readings.at(-1)!.at;
          await fleet.report(
            sn,
            readings.map(({ at, powerW }) => [at, { acPowerW: powerW }] as const),
          );
          month += kwh;
          const detail = await fleet.wire('inverterDetail', caller, { sn });
          const station = (await fleet.wire('userStationList', caller)).page.records[0];
          const rows = await fleet.wire('inverterDay', caller, { sn, time: day });
          expect(rows).toHaveLength(readings.length);
          // What lies between the last reading of a day and midnight is known with the first one of the next.
          const soFar = independentEnergies(points.filter(({ at }) => at <= clock.at)).get(day)!;
          for (const given of [detail.eToday, station.dayEnergy, rows.at(-1).eToday])
            expect(given).toBeCloseTo(soFar, 3);
          expect(detail.eMonthStr === 'MWh' ? detail.eMonth * 1000 : detail.eMonth).toBeCloseTo(
            month - kwh + soFar,
            0,
          );
          expect(station.dayIncome).toBeCloseTo(soFar * 0.25, 2);
          expect(rows.map(({ pac }: { pac: number }) => pac)).toEqual(
            readings.map(({ powerW }) => Math.round(powerW * 1000) / 1000),
          );
        }
        for (const [day, kwh] of expected) {
          const rows = await fleet.wire('inverterDay', caller, { sn, time: day });
          expect(rows.at(-1).eToday).toBeCloseTo(kwh, 3);
          const chart = await fleet.wire('stationDay', caller, { id: plantId, time: day });
          expect(chart.at(-1).produceEnergy).toBeCloseTo(kwh, 3);
          expect(chart).toHaveLength(rows.length);
          expect(
            (await fleet.wire('stationDayEnergyList', caller, { time: day })).records[0].energy,
          ).toBeCloseTo(kwh, 3);
        }
        for (const chart of [
          await fleet.wire('stationMonth', caller, { id: plantId, month: '2022-01' }),
          await fleet.wire('inverterMonth', caller, { sn, month: '2022-01' }),
        ]) {
          expect(chart.map(({ dateStr }: { dateStr: string }) => dateStr)).toEqual(
            expected.map(([day]) => day),
          );
          for (const [i, [, kwh]] of expected.entries())
            expect(chart[i].energy).toBeCloseTo(kwh, 3);
        }
        for (const id of ['stationYear', 'stationAll'] as const) {
          const chart = await fleet.wire(id, caller, { id: plantId, year: '2022' });
          expect(chart).toHaveLength(1);
          expect(chart[0].energy).toBeCloseTo(month, 2);
        }
      },
    );
  });
});
