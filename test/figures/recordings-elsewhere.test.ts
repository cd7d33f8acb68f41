import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { changeTimeZone } from '../../packages/server/src/fleet/plants/zones.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';
import { energyFromPower } from '../telemetry/naive-model.ts';
import { createFleet } from '../operations/fleet.ts';

const FILE = new URL('../../../shared/data/pv/serf_west_15min.csv', import.meta.url);
const present = existsSync(FILE);
if (!present) console.log('skipped: recordings not present');

/** Where and when the five days of the recording are taken to be, by the first midnight of the plant's wall in UTC. */
const settings = [
  ['Europe/Berlin', '2026-03-26T23:00:00Z', 'the clocks put forward on the third day'],
  ['Europe/Berlin', '2026-10-22T22:00:00Z', 'the clocks put back on the third day'],
  ['America/Denver', '2026-03-06T07:00:00Z', 'the clocks put forward on the third day'],
  [
    'America/Denver',
    '2026-10-30T06:00:00Z',
    'the clocks put back on the third day, in another month',
  ],
  ['Asia/Kathmandu', '2026-12-29T18:15:00Z', 'the turn of the year'],
  ['Pacific/Marquesas', '2026-12-30T09:30:00Z', 'the turn of the year'],
  ['Pacific/Kiritimati', '2026-12-29T10:00:00Z', 'the turn of the year'],
] as const;

/** The recording's powers, its first midnight moved to an instant. Its stamps know no change of clocks: a quarter of an hour is one. */
function powersFrom(midnight: number): [at: number, values: { acPowerW: number }][] {
  const [header = '', ...lines] = readFileSync(FILE, 'utf8').trim().split(/\r?\n/);
  const index = header.split(',').indexOf('ac_power__773');
  const first = Date.parse('2022-01-02T00:00:00Z');
  return lines.map((line) => {
    const cells = line.split(',');
    return [
      Date.parse(`${cells[0]!.replace(' ', 'T')}Z`) - first + midnight,
      { acPowerW: Number(cells[index]) },
    ];
  });
}

/** Sums of days (yyyymmdd) by the first so many digits. */
function sumsBy(digits: number, days: ReadonlyMap<number, number>): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [day, kwh] of days) {
    const key = String(day).slice(0, digits);
    sums.set(key, (sums.get(key) ?? 0) + kwh);
  }
  return sums;
}

const dashed = (digits: string): string =>
  digits.replace(/^(\d{4})(\d\d)?(\d\d)?$/, (_, year, month, day) =>
    [year, month, day].filter(Boolean).join('-'),
  );
/** A figure with its unit as kWh. */
const kwhOf = (value: number, unit: string): number => value * (unit === 'MWh' ? 1000 : 1);

