import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as examples from '../../packages/contract/src/examples.ts';
import { projected, recordsOf } from './every-operation.ts';
import { fullOutputs } from './full-records.ts';

type Wire = Record<string, unknown>;

/** What a unit is in W, kWh, kWp or the plant's currency. */
const units: Readonly<Record<string, number>> = {
  W: 1,
  kW: 1e3,
  kWh: 1,
  MWh: 1e3,
  GWh: 1e6,
  kWp: 1,
  MWp: 1e3,
  EUR: 1,
  KEUR: 1e3,
};

/** The quantity that a value, its unit and its multiplier state together. */
const stated = (record: Wire, value: string, unit = `${value}Str`): number =>
  Number(record[value]) * Number(record[`${value}Pec`] ?? 1) * units[String(record[unit])]!;

/** Numbers of every size up to ten to the `digits`, as likely large as small. */
const sized = (digits: number): fc.Arbitrary<number> =>
  fc
    .tuple(fc.integer({ min: -3, max: digits }), fc.integer({ min: 1, max: 999_983 }))
    .map(([power, n]) => (n / 999_983) * 10 ** power);

const signed = (digits: number): fc.Arbitrary<number> =>
  fc.tuple(sized(digits), fc.constantFrom(1, -1)).map(([size, sign]) => size * sign);

const energy = sized(8);
const power = signed(8);
const money = signed(8);

const half = (ofLastDigit: number): number => ofLastDigit / 2 + 1e-6;

describe('value, unit and multiplier state one quantity in every form', () => {
  test('energy, to a Wh', () => {
    const check = (kwh: number): void => {
      const energies = {
        production: { todayKwh: kwh, monthKwh: kwh, yearKwh: kwh, totalKwh: kwh },
      };
      const plant = projected('stationDetail', { ...examples.examplePlant, energies }) as Wire;
      const listed = recordsOf(
        projected(
          'inverterList',
          examples.exampleListing({ ...examples.exampleInverter, energies }),
        ),
      )[0]!;
      const row = recordsOf(
        projected('stationMonth', [{ ...examples.exampleEnergyDay, kwh: { production: kwh } }]),
      )[0]!;
      const all = [
        ...['dayEnergy', 'monthEnergy', 'yearEnergy', 'allEnergy'].map((name) =>
          stated(plant, name),
        ),
        ...['dayEnergy1', 'monthEnergy1', 'yearEnergy1', 'allEnergy1'].map((name) =>
          Number(plant[name]),
        ),
        ...['etoday', 'etotal'].map((name) => stated(listed, name)),
        Number(listed['etotal1']),
        Number(row['energy']),
        Number(row['produceEnergy']),
      ];
      for (const value of all) expect(Math.abs(value - kwh)).toBeLessThan(half(0.001));
      // The chart row's multiplier leads to its unit: the same quantity again.
      const multiplier = Number(row['energyPec']);
      expect(multiplier * units[String(row['energyStr'])]!).toBeCloseTo(1, 12);
    };
    fc.assert(fc.property(energy, check), {
      examples: [[999.9994], [999.9996], [1000], [999_999.9996], [1_000_000], [0]],
    });
  });

  test('energies of a day never leave kWh, totals scale', () => {
    const record = projected('inverterDetail', {
      ...examples.exampleInverter,
      energies: { production: { todayKwh: 1500, totalKwh: 1500 } },
    }) as Wire;
    expect(record).toMatchObject({ eToday: 1500, eTodayStr: 'kWh', eTotal: 1.5, eTotalStr: 'MWh' });
  });

  test('power, to a W in records and as recorded in charts', () => {
    const check = (watts: number): void => {
      const values = { acPowerW: watts, gridPowerW: watts, batteryPowerW: watts };
      const plant = recordsOf(
        projected('userStationList', examples.exampleListing({ ...examples.examplePlant, values })),
      )[0]!;
      const inverter = projected('inverterDetail', { ...examples.exampleInverter, values }) as Wire;
      const row = recordsOf(
        projected('inverterDay', [{ ...examples.exampleInverterDay[0], values }]),
      )[0]!;
      for (const value of [
        stated(plant, 'power'),
        stated(plant, 'psum'),
        stated(inverter, 'pac'),
        stated(inverter, 'batteryPower'),
      ]) {
        expect(Math.abs(value - watts)).toBeLessThanOrEqual(half(1));
      }
      expect(Math.abs(Number(row['pac']) - watts)).toBeLessThanOrEqual(half(0.001));
      expect(row).toMatchObject({ pacStr: 'kW', pacPec: '0.001' });
      expect(
        Number(inverter['batteryPowerZheng']) - Number(inverter['batteryPowerFu']),
      ).toBeCloseTo(Number(inverter['batteryPower']), 9);
    };
    fc.assert(fc.property(power, check), { examples: [[-0.4], [0], [-3.2]] });
  });

  test('money, to a cent', () => {
    const check = (amount: number): void => {
      const plant = projected('stationDetail', {
        ...examples.examplePlant,
        income: { today: amount, total: amount },
      }) as Wire;
      const row = recordsOf(
        projected('stationYear', [{ ...examples.exampleEnergyMonth, income: amount }]),
      )[0]!;
      const all = [
        stated(plant, 'dayInCome', 'dayInComeUnit'),
        stated(plant, 'allInCome', 'allInComeUnit'),
        Number(plant['allInCome1']),
        Number(row['money']),
      ];
      for (const value of all) expect(Math.abs(value - amount)).toBeLessThan(half(0.01));
      expect(Number(row['moneyPec']) * units[String(row['moneyStr'])]!).toBeCloseTo(1, 12);
    };
    fc.assert(fc.property(money, check), { examples: [[99_999.994], [100_000], [0]] });
  });

  test('capacity, in kWp and MWp', () => {
    const check = (kwp: number): void => {
      const [record] = recordsOf(
        projected(
          'userStationList',
          examples.exampleListing({ ...examples.examplePlant, capacityKwp: kwp }),
        ),
      );
      expect(Math.abs(stated(record!, 'capacity') - kwp)).toBeLessThan(half(0.001));
      expect(Math.abs(Number(record!['capacity1']) - kwp)).toBeLessThan(half(0.001));
    };
    fc.assert(fc.property(sized(7), check));
  });
});