describe.skipIf(!present)('a recording taken elsewhere', () => {
  describeEngines('gives on every way the energies of an independent calculation,', (database) => {
    const clock = settableClock(0);
    const fleet = createFleet(database, clock);

    test.each(settings)('in %s from %s: %s', async (timeZone, midnight) => {
      const powers = powersFrom(Date.parse(midnight));
      clock.at = powers[0]![0];
      const owner = await fleet.person();
      const caller = userCaller(owner.id);
      const plantId = await fleet.plant(owner.id, { timeZone });
      const { sn } = await fleet.device(plantId, { ratedPowerW: 6000 });
      // Day by day as they would come in.
      for (let i = 0; i < powers.length; i += 96) {
        clock.at = powers[Math.min(i + 95, powers.length - 1)]![0];
        await fleet.report(sn, powers.slice(i, i + 96));
      }
      const days = energyFromPower(new Map(powers), 'acPowerW', 1, timeZone);
      const [months, years] = [sumsBy(6, days), sumsBy(4, days)];
      expect([...days.values()].reduce((sum, kwh) => sum + kwh, 0)).toBeGreaterThan(30);

      for (const [month, kwh] of months) {
        const expected = [...days].filter(([day]) => String(day).startsWith(month));
        for (const id of ['stationMonth', 'inverterMonth'] as const) {
          const rows = await fleet.wire(
            id,
            caller,
            id === 'stationMonth'
              ? { id: plantId, month: dashed(month) }
              : { sn, month: dashed(month) },
          );
          expect(rows.map(({ dateStr }: { dateStr: string }) => dateStr)).toEqual(
            expected.map(([day]) => dashed(String(day))),
          );
          for (const [i, [, ofDay]] of expected.entries())
            expect(rows[i].energy).toBeCloseTo(ofDay, 2);
        }
        const [listed] = (
          await fleet.wire('stationMonthEnergyList', caller, { time: dashed(month) })
        ).records;
        expect(listed.energy).toBeCloseTo(kwh, 2);
      }
      for (const [day, kwh] of days) {
        const [listed] = (
          await fleet.wire('stationDayEnergyList', caller, { time: dashed(String(day)) })
        ).records;
        expect(listed.energy).toBeCloseTo(kwh, 2);
        for (const [id, key] of [
          ['stationDay', 'produceEnergy'],
          ['inverterDay', 'eToday'],
        ] as const) {
          const rows = await fleet.wire(id, caller, {
            ...(id === 'stationDay' ? { id: plantId } : { sn }),
            time: dashed(String(day)),
          });
          expect(rows.at(-1)[key]).toBeCloseTo(kwh, 2);
        }
      }
      for (const [year, kwh] of years) {
        const expected = [...months].filter(([month]) => month.startsWith(year));
        for (const id of ['stationYear', 'inverterYear'] as const) {
          const rows = await fleet.wire(
            id,
            caller,
            id === 'stationYear' ? { id: plantId, year } : { sn, year },
          );
          expect(rows.map(({ dateStr }: { dateStr: string }) => dateStr.slice(0, 7))).toEqual(
            expected.map(([month]) => dashed(month)),
          );
          for (const [i, [, ofMonth]] of expected.entries())
            expect(rows[i].energy).toBeCloseTo(ofMonth, 2);
        }
        const [listed] = (await fleet.wire('stationYearEnergyList', caller, { time: year }))
          .records;
        expect(listed.energy).toBeCloseTo(kwh, 2);
      }
      for (const id of ['stationAll', 'inverterAll'] as const) {
        const rows = await fleet.wire(id, caller, id === 'stationAll' ? { id: plantId } : { sn });
        expect(rows.map((row: { year: number }) => String(row.year))).toEqual([...years.keys()]);
        for (const [i, [, kwh]] of [...years].entries()) expect(rows[i].energy).toBeCloseTo(kwh, 2);
      }
      // Day, month, year and all of it as of the last reading.
      const [day, month, year] = [
        [...days].at(-1)![1],
        [...months].at(-1)![1],
        [...years].at(-1)![1],
      ];
      const all = [...days.values()].reduce((sum, kwh) => sum + kwh, 0);
      const plants = [
        await fleet.wire('stationDetail', caller, { id: plantId }),
        (await fleet.wire('userStationList', caller)).page.records[0],
      ];
      for (const plant of plants) {
        expect(plant.dayEnergy).toBeCloseTo(day, 2);
        expect(kwhOf(plant.monthEnergy, plant.monthEnergyStr)).toBeCloseTo(month, 2);
        expect(kwhOf(plant.yearEnergy, plant.yearEnergyStr)).toBeCloseTo(year, 2);
        expect(kwhOf(plant.allEnergy, plant.allEnergyStr)).toBeCloseTo(all, 2);
      }
      const inverter = await fleet.wire('inverterDetail', caller, { sn });
      expect(inverter.eToday).toBeCloseTo(day, 2);
      expect(kwhOf(inverter.eMonth, inverter.eMonthStr)).toBeCloseTo(month, 2);
      expect(kwhOf(inverter.eYear, inverter.eYearStr)).toBeCloseTo(year, 2);
      expect(kwhOf(inverter.eTotal, inverter.eTotalStr)).toBeCloseTo(all, 2);
    });

    test.each([
      ['Europe/Berlin', 'Pacific/Kiritimati', '2026-06-09T22:00:00Z'],
      ['Pacific/Kiritimati', 'Pacific/Honolulu', '2026-06-09T10:00:00Z'],
    ])('of a plant that moved from %s to %s in the middle', async (from, to, midnight) => {
      const powers = powersFrom(Date.parse(midnight));
      const middle = 2 * 96 + 56;
      const movedAt = powers[middle]![0];
      clock.at = powers[0]![0];
      const owner = await fleet.person();
      const caller = userCaller(owner.id);
      const plantId = await fleet.plant(owner.id, { timeZone: from });
      const { sn } = await fleet.device(plantId, { ratedPowerW: 6000 });
      clock.at = movedAt;
      await fleet.report(sn, powers.slice(0, middle));
      await fleet.write((trx) => changeTimeZone(trx, fleet.act(), plantId, to));
      clock.at = powers.at(-1)![0];
      await fleet.report(sn, powers.slice(middle));
      // Each half by its own wall, but a day that has begun does not give way to the one before.
      const days = energyFromPower(new Map(powers.slice(0, middle + 1)), 'acPowerW', 1, from);
      const begun = [...days.keys()].at(-1)!;
      for (const [day, kwh] of energyFromPower(new Map(powers.slice(middle)), 'acPowerW', 1, to)) {
        days.set(Math.max(day, begun), (days.get(Math.max(day, begun)) ?? 0) + kwh);
      }
      for (const rows of [
        await fleet.wire('stationMonth', caller, { id: plantId, month: '2026-06' }),
        await fleet.wire('inverterMonth', caller, { sn, month: '2026-06' }),
      ]) {
        expect(rows.map(({ dateStr }: { dateStr: string }) => dateStr)).toEqual(
          [...days.keys()].map((day) => dashed(String(day))),
        );
        for (const [i, [, kwh]] of [...days].entries()) expect(rows[i].energy).toBeCloseTo(kwh, 2);
      }
      for (const [day, kwh] of days) {
        const rows = await fleet.wire('stationDay', caller, {
          id: plantId,
          time: dashed(String(day)),
        });
        expect(rows.at(-1).produceEnergy).toBeCloseTo(kwh, 2);
      }
    });
  });
});