/** The same output in which every energy, power and amount is the given one. */
function filledWith(output: unknown, kwh: number, watts: number, amount: number): unknown {
  const fill = (value: unknown, key: string): unknown => {
    if (Array.isArray(value)) return value.map((item) => fill(item, key));
    if (typeof value === 'object' && value !== null) {
      const under = key === 'kwh' ? 'Kwh' : key === 'income' || key === 'amounts' ? 'amount' : '';
      return Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [
          name,
          fill(inner, under === '' ? name : under),
        ]),
      );
    }
    if (typeof value !== 'number') return value;
    if (key.endsWith('Kwh')) return kwh;
    if (key === 'amount' || key === 'importCost' || key === 'exportIncome' || key === 'income')
      return amount;
    return key.endsWith('PowerW') || /^(dc|ac)Power\d+W$/.test(key) ? watts : value;
  };
  return fill(output, '');
}

test('in every record of every operation each energy, power and amount with a unit states the quantity that went in', () => {
  const check = (kwh: number, watts: number, amount: number): void => {
    let stating = 0;
    for (const [id, output] of Object.entries(fullOutputs)) {
      const record = recordsOf(projected(id, filledWith(output, kwh, watts, amount)))[0]!;
      for (const [key, unit] of Object.entries(record)) {
        const [, name] = /^(.*?)(?:Str|Unit)$/.exec(key) ?? [];
        if (
          name === undefined ||
          typeof unit !== 'string' ||
          typeof record[name] !== 'number' ||
          /^(capacity|offset)/.test(name)
        )
          continue;
        const isEnergy = unit.endsWith('Wh');
        const isMoney = /^K?EUR$/.test(unit);
        if (!isEnergy && !isMoney && unit !== 'W' && unit !== 'kW') continue;
        // A multiplier is for display where the value is raw: then the value alone is the quantity.
        const raw = record[`${name}Pec`] !== undefined && record[`${name}Pec`] !== '1';
        const value = record[name] * (raw ? 1 : units[unit]!);
        const quantity = isEnergy ? kwh : isMoney ? amount : watts;
        // Loads on the grid side and on the backup port together, the one or the other direction, rated power and limits, sums of 32 strings.
        const ways = [
          quantity,
          2 * quantity,
          Math.max(0, quantity),
          Math.max(0, -quantity),
          32 * quantity,
        ];
        const allowed = isEnergy ? 0.0006 : isMoney ? 0.006 : 0.6;
        const near = ways.some(
          (way) => Math.abs(value - way) <= allowed * Math.max(1, way / quantity || 1),
        );
        if (!near && !/^(power|pSet|pLimit)$/.test(name))
          expect([id, key, record[name], unit, quantity]).toEqual('the quantity that went in');
        stating += 1;
      }
    }
    expect(stating).toBeGreaterThan(300);
  };
  fc.assert(fc.property(energy, power, money, check), {
    numRuns: 30,
    examples: [[999.9996, 0.4, 99_999.996]],
  });
});

test('negative zero is never written', () => {
  const record = projected('inverterDetail', {
    ...examples.exampleInverter,
    values: { acPowerW: -0.2, gridPowerW: -0 },
  }) as Wire;
  expect(Object.is(record['pac'], 0)).toBe(true);
  expect(Object.is(record['psum'], 0)).toBe(true);
});

test('whatever the numbers, every answer survives JSON unchanged', () => {
  const finite = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 });
  fc.assert(
    fc.property(finite, finite, (a, b) => {
      const output = {
        ...(fullOutputs['inverterDetail'] as object),
        values: { acPowerW: a, gridPowerW: b, temperatureC: a },
        energies: { production: { todayKwh: b } },
      };
      const data = projected('inverterDetail', output);
      expect(JSON.parse(JSON.stringify(data))).toEqual(data);
    }),
  );
});
